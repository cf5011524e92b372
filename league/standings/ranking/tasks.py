"""Celery jobs of rankings: each takes an id, calls a service, and is safe to run twice, late or in
any order.

None waits for another one, nor works for longer than its time slice: what is left is called for again,
behind the jobs of other clubs. A ranking that another job works on is left to that one, which looks
again when it ends."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task

from league.core.jobs import SLICE_SECONDS, TimeSlice, call
from league.core.locks import Busy
from league.standings.ranking.queries.waiting import rankings_waiting, styles_waiting
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild
from league.standings.style.services import styles_read
from league.up.heartbeat import beat


@shared_task(ignore_result=True)
def count_ranking(ranking_id: int) -> None:
    """Count one portion of what a ranking has waiting: a club's results, for which others never
    wait long."""
    with suppress(Busy):
        ranking_count(ranking_id=ranking_id, time_slice=TimeSlice(0))
        _look_again(ranking_id)


@shared_task(ignore_result=True)
def count_backlog(ranking_id: int) -> None:
    """Count what a ranking has waiting after an import, or ratings to be computed again, for a
    time slice."""
    with suppress(Busy):
        ranking_count(ranking_id=ranking_id, time_slice=TimeSlice(SLICE_SECONDS))
        _look_again(ranking_id)


@shared_task(ignore_result=True)
def rebuild_ranking(ranking_id: int) -> None:
    """Carry out what is left of a ranking's rebuild, for a time slice."""
    with suppress(Busy):
        ranking_rebuild(ranking_id=ranking_id, time_slice=TimeSlice(SLICE_SECONDS))
        _look_again(ranking_id)


@shared_task(ignore_result=True)
def read_styles(ranking_id: int) -> None:
    """Add the games whose playing style isn't in a ranking's sums yet, for a time slice."""
    with suppress(Busy):
        styles_read(ranking_id=ranking_id, time_slice=TimeSlice(SLICE_SECONDS))
        _call_for_styles(ranking_id)


@shared_task(ignore_result=True)
def sweep_rankings() -> None:
    """Find rankings with work that no job was called for, or whose call was lost, and call
    again."""
    _call_for_counting()
    _call_for_styles()
    beat("sweep")


def _look_again(ranking_id: int) -> None:
    """Call for what is left of a ranking, or came meanwhile; once all is counted, for the playing
    styles."""
    if not _call_for_counting(ranking_id):
        _call_for_styles(ranking_id)


def _call_for_counting(ranking_id: int | None = None) -> bool:
    """Call for what rankings have waiting, each of them or one; whether there was anything."""
    waiting = rankings_waiting(ranking_id)
    for waiting_id, rebuilding in waiting:
        call(
            f"standings.ranking.tasks.{'rebuild_ranking' if rebuilding else 'count_backlog'}",
            waiting_id,
        )
    return bool(waiting)


def _call_for_styles(ranking_id: int | None = None) -> None:
    for waiting_id in styles_waiting(ranking_id):
        call("standings.ranking.tasks.read_styles", waiting_id)
