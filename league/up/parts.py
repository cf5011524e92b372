"""The parts of the running service: who was heard of, when, and whether that is too long ago."""

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
"""The kinds of parts without which something of the service stands still, wherever it runs.
`sweep`: a worker looked for what waits to be counted, as beat calls for every few seconds."""
SERVERS = ("postgres", "redis")  # asked, not heard of
LATE = timedelta(seconds=30)
LATE_SWEEP = timedelta(
    seconds=QUEUES["counting"] + 60
)  # it waits behind a job, which may take so long
FORGOTTEN = timedelta(days=1)  # of a machine or container that is no more


@dataclass(frozen=True)
class Heard:
    """A part with the seconds since its last heartbeat, and how often it was started again."""

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
        """True if it should have been heard of since, or says so of a time to come: the clock was
        put back."""
        limit = (LATE_SWEEP if self.kind == "sweep" else LATE).total_seconds()
        return self.seconds is None or not -LATE.total_seconds() <= self.seconds <= limit


def parts_hear(*, host: str, heard: Sequence[Heard]) -> None:
    """Write down when the parts of a machine were last heard of, and forget those of machines that
    are no more."""
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
    """Forget parts of a machine that were stopped on purpose, or (None) all that an earlier start
    has left there."""
    parts_there = Part.objects.filter(host=host)
    (parts_there if names is None else parts_there.filter(name__in=names)).delete()


def parts() -> list[PartState]:
    """All parts that were heard of, and those that are missed."""
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
    return states + [PartState(kind, kind, "", None, 0) for kind in EXPECTED if kind not in kinds]


def missed(states: Sequence[PartState]) -> list[str]:
    """The kinds of which no part was heard of lately: those that are expected, and those that were
    heard of before."""
    alive = {state.kind for state in states if not state.late}
    kinds = dict.fromkeys(
        [*EXPECTED, *(state.kind for state in states if state.kind not in SERVERS)]
    )
    return [kind for kind in kinds if kind not in alive]


def kind_of(name: str) -> str:
    """The kind of a part: `web` of `web-2`, `listener` of `web-2 listener`."""
    return re.sub(r"-\d+$", "", name.rpartition(" ")[2])
