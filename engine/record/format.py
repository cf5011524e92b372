"""What the record has to know of a game to read, check and seal it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.bluff.ruleset import Ruleset as BluffRules
from engine.kniffel.combinations import Ruleset as KniffelRules
from engine.record.shape import Json
from engine.record.verdict import Verdict

if TYPE_CHECKING:
    from engine.record.record import Record

Rules: TypeAlias = BluffRules | KniffelRules


@dataclass(frozen=True, slots=True)
class Format:
    """How one game is recorded.

    `unit`: the key of the list of rounds or turns. `seats`: how many there may be. `read_rules(value, path)`
    gives the ruleset or raises `Fault`. `check` gives the verdict on a record whose header is good.
    `canonical` gives the rounds of a record that is ok in canonical form, one JSON object each.
    """

    unit: str
    seats: range
    read_rules: Callable[[Json, str], Rules]
    check: Callable[["Record"], Verdict]
    canonical: Callable[["Record"], Iterator[dict[str, Json]]]
