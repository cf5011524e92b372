"""What a verification finds: a cell that isn't what the facts give, or a fact that isn't what was sealed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """One cell. `row` names its row by what people know: public ids, places, numbers. `true` is what it should be."""

    table: str
    row: str
    column: str
    stored: object
    true: object

    def __str__(self) -> str:
        return f"{self.code} {self.row}: is {self.stored!r}, would be {self.true!r}"

    @property
    def code(self) -> str:
        """Which kind of cell it is, as programs can tell it: `standing.points`."""
        return f"{self.table}.{self.column}".replace(" ", "_")

    def as_json(self) -> dict[str, str]:
        """The difference as it is kept and shown."""
        return {
            "code": self.code,
            "table": self.table,
            "row": self.row,
            "column": self.column,
            "stored": repr(self.stored),
            "true": repr(self.true),
        }
