"""Advisory locks. All key spaces are here, so that none is used twice.

`once_more` is for transactions that the database cancels because they collided all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Final, TypeVar
from zlib import crc32

from django.db import OperationalError, connection, transaction
from psycopg.sql import SQL, Identifier

# PostgreSQL, Appendix A: error codes
LOCK_NOT_AVAILABLE = "55P03"
CANCELLED = ("40001", "40P01")  # serialization failure, deadlock

Result = TypeVar("Result")


class Space(IntEnum):
    """The key spaces: the first half of a lock's key. The second half says which row.

    A transaction takes several locks in one order: an event, one of its tables, its row, the
    players, the log's end, and for events held together a stage's row last."""

    RANKING = 0x5EA5  # counting into a ranking, and rating it: the ranking's id
    STYLE = 0x57E1  # the styles of a ranking: the ranking's id
    IMPORT = 0x1EB0  # working on an uploaded file: the job's id; 0: importing one as a whole
    # shared while seating a club's players, exclusive while merging or erasing them: the club's id
    PLAYERS = 0x9EE0
    # drawing a round of an event, and entering results that a draw rests on: the event's id
    EVENT = 0xE7E0
    NOTICES = 0x707E  # making notices of a club's log entries: the club's id
    TIMETABLE = 0x71AE  # working a timetable out: the timetable's id
    AUDIT = 0xA0D1  # carrying out an audit: the audit's id
    SETUP = 0x5E70  # making the service's first account: always 0
    ANSWER = 0x1DE7  # answering an idempotent request: a hash of the API key and the request's key


class Busy(Exception):
    """Somebody else holds the lock."""


class Collided(Exception):
    """The database cancelled a transaction twice because of another one."""


def once_more(work: Callable[[], Result]) -> Result:
    """Return the result of the work. If the database cancels it by a deadlock or a serialization
    failure, run it once more: by then the other transaction is done.

    Raise `Collided` if the second run is cancelled, too.
    """
    try:
        return work()
    except OperationalError as error:
        if _sqlstate(error) not in CANCELLED:
            raise
    try:
        return work()
    except OperationalError as error:
        if _sqlstate(error) not in CANCELLED:
            raise
        raise Collided(_sqlstate(error)) from error


def transaction_lock(space: Space, key: int) -> None:
    """Take a lock until the transaction ends. Raise `Busy` at once if somebody else has it: jobs
    don't wait."""
    if not _call("pg_try_advisory_xact_lock", space, key):
        raise Busy(f"{space.name} {key}")


def transaction_lock_shared(space: Space, key: int) -> None:
    """Take a shared lock until the transaction ends. Wait while somebody has it exclusively."""
    _call("pg_advisory_xact_lock_shared", space, key)


PATIENT: Final = SQL("""
    SELECT set_config('lock_timeout', {wait}, {in_transaction});
    SELECT {lock}({space}, {key});
    SELECT set_config('lock_timeout', '0', {in_transaction})
""")
"""One round trip to the database, where separate statements would take three."""


def transaction_lock_patient(space: Space, key: int, *, wait: str = "3s") -> None:
    """Take an exclusive lock until the transaction ends. Raise `Busy` if others hold it for longer
    than `wait`; the whole transaction is lost then."""
    with transaction.atomic(savepoint=False):
        _call_patiently("pg_advisory_xact_lock", space, key, wait)


@contextmanager
def session_lock(space: Space, key: int | str, *, wait: str = "") -> Iterator[None]:
    """Take a lock that may span several transactions. Raise `Busy` if somebody else has it, at once
    or after a `wait` such as `30s`.

    The database releases the lock of a killed process. A text is hashed to a number, so two texts
    may share a lock.
    """
    lock_number = key if isinstance(key, int) else crc32(key.encode()) - 2**31
    if wait:
        _call_patiently("pg_advisory_lock", space, lock_number, wait)
    elif not _call("pg_try_advisory_lock", space, lock_number):
        raise Busy(f"{space.name} {key}")
    try:
        yield
    finally:
        _call("pg_advisory_unlock", space, lock_number)


def _call_patiently(function: str, space: Space, key: int, wait: str) -> None:
    """Take a lock. Raise `Busy` if others hold it for longer than `wait`."""
    query = PATIENT.format(
        wait=wait,
        in_transaction=connection.in_atomic_block,
        lock=Identifier(function),
        space=int(space),
        key=key,
    )
    try:
        with connection.cursor() as cursor:
            cursor.execute(query)
    except OperationalError as error:
        raise _busy_or_same_error(space, key, error) from error


def _call(function: str, *values: str | int) -> object:
    with connection.cursor() as cursor:
        cursor.callproc(function, values)
        return cursor.fetchone()[0]


def _busy_or_same_error(space: int, key: int, error: OperationalError) -> Exception:
    if _sqlstate(error) == LOCK_NOT_AVAILABLE:
        return Busy(f"{Space(space).name} {key}")
    return error


def _sqlstate(error: OperationalError) -> str:
    return getattr(error.__cause__, "sqlstate", None) or ""
