"""What a piece of work costs, wherever it is done: CPU time of this process and of its database,
queries, rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from django.db import connection

WRITTEN = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables"


@dataclass(slots=True)
class WorkCost:
    """CPU time in milliseconds, of this process and of the database's process that serves it;
    queries; rows written."""

    python: float = 0.0
    database: float = 0.0
    queries: int = 0
    rows: int = 0

    @property
    def cpu(self) -> float:
        """The user's and the system's time of this process together, in milliseconds."""
        return self.python + self.database


@contextmanager
def cost() -> Iterator[WorkCost]:
    """Measure the block; the figures are there at its end."""
    found = WorkCost()
    server, rows = _server_time(), _rows_written()
    with connection.execute_wrapper(_counting(found)):
        start, served = process_time(), server()
        yield found
        found.python, found.database = 1000 * (process_time() - start), server() - served
    found.rows = _rows_written() - rows


def middle(costs: list[WorkCost]) -> WorkCost:
    """The median of each figure."""
    return WorkCost(
        *[
            median(getattr(one, name) for one in costs)
            for name in ("python", "database", "queries", "rows")
        ]
    )


def _counting(found: WorkCost) -> Callable[..., Any]:
    def wrapper(execute: Callable[..., Any], *query: Any) -> Any:
        found.queries += 1
        return execute(*query)

    return wrapper


def _server_time() -> Callable[[], float]:
    """A clock of the CPU time, in milliseconds, of the process that serves our connection
    (Linux)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        file = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    return lambda: int(file.read_text().split()[0]) / 1e6


def _rows_written() -> int:
    """Rows written so far in all tables. The database notes them at the end of a statement that
    asks for it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(WRITTEN)
        return int(cursor.fetchone()[0])
