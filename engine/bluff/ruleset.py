"""The settings that a table can agree on before it plays Bluff."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

Exact = Literal["all", "challenger", "protected", "giveaway"]
BluffScoring = Literal["cntdice", "placement"]

EXACT: Final[dict[str, Exact]] = {
    "all": "all",
    "challenger": "challenger",
    "protected": "protected",
    "giveaway": "giveaway",
}
SCORING: Final[dict[str, BluffScoring]] = {"cntdice": "cntdice", "placement": "placement"}
SEATS: Final = range(2, 7)
"""Two to six seats (R, S)."""
OPENING_DICE: Final = 5
"""How many dice each player rolls to decide who opens, however many the seats start with.

Ruling B15: the highest sum opens."""
DICE: Final = range(1, 21)
"""How many dice a seat may start with: five in all texts, here up to one lap of the track."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The settings of a game of Bluff.

    `exact`: which seats lose dice at an exact hit, ruling B9. `reroll`: laying out and
    rerolling, ruling B14. `dice`: dice each seat starts with. `scoring`: what counts as game
    points, ruling B13.
    """

    exact: Exact = "all"
    reroll: bool = False
    dice: Annotated[int, DICE] = 5
    scoring: BluffScoring = "placement"
