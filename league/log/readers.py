"""Readers of a club's log: how far each has come, and what it has set aside."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from league.log.models import SetAside

log = structlog.get_logger(__name__)

PUSH_BACK: Final = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(days=1))
"""How long an entry that failed is left alone, after the first failure, the second, …"""


def reader_advance(club_id: int, reader: str, position: int) -> None:
    """Note that a reader has done all entries up to a position, in the transaction that does them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO league_reader (club_id, name, position, read_at) VALUES (%s, %s, %s, clock_timestamp())"
            " ON CONFLICT (club_id, name) DO UPDATE SET position = excluded.position, read_at = excluded.read_at",
            [club_id, reader, position],
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
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE league_reader SET read_at = clock_timestamp() WHERE club_id = %s AND name = %s", [club_id, reader]
        )
