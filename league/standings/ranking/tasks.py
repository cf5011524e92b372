"""Celery jobs of rankings. Each takes an id, calls a service, and may run twice, late or in any
order.

No job waits for another or works longer than its time slice; the rest is called for again, behind
the jobs of other clubs. A ranking that another job works on is left to that job, which looks again
when it ends."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task

from league.core.jobs import SLICE_SECONDS, TimeSlice, call
from league.core.locks import Busy
from league.core.sql import changed_tables_analyse
from league.standings.ranking.queries.waiting import rankings_waiting, styles_waiting
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild
from league.standings.style.services import styles_read
from league.up.heartbeat import beat


@shared_task(ignore_result=True)
def count_ranking(ranking_id: int) -> None:
    """Count one batch of a ranking's waiting games: a club's results, which must not hold up
    others."""
    with suppress(Busy):
        ranking_count(ranking_id=ranking_id, time_slice=TimeSlice(0))
        _call_for_counting(ranking_id)


@shared_task(ignore_result=True)
def count_backlog(ranking_id: int) -> None:
    """Count a ranking's games after an import, or compute outdated ratings, for a time slice."""
    with suppress(Busy):
        ranking_count(ranking_id=ranking_id, time_slice=TimeSlice(SLICE_SECONDS))
        if not _call_for_counting(ranking_id):
            changed_tables_analyse()


@shared_task(ignore_result=True)
def rebuild_ranking(ranking_id: int) -> None:
    """Carry out the rest of a ranking's rebuild, for a time slice."""
    with suppress(Busy):
        ranking_rebuild(ranking_id=ranking_id, time_slice=TimeSlice(SLICE_SECONDS))
        _call_for_counting(ranking_id)


@shared_task(ignore_result=True)
def read_styles(ranking_id: int) -> None:
    """Add games that a ranking's styles lack, for a time slice."""
    with suppress(Busy):
        styles_read(ranking_id=ranking_id, time_slice=TimeSlice(SLICE_SECONDS))
        _call_for_styles(ranking_id)


@shared_task(ignore_result=True)
def sweep_rankings() -> None:
    """Call jobs for rankings with work whose call was lost or never made.

    Nobody waits for styles, so counting doesn't call for them: they are read here, all games since
    the last sweep at once."""
    _call_for_counting()
    _call_for_styles()
    beat("sweep")


def _call_for_counting(ranking_id: int | None = None) -> bool:
    """Call jobs for rankings with games left to count, and return True if there are any."""
    waiting = rankings_waiting(ranking_id)
    for waiting_id, is_rebuilding in waiting:
        job = "rebuild_ranking" if is_rebuilding else "count_backlog"
        call(f"standings.ranking.tasks.{job}", waiting_id)
    return bool(waiting)


def _call_for_styles(ranking_id: int | None = None) -> None:
    for waiting_id in styles_waiting(ranking_id):
        call("standings.ranking.tasks.read_styles", waiting_id)
