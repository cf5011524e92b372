"""The registry of a stage's tie-breaks, for rankings, reasons, forms and pages."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.messages import Message, say
from engine.scoring.stage import sentences, tie_breaks
from engine.scoring.stage.rules import StageTieBreak
from engine.scoring.stage.scorebook import Scorebook
from engine.scoring.stage.separation import Separation
from engine.scoring.stage.tie_breaks import NOWHERE, Figure, Figures


@dataclass(frozen=True, slots=True)
class TieBreakRule:
    """A tie-break of a stage.

    `name`: as files and programs write it. `label`: as players call it. `sentence`: the reason why
    one of two players, given by their names, is above the other. `text`: a figure as tables show
    it. `figure`: a player's figure, which is the same whoever else is tied. `figure_among`: for a
    figure that depends on who is tied, the figures of these players by id; None if the tie-break
    doesn't apply. Raise ValueError unless exactly one of the two is given.
    """

    name: StageTieBreak
    label: Message
    sentence: Callable[[str, str, Separation], Message]
    text: Callable[[Figure], str]
    figure: Callable[[Scorebook, str], Figure] | None = None
    figure_among: Callable[[Scorebook, Collection[str]], Figures | None] | None = None

    def __post_init__(self) -> None:
        if (self.figure is None) == (self.figure_among is None):
            raise ValueError(
                f"{self.name} has either a figure of each player or figures among those tied"
            )

    def figure_text(self, figure: Figure | None) -> str:
        """Return a figure as a table shows it; a dash if there is none."""
        if figure is None or figure == NOWHERE:
            return "–"
        return self.text(figure)


_RULES: Final = (
    TieBreakRule(
        StageTieBreak.HEAD_TO_HEAD,
        say("head-to-head"),
        sentences.head_to_head,
        text=sentences.number_text,
        figure_among=tie_breaks.head_to_head,
    ),
    TieBreakRule(
        StageTieBreak.WINS,
        say("wins and places"),
        sentences.wins,
        text=sentences.wins_text,
        figure=tie_breaks.wins,
    ),
    TieBreakRule(
        StageTieBreak.GAMES_WON,
        say("wins"),
        sentences.games_won,
        text=sentences.number_text,
        figure=tie_breaks.games_won,
    ),
    TieBreakRule(
        StageTieBreak.POINTS_SHARE,
        say("share of the points"),
        sentences.points_share,
        text=sentences.number_text,
        figure=tie_breaks.points_share,
    ),
    TieBreakRule(
        StageTieBreak.OPPONENTS_SCORE,
        say("opponents’ score"),
        sentences.opponents_score,
        text=sentences.number_text,
        figure=tie_breaks.opponents_score,
    ),
    TieBreakRule(
        StageTieBreak.LAST_TABLE,
        say("place at the last table"),
        sentences.last_table,
        text=sentences.place_text,
        figure=tie_breaks.last_table,
    ),
    TieBreakRule(
        StageTieBreak.BEST_GAME,
        say("best game"),
        sentences.best_game,
        text=sentences.number_text,
        figure=tie_breaks.best_game,
    ),
    TieBreakRule(
        StageTieBreak.SEEDING,
        say("seeding"),
        sentences.seeding,
        text=sentences.place_text,
        figure=tie_breaks.seeding,
    ),
    TieBreakRule(
        StageTieBreak.LOTS,
        say("lots"),
        sentences.lots,
        text=sentences.lot_text,
        figure=tie_breaks.lots,
    ),
)
TIE_BREAKS: Final[Mapping[StageTieBreak, TieBreakRule]] = MappingProxyType(
    {rule.name: rule for rule in _RULES}
)
"""All tie-breaks of a stage by name, in the order in which they are offered."""
