"""The formats of stages: by which rule tables come about. One object in `FORMATS` has all that
differs between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil, log
from types import MappingProxyType
from typing import Any, Final, Literal

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.scoring.stage.rules import StageScoring, StageTieBreak

FEW_PLAYERS: Final = 12
"""Three rounds are enough for this number of players or fewer."""
MOST_IN_ROTATION: Final = 16
"""The most players for whom rotating tables are recommended."""
MOST_ROUNDS: Final = 40
DEFAULT_TIE_BREAKS: Final = (
    *(StageTieBreak.HEAD_TO_HEAD.value, StageTieBreak.WINS.value),
    *(StageTieBreak.OPPONENTS_SCORE.value, StageTieBreak.LOTS.value),
)
"""The tie-breaks of a stage where nobody chooses others."""

FormatField = Literal[
    "others",
    "meetings_first",
    "adjusted",
    "rounds",
    "groups",
    "by_division",
    "advance",
    "third",
    "separation",
    "carry",
    "label_rounds",
    "label_must",
    "label_best",
]
"""A setting that not every format has, as the form of a stage names it."""


class Format(models.TextChoices):
    """The names of formats as they are stored; the label has its name, and behind a colon who meets
    whom."""

    SWISS = "swiss", _("Swiss: who has about as many points meets")
    ROUND_ROBIN = "round_robin", _("round robin: everybody meets everybody")
    PODS = "pods", _("rotating tables: as many different opponents as can be")
    SINGLE = "single", _("single elimination")
    DOUBLE = "double", _("double elimination")
    FINAL = "final", _("final table")
    LADDER = "ladder", _("ladder: who beats somebody above takes the place")
    STRIKES = "strikes", _("three strikes: who is last at a table three times is out")
    FREE = "free", _("free tables: who is there sits down together")


def _rounds_of_an_evening(count: int) -> int:
    """The rounds that one evening has for so many players."""
    return 3 if count <= FEW_PLAYERS else min(2 + ceil(log(count, 4)), 7)


def _rounds_of_all_pairs(count: int) -> int:
    """The rounds in which so many players meet one another in pairs."""
    return min(max(1, count - 1 + count % 2), MOST_ROUNDS)


@dataclass(frozen=True, slots=True)
class FormatRules:
    """All that differs between formats.

    `about`: a sentence or two for whoever chooses one. `fields`: the settings that it has beside
    those of every stage, and `settings` those that nobody is asked for. `bracket`: the kind of
    knock-out as the engine names it, None where nobody is knocked out. `ladder`: players challenge
    each other instead of being drawn, and each challenge is a round. `strikes`: who is last at a
    table gets a strike, with the third one is out, and all others are drawn again. `free`: nothing
    is drawn either, whoever likes sits down, and all tables are one round. `one_table`: everybody
    sits at the same table, whatever the sizes. `drawn_by_points`: who has about as many points
    meets. `joinable`: latecomers get in, because each round, or each table, seats whoever is there.
    A new stage begins with `first_sizes`, `first_scoring`, `first_tie_breaks` and `first_rounds`
    for so many players."""

    name: Format
    about: Promise
    fields: frozenset[FormatField] = frozenset()
    settings: Mapping[str, Any] = field(default_factory=dict)
    bracket: Literal["single", "double"] | None = None
    ladder: bool = False
    strikes: bool = False
    free: bool = False
    one_table: bool = False
    drawn_by_points: bool = False
    joinable: bool = False
    first_sizes: tuple[int, ...] = (4, 3)
    first_scoring: StageScoring = StageScoring.PLACEMENT
    first_tie_breaks: tuple[str, ...] = DEFAULT_TIE_BREAKS
    first_rounds: Callable[[int], int] = _rounds_of_an_evening

    @property
    def knock_out(self) -> bool:
        """True where those who lose are out."""
        return self.bracket is not None

    @property
    def by_place(self) -> bool:
        """True where a bracket or a ladder says who is ahead of whom, and not the points."""
        return self.knock_out or self.ladder

    @property
    def adjusts(self) -> bool:
        """True where a stage says whether short tables count as full ones."""
        return "adjusted" in self.fields

    @property
    def undrawn(self) -> bool:
        """True where people say who sits down together, so that there is no draw."""
        return self.ladder or self.free

    @property
    def plays_to_the_end(self) -> bool:
        """True where rounds are drawn until one is left, however many that takes."""
        return self.knock_out or self.strikes

    @property
    def drawn_ahead(self) -> bool:
        """True where a draw needs no result of the rounds before it, so that all rounds can be
        drawn at once."""
        return self.needs_rounds and not self.drawn_by_points

    @property
    def needs_rounds(self) -> bool:
        """True where the number of rounds is planned; that of others follows from what is
        played."""
        return not self.plays_to_the_end and not self.undrawn

    @property
    def short_label(self) -> str:
        """The name without what stands behind the colon, in the reader's language."""
        label = str(self.name.label).split(":")[0]
        return label[:1].upper() + label[1:]


