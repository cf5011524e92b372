"""The answer of a draw: the tables with their seats, the cost, and the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.messages import Message
from engine.pairing.cost import Cost
from engine.pairing.draw_input import TableIds
from engine.record.shape import Object

VERSION: Final = 6
"""The version of the draw procedure. Another version may draw differently from the same input."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn round: its tables in order of standing, each in seat order, and the players who sit
    out.

    `bound`: for each criterion with a known lower bound, that bound. `why`: for each table, one
    sentence for each criterion that influenced it. `price`: how many repeated meetings, in this
    round and the planned ones, the draw accepts because turns at short tables come first; None if
    there are no short tables, if meetings come first, or if no draw could have fewer repeats.
    """

    tables: tuple[TableIds, ...]
    bye: TableIds
    cost: Cost
    bound: Mapping[str, int]
    why: tuple[tuple[Message, ...], ...]
    price: int | None = None
    version: int = VERSION

    def as_json(self) -> Object:
        """Return the answer as the draw file has it; the sentences of a table become one line of
        text."""
        answer: Object = {
            "ok": True,
            "tables": [list(table) for table in self.tables],
            "bye": list(self.bye),
            "cost": dict(self.cost.as_json()),
            "bound": dict(self.bound),
            "why": [" ".join(sentences) for sentences in self.why],
            "version": self.version,
        }
        if self.price is not None:
            answer["price"] = self.price
        return answer
