"""A finding of a verification: a cell that isn't what the facts give, or a fact that isn't what was
sealed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Difference:
    """One cell. `row` names its row by public ids, places and numbers. `true_value` is what the
    cell should hold."""

    table: str
    row: str
    column: str
    stored_value: object
    true_value: object

    def __str__(self) -> str:
        return f"{self.code} {self.row}: is {self.stored_value!r}, would be {self.true_value!r}"

    @property
    def code(self) -> str:
        """The kind of cell, as programs can tell it: `standing.points`."""
        return f"{self.table}.{self.column}".replace(" ", "_")

    def as_json(self) -> dict[str, str]:
        """The difference as it is kept and shown."""
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
    """The cells of a row, each given as its column with the stored and the true value, that hold
    something else."""
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
