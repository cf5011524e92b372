"""Statements of SQL, carried out by Django's connection in its transaction, and several that see
the same moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final, TypeAlias

from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import IntegerField, Lookup, QuerySet
from django.db.models.sql.compiler import SQLCompiler


@IntegerField.register_lookup
class AnyOf(Lookup):
    """`pk__any_of=…`: as `pk__in`, for many numbers. They travel as one array, where each of those
    would be a parameter of its own, to be compiled and planned by itself."""

    lookup_name = "any_of"
    prepare_rhs = False

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        """The condition and its parameters."""
        column, parameters = self.process_lhs(compiler, connection)
        return f"{column} = ANY(%s)", (*parameters, list(self.rhs))


Arguments: TypeAlias = Sequence[Any] | Mapping[str, Any]


def rows(statement: str, arguments: Arguments = ()) -> list[Any]:
    """The rows that a statement gives."""
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        return list(cursor.fetchall())


def row(statement: str, arguments: Arguments = ()) -> Any:
    """The first row that a statement gives; None if it gives none."""
    return next(iter(rows(statement, arguments)), None)


KEY: Final = "the key"


class KeptQuery:
    """Decorates what makes a query of `values_list` for a key, which is a text: its statement is
    written once, for writing a long one takes longer than it takes the database to answer. Nothing
    but the key may make a difference."""

    def __init__(self, build: Callable[[str], QuerySet[Any, tuple[Any, ...]]]) -> None:
        self.build = build

    @cached_property
    def written(self) -> tuple[str, tuple[Any, ...]]:
        """The statement, and its parameters with `KEY` in the place of the key."""
        return self.build(KEY).query.sql_with_params()

    def __call__(self, key: str) -> list[Any]:
        """The rows for a key, as the database gives them."""
        statement, parameters = self.written
        return rows(statement, [key if value == KEY else value for value in parameters])


def execute(statement: str, arguments: Arguments) -> int:
    """Carry out a statement; returns how many rows it wrote."""
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        return int(cursor.rowcount)


@contextmanager
def snapshot() -> Iterator[None]:
    """One view of the database for as long as it takes, from which nothing can be written."""
    fresh = not connection.in_atomic_block
    with transaction.atomic():
        if fresh:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
