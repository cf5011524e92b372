"""Readers of a club's log: jobs that handle its entries one after another, each under a name of its
own. A reader has the position up to which it has read, and entries that it set aside because they
failed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db.models import DateTimeField, F, Func, OuterRef, Subquery
from django.db.models.functions import Now

from league.core.log.models import LogHead, Reader, SetAside

log = structlog.get_logger(__name__)

PUSH_BACK: Final = (
    timedelta(minutes=1),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(days=1),
)
"""How long a failed entry is left alone after the first failure, after the second, …"""
MOST_LAGS: Final = 50


class ClockTime(Func):
    """The database's current time; `Now` is the start of the transaction."""

    function = "clock_timestamp"
    output_field = DateTimeField()


def reader_advance(club_id: int, reader: str, position: int) -> None:
    """Store the position in a club's log up to which a reader has read, in the transaction that
    handles the entries."""
    Reader.objects.bulk_create(
        [Reader(club_id=club_id, name=reader, position=position, read_at=ClockTime())],
        update_conflicts=True,
        unique_fields=["club", "name"],
        update_fields=["position", "read_at"],
    )


def reader_set_aside(club_id: int, reader: str, position: int, error: Exception) -> None:
    """Set aside an entry on which a reader failed, with the error, to be tried again later."""
    set_aside, created = SetAside.objects.get_or_create(
        club_id=club_id,
        reader=reader,
        position=position,
        defaults={"error": repr(error)[:2000], "due_at": Now() + PUSH_BACK[0]},
    )
    if not created:
        delay = PUSH_BACK[min(set_aside.attempts, len(PUSH_BACK) - 1)]
        SetAside.objects.filter(pk=set_aside.pk).update(
            attempts=F("attempts") + 1, error=repr(error)[:2000], due_at=Now() + delay
        )
    log.error("reader.set_aside", club=club_id, reader=reader, position=position, error=repr(error))


def reader_finish(club_id: int, reader: str, position: int) -> None:
    """Note that a reader has handled an entry that was set aside, in the transaction that handles
    it."""
    SetAside.objects.filter(club=club_id, reader=reader, position=position).delete()
    Reader.objects.filter(club=club_id, name=reader).update(read_at=ClockTime())


@dataclass(frozen=True, slots=True)
class Lag:
    """A reader that hasn't reached the end of a club's log: how many entries are left, and when it
    last read."""

    club: str
    reader: str
    entries: int
    read_at: datetime | None


def all_set_aside() -> list[SetAside]:
    """Return the entries that readers set aside, the oldest first."""
    return list(SetAside.objects.select_related("club").order_by("due_at", "pk"))


def lagging_readers() -> list[Lag]:
    """Return the readers that lag behind their club's log, those with the most entries left
    first."""
    end = Subquery(LogHead.objects.filter(club=OuterRef("club")).values("position"))
    lagging = Reader.objects.annotate(entries=end - F("position")).filter(entries__gt=0)
    rows = lagging.order_by("-entries", "club__name", "name")[:MOST_LAGS]
    return [Lag(*row) for row in rows.values_list("club__name", "name", "entries", "read_at")]