GROUPS_AND_ROUNDS: Final[frozenset[FormatField]] = frozenset(
    {
        *("others", "meetings_first", "adjusted", "rounds", "groups", "by_division", "carry"),
        *("label_rounds", "label_must", "label_best"),
    }
)
PAIRS: Final = (2,)
FREE_TIE_BREAKS: Final = tuple(
    name for name in DEFAULT_TIE_BREAKS if name != StageTieBreak.OPPONENTS_SCORE
)
BRACKET_TIE_BREAKS: Final = (StageTieBreak.SEEDING.value, StageTieBreak.LOTS.value)

FORMATS: Final[Mapping[str, FormatRules]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            FormatRules(
                Format.SWISS,
                about=_(
                    "Everybody plays every round. Those with about as many points meet, and "
                    "nobody meets the same "
                    "people again if that can be avoided. Good for an evening with many players "
                    "and few rounds."
                ),
                fields=GROUPS_AND_ROUNDS,
                drawn_by_points=True,
                joinable=True,
            ),
            FormatRules(
                Format.ROUND_ROBIN,
                about=_(
                    "Everybody meets everybody: in pairs exactly once, at larger tables as evenly "
                    "as can be. Good for "
                    "small groups with time."
                ),
                fields=GROUPS_AND_ROUNDS,
                joinable=True,
                first_sizes=PAIRS,
                first_scoring=StageScoring.WIN_DRAW_LOSS,
                first_rounds=_rounds_of_all_pairs,
            ),
            FormatRules(
                Format.PODS,
                about=_(
                    "Tables are mixed anew every round, whatever the points. Good for a friendly "
                    "night with as many "
                    "different opponents as can be."
                ),
                fields=GROUPS_AND_ROUNDS,
                joinable=True,
            ),
            FormatRules(
                Format.SINGLE,
                about=_(
                    "Who loses is out. From each table as many go on as you say. Good when "
                    "one winner has to be found."
                ),
                fields=frozenset({"advance", "third", "separation"}),
                bracket="single",
                first_sizes=PAIRS,
                first_tie_breaks=BRACKET_TIE_BREAKS,
            ),
            FormatRules(
                Format.DOUBLE,
                about=_(
                    "Who loses goes on among the losers, and is out only after a second loss. If "
                    "the winner of the "
                    "losers’ side wins the final, one more game decides."
                ),
                fields=frozenset({"advance", "separation"}),
                bracket="double",
                first_sizes=PAIRS,
                first_tie_breaks=BRACKET_TIE_BREAKS,
            ),
            FormatRules(
                Format.FINAL,
                about=_("One table of the best, for the title."),
                fields=frozenset({"adjusted", "carry", "label_best"}),
                settings={"rounds": 1},
                one_table=True,
                drawn_by_points=True,
                first_sizes=(4,),
            ),
            FormatRules(
                Format.LADDER,
                about=_(
                    "Players stand one above the other and challenge those above: who wins takes "
                    "the place. It has no "
                    "rounds and goes on for as long as you like."
                ),
                ladder=True,
                first_sizes=PAIRS,
            ),
            FormatRules(
                Format.STRIKES,
                about=_(
                    "Tables are mixed anew every round. Who is last at a table gets a strike, and "
                    "is out with the "
                    "third; the last who is left wins. Good for an evening that ends with a final."
                ),
                fields=frozenset({"others", "meetings_first", "label_rounds", "label_must"}),
                settings={"games": 1, "scoring": StageScoring.STRIKES.value},
                strikes=True,
                first_sizes=(4, 3, 2),
                first_scoring=StageScoring.STRIKES,
            ),
            FormatRules(
                Format.FREE,
                about=_(
                    "Nobody draws: who is there sits down together, at as many tables as you "
                    "like, at any time. Good "
                    "for a club night on which people come and go."
                ),
                fields=frozenset({"adjusted", "label_best"}),
                free=True,
                joinable=True,
                first_tie_breaks=FREE_TIE_BREAKS,
            ),
        )
    }
)
"""All formats by name, in the order in which they are offered."""


def recommended_format(number: int, players: int) -> Format:
    """Return the format to recommend for an event's stage of this number, counted from 1, by how
    many play.

    The first stage lets few players meet as many others as can be, and sorts many by points. A
    later one is a knock-out."""
    if number > 1:
        return Format.SINGLE
    return Format.PODS if players <= MOST_IN_ROTATION else Format.SWISS
