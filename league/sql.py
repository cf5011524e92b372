"""Statements of SQL, carried out by the connection and in the transaction of Django's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from django.db import connection

Arguments: TypeAlias = Sequence[Any] | Mapping[str, Any]


def rows(statement: str, arguments: Arguments = ()) -> list[Any]:
    """The rows that a statement gives."""
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        return list(cursor.fetchall())


def row(statement: str, arguments: Arguments = ()) -> Any:
    """The first row that a statement gives; None if it gives none."""
    return next(iter(rows(statement, arguments)), None)


def execute(statement: str, arguments: Arguments) -> int:
    """Carry out a statement; returns how many rows it wrote."""
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        return int(cursor.rowcount)
