"""Auditing a club passage by passage, each in a snapshot of its own: work goes on meanwhile, and
the database can clear away old rows. Nothing that is verified is written.

How far an audit has come stands in its row, so that one whose worker dies goes on from there. What
it finds is kept, for the page that operators look at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from re import Pattern
from typing import Final

from django.db.models import F
from django.db.models.functions import Now

from games.domain.difference import Checkpoint, Difference
from league.core.jobs import SLICE_SECONDS, TimeSlice
from league.core.locks import Busy, Space, session_lock
from league.core.sql import snapshot
from league.site.audit.models import Audit
from league.site.audit.queries.club import FIRST, Section, section_behind

KEPT: Final = 200
"""Differences that are kept of an audit; the others are counted."""
ATTEMPTS: Final = 3
"""Time slices in which a worker may die at the same place before the audit ends."""
OVERDUE: Final = timedelta(hours=23)
"""An audit that hasn't ended by then is given up for a new one."""


def club_audit(*, club_id: int, styles: bool = True) -> list[Difference]:
    """Audit a club and keep what was found. `styles`: playing styles, too, which takes some ten
    times as long."""
    audit = Audit.objects.create(club_id=club_id, styles=styles)
    differences: list[Difference] = []
    with session_lock(Space.AUDIT, audit.pk):
        while _continue(audit, TimeSlice(SLICE_SECONDS), differences):
            pass
    return differences


def audit_ask(*, club_id: int) -> None:
    """Begin an audit of a club for jobs to carry out, unless one runs that isn't overdue; that one
    is given up."""
    running = Audit.objects.filter(club=club_id, ended_at=None)
    running.filter(started_at__lt=Now() - OVERDUE).update(
        ended_at=Now(), error="It hadn't ended when the next one was due."
    )
    if not running.exists():
        Audit.objects.create(club_id=club_id)


def audits_continue(*, club_id: int, time_slice: TimeSlice) -> bool:
    """Carry out the oldest audit of a club that nobody else works on, for a time slice; True if any is
    left for the next one."""
    running = Audit.objects.filter(club=club_id, ended_at=None)
    for audit_id in list(running.order_by("pk").values_list("pk", flat=True)):
        with suppress(Busy), session_lock(Space.AUDIT, audit_id):
            audit = running.filter(pk=audit_id).first()
            if audit is not None:
                return _continue(audit, time_slice, []) or running.exists()
    return False


def _continue(audit: Audit, time_slice: TimeSlice, differences: list[Difference]) -> bool:
    """Verify passages until the time slice is over, and note how far the audit has come; whether
    anything is left. What is found is added to `differences`."""
    row = Audit.objects.filter(pk=audit.pk)
    if audit.attempts >= ATTEMPTS:
        row.update(
            ended_at=Now(), error=f"Its worker died {ATTEMPTS} times at {audit.progress}"[:2000]
        )
        return False
    row.update(attempts=F("attempts") + 1, resumed=F("resumed") + (1 if audit.attempts else 0))
    fresh: list[Difference] = []
    progress: Checkpoint | None = audit.progress
    try:
        for batch, place in verify_club(audit.club_id, audit.progress, styles=audit.styles):
            fresh += batch
            progress = place
            if time_slice.is_over():
                break
    except Exception as error:
        row.update(ended_at=Now(), error=repr(error)[:2000])
        raise
    differences += fresh
    _keep(audit, progress, fresh)
    return progress is not None


def _keep(audit: Audit, progress: Checkpoint | None, fresh: Sequence[Difference]) -> None:
    """Note what a time slice has found, and how far the audit has come with it; None: to its end."""
    found = audit.progress.get("found", 0) + len(fresh)
    audit.attempts, audit.progress = 0, {**(progress or {}), "found": found}
    audit.differences += [
        difference.as_json() for difference in fresh[: KEPT - len(audit.differences)]
    ]
    columns = {"attempts": 0, "progress": audit.progress, "differences": audit.differences}
    end = {"ended_at": Now(), "found": found} if progress is None else {}
    Audit.objects.filter(pk=audit.pk).update(**columns, **end)


def verify_club(
    club_id: int, progress: Checkpoint, *, styles: bool
) -> Iterator[tuple[list[Difference], Checkpoint | None]]:
    """Go on verifying a club: the differences of each passage, and the progress with it; None: all
    is verified."""
    section: Section | None = Section(*progress.get("section", FIRST))
    checkpoint: Checkpoint | None = progress.get("bookmark", {})
    while section is not None:
        with snapshot():
            differences, checkpoint = section.verify(club_id, checkpoint or {}, styles=styles)
        if checkpoint is None:
            section = section_behind(club_id, section)
        yield differences, section and {"section": section, "bookmark": checkpoint or {}}


def audits_forget(club_id: int, names: Pattern[str]) -> None:
    """Drop the differences of audits that tell such a name; how many there were stays."""
    for audit in Audit.objects.filter(club=club_id):
        if names.search(json.dumps(audit.differences, ensure_ascii=False) + audit.error):
            Audit.objects.filter(pk=audit.pk).update(differences=[], error="")
