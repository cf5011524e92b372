"""The answer of a draw: the tables with their seats, their cost, and the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.messages import Message
from engine.pairing.cost import Cost
from engine.pairing.draw_input import TableIds
from engine.record.shape import Object

VERSION: Final = 6
"""The version of the drawing: another one may draw otherwise from the same input."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One round drawn: its tables in order of standing, each in seat order, and who sits out.

    `bound`: what no draw can cost less than, for the criteria for which that is known. `why`: for
    each table a sentence for each criterion that had a say in it. `price`: how many meetings again
    it costs, now and in the rounds to come, that turns at short tables count before them; None
    where they don't, or it wasn't asked, as nobody meets again."""

    tables: tuple[TableIds, ...]
    bye: TableIds
    cost: Cost
    bound: Mapping[str, int]
    why: tuple[tuple[Message, ...], ...]
    price: int | None = None
    version: int = VERSION

    def as_json(self) -> Object:
        """The answer as the draw file has it; the sentences for a table are one line of text."""
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
