"""Outages of the database and of Valkey: one line a minute in the log, not one for each failure.

A minute without a database used to write two megabytes of tracebacks, and rotation threw away what
had come before."""

from __future__ import annotations

import logging
import sys
import time
from typing import Any, Final

import django.db
import kombu.exceptions
import psycopg
import redis.exceptions

from league.core.hooks import Hook

POSTGRES: Final = "postgres"
VALKEY: Final = "valkey"
OUTAGE: Final = "outage"
"""The key of a structured line about an outage, with the server that is away."""
QUIET_SECONDS: Final = 60.0
"""For so long after a line about an outage, others about the same server are held back."""
DATABASE_ERRORS: Final = (
    django.db.OperationalError,
    django.db.InterfaceError,
    psycopg.OperationalError,
)
VALKEY_ERRORS: Final = (
    redis.exceptions.ConnectionError,
    redis.exceptions.TimeoutError,
    kombu.exceptions.OperationalError,
)
AWAY_STATES: Final = ("08", "57P01", "57P02", "57P03", "53300")
"""The SQLSTATEs of a server that can't be reached, shuts down, starts, or has no connection left.
Any other, such as that of a deadlock or a full disk, is no outage; an error without one is."""
MOST_CAUSES: Final = 10

line_held_back: Hook[[str], None] = Hook()
"""Called for each line that is held back, with the server that is away."""


class OutageFilter(logging.Filter):
    """Passes the first line about an outage with its traceback, then one line a minute without it.

    That line says how many were held back. Threads share the numbers without a lock: at worst, two
    lines pass instead of one."""

    def __init__(self) -> None:
        super().__init__()
        self.shown_at: dict[str, float] = {}
        self.seen_at: dict[str, float] = {}
        self.held_back: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if the line is to be logged."""
        cause = outage_of(record)
        if cause is None:
            return True
        now = time.monotonic()
        is_new = now - self.seen_at.get(cause, -QUIET_SECONDS) >= QUIET_SECONDS
        self.seen_at[cause] = now
        if not is_new and now - self.shown_at[cause] < QUIET_SECONDS:
            self.held_back[cause] += 1
            line_held_back(cause)
            return False
        if not is_new:
            _shorten(record, self.held_back[cause])
        self.shown_at[cause] = now
        self.held_back[cause] = 0
        return True


def outage_marked(logger: Any, method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Name in a structured line the server whose outage its exception is about. This is a processor
    of structlog, which passes `logger` and `method`, too."""
    error = event.get("exc_info")
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException) and OUTAGE not in event:
        cause = outage_behind(error)
        if cause is not None:
            return {**event, OUTAGE: cause}
    return event


def outage_of(record: logging.LogRecord) -> str | None:
    """Return the server whose outage a line is about, or None. Celery passes some exceptions as
    arguments."""
    if isinstance(record.msg, dict):
        return record.msg.get(OUTAGE)
    errors: list[object] = [record.exc_info[1]] if record.exc_info else []
    if isinstance(record.args, tuple):
        errors += record.args
    causes = (outage_behind(error) for error in errors if isinstance(error, BaseException))
    return next((cause for cause in causes if cause is not None), None)


def outage_behind(error: BaseException) -> str | None:
    """Return the server whose outage has led to an exception, or None."""
    cause: BaseException | None = error
    for _ in range(MOST_CAUSES):
        if isinstance(cause, DATABASE_ERRORS) and _is_away(cause):
            return POSTGRES
        if isinstance(cause, VALKEY_ERRORS):
            return VALKEY
        if cause is None:
            return None
        cause = cause.__cause__ or cause.__context__
    return None


def _is_away(error: BaseException) -> bool:
    """Return True if the database can't be reached, rather than having refused one statement."""
    sqlstate = getattr(error, "sqlstate", None) or getattr(error.__cause__, "sqlstate", None)
    return sqlstate is None or sqlstate.startswith(AWAY_STATES)


def _shorten(record: logging.LogRecord, held_back: int) -> None:
    """Take the traceback off a line, of a text also all but its first line, and add how many lines
    were held back before it."""
    record.exc_info = None
    record.exc_text = None
    if isinstance(record.msg, dict):
        event = {name: value for name, value in record.msg.items() if name != "exception"}
        record.msg = {**event, "held_back": held_back}
    else:
        text = record.getMessage().partition("\n")[0]
        record.msg = f"{text} ({held_back} lines like this were held back)"
        record.args = ()
