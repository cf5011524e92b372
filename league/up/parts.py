"""The parts of the running service: their last heartbeats, and whether these are too long ago."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from league.queues import QUEUES
from league.up.models import Part

EXPECTED = ("web", "listener", "worker-counting", "worker-imports", "beat", "sweep")
"""The kinds of parts that the service always needs. `sweep`: a worker has looked for waiting games,
as beat asks every few seconds."""
SERVERS = ("postgres", "redis")  # the supervisor asks them: they send no heartbeat themselves
LATE = timedelta(seconds=30)
LATE_SWEEP = timedelta(seconds=QUEUES["counting"] + 60)  # it may wait for a job of this length
FORGOTTEN = timedelta(days=1)  # heartbeats as old are of a machine or container that is gone


@dataclass(frozen=True)
class PartHeartbeat:
    """A part with the seconds since its last heartbeat, and how often it was restarted."""

    name: str
    seconds: float
    deaths: int


@dataclass(frozen=True)
class PartState:
    """A part as operators see it: `seconds` since its last heartbeat, None if there was none."""

    kind: str
    name: str
    host: str
    seconds: float | None
    deaths: int

    @property
    def late(self) -> bool:
        """Return True if the last heartbeat is too long ago, or in the future because the clock was
        set back."""
        limit = (LATE_SWEEP if self.kind == "sweep" else LATE).total_seconds()
        return self.seconds is None or not -LATE.total_seconds() <= self.seconds <= limit


def parts_hear(*, host: str, heard: Sequence[PartHeartbeat]) -> None:
    """Store the last heartbeats of a machine's parts, and delete those of machines that are
    gone."""
    moment = timezone.now()
    rows = [
        Part(
            host=host,
            name=part.name,
            beat_at=moment - timedelta(seconds=part.seconds),
            deaths=part.deaths,
        )
        for part in heard
    ]
    with transaction.atomic():
        Part.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["host", "name"],
            update_fields=["beat_at", "deaths"],
        )
        Part.objects.filter(beat_at__lt=moment - FORGOTTEN).delete()


def parts_forget(*, host: str, names: Sequence[str] | None = None) -> None:
    """Delete the parts of a machine with these names, which were stopped on purpose; without
    `names`, all parts, which an earlier start has left."""
    rows = Part.objects.filter(host=host)
    if names is not None:
        rows = rows.filter(name__in=names)
    rows.delete()


def parts() -> list[PartState]:
    """Return the state of all parts with a heartbeat, and of expected parts without one."""
    moment = timezone.now()
    states = [
        PartState(
            kind_of(part.name),
            part.name,
            part.host,
            (moment - part.beat_at).total_seconds(),
            part.deaths,
        )
        for part in Part.objects.all()
    ]
    kinds = {state.kind for state in states}
    return states + [
        PartState(kind, name=kind, host="", seconds=None, deaths=0)
        for kind in EXPECTED
        if kind not in kinds
    ]


def missed(states: Sequence[PartState]) -> list[str]:
    """Return the kinds of parts without a current heartbeat, of those that are expected or have had
    a heartbeat before."""
    alive = {state.kind for state in states if not state.late}
    kinds = dict.fromkeys(
        [*EXPECTED, *(state.kind for state in states if state.kind not in SERVERS)]
    )
    return [kind for kind in kinds if kind not in alive]


def kind_of(name: str) -> str:
    """Return the kind of a part: `web` of `web-2`, `listener` of `web-2 listener`."""
    return re.sub(r"-\d+$", "", name.rpartition(" ")[2])
