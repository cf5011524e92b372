"""The findings of a verification: cells that contradict the facts, and facts that contradict
their seals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell with a wrong value.

    `row` names its row by public ids, places and numbers. `true_value` is what the cell should
    hold.
    """

    table: str
    row: str
    column: str
    stored_value: object
    true_value: object

    def __str__(self) -> str:
        return f"{self.code} {self.row}: is {self.stored_value!r}, would be {self.true_value!r}"

    @property
    def code(self) -> str:
        """Return the kind of cell for programs: `standing.points`."""
        return f"{self.table}.{self.column}".replace(" ", "_")

    def as_json(self) -> dict[str, str]:
        """Return the difference as it is stored and shown."""
        return {
            "code": self.code,
            "table": self.table,
            "row": self.row,
            "column": self.column,
            "stored": repr(self.stored_value),
            "true": repr(self.true_value),
        }


def cell_differences(
    table: str, row: str, cells: Iterable[tuple[str, object, object]]
) -> Iterator[Difference]:
    """Yield the cells of a row with wrong values, from (column, stored value, true value)."""
    for column, stored_value, true_value in cells:
        if stored_value != true_value:
            yield Difference(table, row, column, stored_value, true_value)


Checkpoint: TypeAlias = dict[str, Any]
"""How far a verification has come, and what it needs to go on from there, as JSON; empty at the
start."""


class VerifiedBatch(NamedTuple):
    """The rows verified in one snapshot: their differences, and the checkpoint from which to go on;
    None after the last batch."""

    differences: list[Difference]
    checkpoint: Checkpoint | None
