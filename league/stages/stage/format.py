"""The formats of stages, by which tables are made. `FORMATS` has one object with all that differs
between them."""

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
    StageTieBreak.HEAD_TO_HEAD.value,
    StageTieBreak.WINS.value,
    StageTieBreak.OPPONENTS_SCORE.value,
    StageTieBreak.LOTS.value,
)

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
"""The names, as in the form of a stage, of settings that not every format has."""


class Format(models.TextChoices):
    """The formats by their stored names. A label is the name of the format and, after a colon, who
    meets whom."""

    SWISS = "swiss", _("Swiss: players with similar points meet")
    ROUND_ROBIN = "round_robin", _("round robin: everybody meets everybody")
    PODS = "pods", _("rotating tables: as many different opponents as possible")
    SINGLE = "single", _("single elimination")
    DOUBLE = "double", _("double elimination")
    FINAL = "final", _("final table")
    LADDER = "ladder", _("ladder: beat somebody above you and take their place")
    STRIKES = "strikes", _("three strikes: finish last at a table three times and you’re out")
    FREE = "free", _("free tables: whoever is there sits down together")


def _rounds_of_an_evening(count: int) -> int:
    if count <= FEW_PLAYERS:
        return 3
    return min(2 + ceil(log(count, 4)), 7)


def _rounds_of_all_pairs(count: int) -> int:
    return min(max(1, count - 1 + count % 2), MOST_ROUNDS)


@dataclass(frozen=True, slots=True)
class FormatRules:
    """All that differs between formats. The attributes `first_…` are defaults of a new stage;
    `first_rounds` takes the number of players."""

    name: Format
    about: Promise
    """A sentence or two for organisers who choose a format."""
    fields: frozenset[FormatField] = frozenset()
    """The settings that organisers choose, apart from those of every stage."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings with fixed values."""
    bracket: Literal["single", "double"] | None = None
    """The engine's kind of knock-out, if it is one."""
    ladder: bool = False
    """Nothing is drawn: players challenge each other, and each challenge is a round."""
    strikes: bool = False
    """The last at a table gets a strike, and is out with the third; all others are drawn again."""
    free: bool = False
    """Nothing is drawn: players sit down as they like, and all tables are one round."""
    one_table: bool = False
    """Everybody sits at the same table, whatever the sizes."""
    drawn_by_points: bool = False
    """Players with about as many points meet."""
    joinable: bool = False
    """Latecomers get in, because each round or table seats the players who are there."""
    first_sizes: tuple[int, ...] = (4, 3)
    first_scoring: StageScoring = StageScoring.PLACEMENT
    first_tie_breaks: tuple[str, ...] = DEFAULT_TIE_BREAKS
    first_rounds: Callable[[int], int] = _rounds_of_an_evening

    @property
    def knock_out(self) -> bool:
        """Return True if losers are out."""
        return self.bracket is not None

    @property
    def by_place(self) -> bool:
        """Return True if a bracket or a ladder decides the order, and not the points."""
        return self.knock_out or self.ladder

    @property
    def adjusts(self) -> bool:
        """Return True if a stage of the format chooses whether short tables count as full ones."""
        return "adjusted" in self.fields

    @property
    def undrawn(self) -> bool:
        """Return True if there is no draw, because players choose whom they sit down with."""
        return self.ladder or self.free

    @property
    def plays_to_the_end(self) -> bool:
        """Return True if rounds are drawn until one player is left, however many that takes."""
        return self.knock_out or self.strikes

    @property
    def drawn_ahead(self) -> bool:
        """Return True if all rounds can be drawn at once, because no draw needs the results of the
        rounds before it."""
        return self.needs_rounds and not self.drawn_by_points

    @property
    def needs_rounds(self) -> bool:
        """Return True if organisers plan the number of rounds."""
        return not self.plays_to_the_end and not self.undrawn

    @property
    def short_label(self) -> str:
        """Return the name in the reader's language, without the explanation after the colon."""
        label = str(self.name.label).split(":")[0]
        return label[:1].upper() + label[1:]


GROUPS_AND_ROUNDS: Final[frozenset[FormatField]] = frozenset(
    {
        "others",
        "meetings_first",
        "adjusted",
        "rounds",
        "groups",
        "by_division",
        "carry",
        "label_rounds",
        "label_must",
        "label_best",
    }
)
PAIRS: Final = (2,)
FREE_TIE_BREAKS: Final = tuple(
    name for name in DEFAULT_TIE_BREAKS if name != StageTieBreak.OPPONENTS_SCORE
)
BRACKET_TIE_BREAKS: Final = (StageTieBreak.SEEDING.value, StageTieBreak.LOTS.value)

_ALL: Final = (
    FormatRules(
        Format.SWISS,
        about=_(
            "Everybody plays every round. Players with similar points meet, and nobody meets the "
            "same people again if that can be avoided. Good for an evening with many players and "
            "few rounds."
        ),
        fields=GROUPS_AND_ROUNDS,
        drawn_by_points=True,
        joinable=True,
    ),
    FormatRules(
        Format.ROUND_ROBIN,
        about=_(
            "Everybody meets everybody: in pairs exactly once, at larger tables as evenly as "
            "possible. Good for small groups with plenty of time."
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
            "Players are shuffled between tables every round, whatever their scores. Good for a "
            "friendly night with as many different opponents as possible."
        ),
        fields=GROUPS_AND_ROUNDS,
        joinable=True,
    ),
    FormatRules(
        Format.SINGLE,
        about=_(
            "Lose and you’re out. You decide how many players go on from each table. Good for "
            "finding a single winner."
        ),
        fields=frozenset({"advance", "third", "separation"}),
        bracket="single",
        first_sizes=PAIRS,
        first_tie_breaks=BRACKET_TIE_BREAKS,
    ),
    FormatRules(
        Format.DOUBLE,
        about=_(
            "Lose once and you move to the losers’ side; lose twice and you’re out. If the winner "
            "of the losers’ side wins the final, one more game decides."
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
            "Players are ranked one above the other and challenge those above them: win and you "
            "take their place. There are no rounds, and it goes on for as long as you like."
        ),
        ladder=True,
        first_sizes=PAIRS,
    ),
    FormatRules(
        Format.STRIKES,
        about=_(
            "Tables are mixed up again every round. Finish last at a table and you get a strike; "
            "three strikes and you’re out. The last player left wins. Good for an evening that "
            "ends with a final."
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
            "There’s no draw: whoever is there sits down together, at as many tables as you like, "
            "at any time. Good for a club night when people come and go."
        ),
        fields=frozenset({"adjusted", "label_best"}),
        free=True,
        joinable=True,
        first_tie_breaks=FREE_TIE_BREAKS,
    ),
)
FORMATS: Final[Mapping[str, FormatRules]] = MappingProxyType({rules.name: rules for rules in _ALL})
"""All formats by name, in the order in which they are offered."""


def recommended_format(number: int, players: int) -> Format:
    """Return the format to recommend for stage `number`, from 1, of an event with this many
    players.

    In the first stage few players meet as many others as possible, and many are sorted by points. A
    later stage is a knock-out.
    """
    if number > 1:
        return Format.SINGLE
    return Format.PODS if players <= MOST_IN_ROTATION else Format.SWISS
