"""Auditing a club batch by batch, each in a snapshot of its own, so that work goes on meanwhile and
the database can clear away old rows. Nothing that is verified is written.

An audit's progress is stored in its row, so that another worker can go on if one dies. Its findings
are kept for the page of the operators."""

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
from league.site.audit.queries.club import FIRST, Section, section_after

KEPT: Final = 200
"""The most differences of an audit that are kept; further ones are only counted."""
ATTEMPTS: Final = 3
"""If workers die in so many time slices at the same place, the audit is given up."""
OVERDUE: Final = timedelta(hours=23)
"""An audit that hasn't ended after this time is given up for a new one."""


def club_audit(*, club_id: int, styles: bool = True) -> list[Difference]:
    """Audit a club now; store and return the differences. `styles`: audit playing styles, too,
    which takes about ten times as long."""
    audit = Audit.objects.create(club_id=club_id, styles=styles)
    differences: list[Difference] = []
    with session_lock(Space.AUDIT, audit.pk):
        while _work_on(audit, TimeSlice(SLICE_SECONDS), differences):
            pass
    return differences


def audit_ask(*, club_id: int) -> None:
    """Create an audit of a club, which jobs carry out, unless one is running. An overdue audit is
    given up first."""
    running = Audit.objects.filter(club=club_id, ended_at=None)
    running.filter(started_at__lt=Now() - OVERDUE).update(
        ended_at=Now(), error="It hadn't ended when the next one was due."
    )
    if not running.exists():
        Audit.objects.create(club_id=club_id)


def audits_continue(*, club_id: int, time_slice: TimeSlice) -> bool:
    """Continue the club's oldest audit that no other worker has, for one time slice. Return True if
    work is left."""
    running = Audit.objects.filter(club=club_id, ended_at=None)
    for audit_id in list(running.order_by("pk").values_list("pk", flat=True)):
        with suppress(Busy), session_lock(Space.AUDIT, audit_id):
            audit = running.filter(pk=audit_id).first()
            if audit is not None:
                return _work_on(audit, time_slice, differences=[]) or running.exists()
    return False


def _work_on(audit: Audit, time_slice: TimeSlice, differences: list[Difference]) -> bool:
    """Verify batches until the time slice is over, and store the progress. Extend `differences`;
    return True if work is left."""
    audit_row = Audit.objects.filter(pk=audit.pk)
    if audit.attempts >= ATTEMPTS:
        error = f"Its worker died {ATTEMPTS} times at {audit.progress}"
        audit_row.update(ended_at=Now(), error=error[:2000])
        return False

    audit_row.update(
        attempts=F("attempts") + 1, resumed=F("resumed") + (1 if audit.attempts else 0)
    )
    new_differences: list[Difference] = []
    progress: Checkpoint | None = audit.progress
    try:
        for batch, progress_after in verify_club(
            audit.club_id, audit.progress, styles=audit.styles
        ):
            new_differences += batch
            progress = progress_after
            if time_slice.is_over():
                break
    except Exception as error:
        audit_row.update(ended_at=Now(), error=repr(error)[:2000])
        raise
    differences += new_differences
    _store_progress(audit, progress, new_differences)
    return progress is not None


def _store_progress(
    audit: Audit, progress: Checkpoint | None, differences: Sequence[Difference]
) -> None:
    difference_count = audit.progress.get("found", 0) + len(differences)
    differences_to_store = differences[: KEPT - len(audit.differences)]
    audit.attempts = 0
    audit.progress = {**(progress or {}), "found": difference_count}
    audit.differences += [difference.as_json() for difference in differences_to_store]

    columns = {"attempts": 0, "progress": audit.progress, "differences": audit.differences}
    end = {"ended_at": Now(), "found": difference_count} if progress is None else {}
    Audit.objects.filter(pk=audit.pk).update(**columns, **end)


def verify_club(
    club_id: int, progress: Checkpoint, *, styles: bool
) -> Iterator[tuple[list[Difference], Checkpoint | None]]:
    """Verify a club from the given progress on. Yield the differences of each batch with the
    progress after it, which is None after the last batch."""
    section: Section | None = Section(*progress.get("section", FIRST))
    checkpoint: Checkpoint | None = progress.get("bookmark", {})
    while section is not None:
        with snapshot():
            batch = section.verify(club_id, checkpoint or {}, styles=styles)
        checkpoint = batch.checkpoint
        if checkpoint is None:
            section = section_after(club_id, section)

        if section is None:
            yield batch.differences, None
        else:
            yield batch.differences, {"section": section, "bookmark": checkpoint or {}}


def audits_forget(club_id: int, name_pattern: Pattern[str]) -> None:
    """Delete the differences and errors of audits that contain a name; the number of differences
    stays."""
    for audit in Audit.objects.filter(club=club_id):
        if name_pattern.search(json.dumps(audit.differences, ensure_ascii=False) + audit.error):
            Audit.objects.filter(pk=audit.pk).update(differences=[], error="")
