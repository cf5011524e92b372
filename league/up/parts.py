"""The parts of the running service: their last heartbeats, and whether these are too long ago."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from league.queues import QUEUES
from league.up.host import Host
from league.up.models import Part

EXPECTED = ("web", "listener", "worker-counting", "worker-imports", "beat", "sweep")
"""The kinds of parts that the service always needs. `sweep`: a worker has looked for waiting games,
as beat asks every few seconds."""
SERVERS = ("postgres", "redis")  # the supervisor asks them: they send no heartbeat themselves
SHARED = ("sweep",)  # one host does it for all
LATE = timedelta(seconds=30)
LATE_SWEEP = timedelta(seconds=QUEUES["counting"] + 60)  # it may wait for a job of this length
FORGOTTEN = timedelta(days=7)  # a host that nobody has missed for so long is gone for good


@dataclass(frozen=True)
class PartHeartbeat:
    """A part with the seconds since its last heartbeat, and how often it was restarted."""

    name: str
    seconds: float
    deaths: int


@dataclass(frozen=True)
class PartState:
    """A part as operators see it: `seconds` since its last heartbeat, None if there was none.
    `host` is None if no host has had such a part."""

    kind: str
    name: str
    host: Host | None
    seconds: float | None
    deaths: int

    @property
    def late(self) -> bool:
        """Return True if the last heartbeat is too long ago, or in the future because the clock was
        set back."""
        limit = (LATE_SWEEP if self.kind == "sweep" else LATE).total_seconds()
        return self.seconds is None or not -LATE.total_seconds() <= self.seconds <= limit


@dataclass(frozen=True)
class HostState:
    """A host with the kinds of its parts, and those that are missed."""

    host: Host
    kinds: list[str]
    missed: list[str]


def parts_hear(*, host: Host, heard: Sequence[PartHeartbeat]) -> None:
    """Store the last heartbeats of a host's parts, and delete those of hosts that are gone."""
    moment = timezone.now()
    rows = [
        Part(
            host_id=host.id,
            host=host.name,
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
            unique_fields=["host_id", "name"],
            update_fields=["host", "beat_at", "deaths"],
        )
        Part.objects.filter(beat_at__lt=moment - FORGOTTEN).delete()


def parts_forget(*, host_id: str, names: Sequence[str] | None = None) -> int:
    """Delete the parts of a host with these names, which were stopped on purpose; without `names`,
    all its parts. Return how many there were."""
    rows = Part.objects.filter(host_id=host_id)
    if names is not None:
        rows = rows.filter(name__in=names)
    return rows.delete()[0]


def all_parts_forget() -> None:
    """Delete all parts: a restored backup has those of the time when it was made."""
    Part.objects.all().delete()


def parts() -> list[PartState]:
    """Return the state of all parts with a heartbeat, and of expected parts without one."""
    moment = timezone.now()
    states = [
        PartState(
            kind_of(part.name),
            part.name,
            Host(part.host_id, part.host),
            (moment - part.beat_at).total_seconds(),
            part.deaths,
        )
        for part in Part.objects.all()
    ]
    kinds = {state.kind for state in states}
    return states + [
        PartState(kind, name=kind, host=None, seconds=None, deaths=0)
        for kind in EXPECTED
        if kind not in kinds
    ]


def hosts(states: Sequence[PartState]) -> list[HostState]:
    """Return the hosts that have been heard from, each with the kinds of parts that it has had, and
    those of them without a current heartbeat on it."""
    of_hosts: dict[str, tuple[Host, list[PartState]]] = {}
    for state in states:
        if state.host is not None:
            of_hosts.setdefault(state.host.id, (state.host, []))[1].append(state)
    return [_host_state(host, of_host) for host, of_host in of_hosts.values()]


def _host_state(host: Host, states: Sequence[PartState]) -> HostState:
    kinds = _kinds_of_host(states)
    return HostState(host, kinds, _missed_kinds(states, kinds))


def _kinds_of_host(states: Sequence[PartState]) -> list[str]:
    """Return the kinds of a host's parts that it can lose; the sweep may run on another one."""
    kinds = dict.fromkeys(state.kind for state in states)
    return [kind for kind in kinds if kind not in (*SERVERS, *SHARED)]


def _missed_kinds(states: Sequence[PartState], kinds: Sequence[str]) -> list[str]:
    alive = {state.kind for state in states if not state.late}
    return [kind for kind in kinds if kind not in alive]


def missed(states: Sequence[PartState]) -> list[str]:
    """Return the kinds of parts without a current heartbeat: expected ones that no host has, and
    those that one of the hosts has lost."""
    missing = _missed_kinds(states, EXPECTED)
    for host in hosts(states):
        missing += host.missed
    return list(dict.fromkeys(missing))


def kind_of(name: str) -> str:
    """Return the kind of a part: `web` of `web-2`, `listener` of `web-2 listener`."""
    return re.sub(r"-\d+$", "", name.rpartition(" ")[2])
