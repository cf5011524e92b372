"""Running SQL on Django's connection, within its transaction, and snapshots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any, Final, TypeAlias

from django.db import DatabaseError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import IntegerField, Lookup, QuerySet
from django.db.models.sql.compiler import SQLCompiler


@IntegerField.register_lookup
class AnyOf(Lookup):
    """The lookup `pk__any_of=…`, like `pk__in` but for many numbers. They are sent as one array
    instead of one parameter each, since each parameter would have to be compiled and planned."""

    lookup_name = "any_of"
    prepare_rhs = False

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        """Return the condition and its parameters."""
        column, parameters = self.process_lhs(compiler, connection)
        return f"{column} = ANY(%s)", (*parameters, list(self.rhs))


Arguments: TypeAlias = Sequence[Any] | Mapping[str, Any]


def rows(statement: str, arguments: Arguments = ()) -> list[Any]:
    """Run a statement, and return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        return list(cursor.fetchall())


def row(statement: str, arguments: Arguments = ()) -> Any:
    """Run a statement, and return its first row; None if it has none."""
    return next(iter(rows(statement, arguments)), None)


PORTION: Final = 2000
"""The rows of a portion."""


def row_portions(statement: str, arguments: Arguments = ()) -> Iterator[list[Any]]:
    """Run a statement whose rows may be too many for the memory, and yield them in portions."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, arguments)
        portion = cursor.fetchmany(PORTION)
        while portion:
            yield portion
            portion = cursor.fetchmany(PORTION)


KEY: Final = "the key"
"""Stands for the key in the compiled statement of a `KeptQuery`."""


class KeptQuery:
    """A decorator for functions that build a `values_list` query set from a text, the key. The
    statement is compiled only once, since compiling a long statement takes longer than running it.
    So the query set may depend on nothing but the key."""

    def __init__(self, build: Callable[[str], QuerySet[Any, tuple[Any, ...]]]) -> None:
        self.build = build

    @cached_property
    def compiled(self) -> tuple[str, tuple[Any, ...]]:
        """The statement, and its parameters with `KEY` in place of the key."""
        return self.build(KEY).query.sql_with_params()

    def __call__(self, key: str) -> list[Any]:
        """Return the rows for a key, as the database returns them."""
        statement, parameters = self.compiled
        return rows(statement, [key if value == KEY else value for value in parameters])


def execute(statement: str, arguments: Arguments) -> int:
    """Run a statement, and return the number of rows it wrote."""
    with connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        return int(cursor.rowcount)


def changed_tables_analyse() -> None:
    """Analyse the tables of which much has changed, so that the database plans the next queries for
    what is there now. Call it after much was written, outside of transactions.

    Only the owner of a table can analyse it, so a function of the owner does
    (migration `0071_analyse_changed_tables`). An error of the database is ignored, since PostgreSQL
    does the same later."""
    with suppress(DatabaseError):
        rows("SELECT pg_stat_force_next_flush()")
        rows("SELECT analyse_changed_tables()")


@contextmanager
def snapshot() -> Iterator[None]:
    """Open a read-only transaction in which all queries see the same state of the database."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
