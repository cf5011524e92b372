"""Readers of a club's log: how far each has come, and what it has set aside."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog
from django.db.models import DateTimeField, F, Func
from django.db.models.functions import Now

from league.core.log.models import Reader, SetAside

log = structlog.get_logger(__name__)

PUSH_BACK: Final = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(days=1))
"""How long an entry that failed is left alone, after the first failure, the second, …"""


class ClockTime(Func):
    """The time of the database's clock; `Now` is that at which the transaction began."""

    function = "clock_timestamp"
    output_field = DateTimeField()


def reader_advance(club_id: int, reader: str, position: int) -> None:
    """Note that a reader has done all entries up to a position, in the transaction that does them."""
    Reader.objects.bulk_create(
        [Reader(club_id=club_id, name=reader, position=position, read_at=ClockTime())],
        update_conflicts=True,
        unique_fields=["club", "name"],
        update_fields=["position", "read_at"],
    )


def reader_set_aside(club_id: int, reader: str, position: int, error: Exception) -> None:
    """Leave an entry at which a reader failed for later, with the reason."""
    row, created = SetAside.objects.get_or_create(
        club_id=club_id,
        reader=reader,
        position=position,
        defaults={"error": repr(error)[:2000], "due_at": Now() + PUSH_BACK[0]},
    )
    if not created:
        delay = PUSH_BACK[min(row.attempts, len(PUSH_BACK) - 1)]
        SetAside.objects.filter(pk=row.pk).update(
            attempts=F("attempts") + 1, error=repr(error)[:2000], due_at=Now() + delay
        )
    log.error("reader.set_aside", club=club_id, reader=reader, position=position, error=repr(error))


def reader_finish(club_id: int, reader: str, position: int) -> None:
    """Note that an entry which was set aside is done, in the transaction that does it."""
    SetAside.objects.filter(club=club_id, reader=reader, position=position).delete()
    Reader.objects.filter(club=club_id, name=reader).update(read_at=ClockTime())
