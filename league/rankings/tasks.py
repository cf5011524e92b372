"""Celery jobs of rankings: each takes an id, calls a service, and is safe to run twice, late or in any order.

A ranking that another job works on is tried again soon, and never waited for: the worker is free for other clubs.
"""

from __future__ import annotations

from celery import Task, shared_task

from league.locks import Busy
from league.rankings.queries.waiting import rankings_waiting, styles_waiting
from league.rankings.services.counting import ranking_count
from league.rankings.services.rebuild import ranking_rebuild
from league.rankings.services.style import styles_read
from league.up.heartbeat import beat

RETRY_SECONDS = (0.1, 0.3, 1.0, 3.0)  # then the sweep finds it


@shared_task(bind=True, ignore_result=True, max_retries=len(RETRY_SECONDS))
def count_ranking(self: Task, ranking_id: int) -> None:
    """Count all that a ranking has waiting; then have it read how its players play, which no table waits for."""
    try:
        ranking_count(ranking_id=ranking_id)
    except Busy:
        _soon(self)
    else:
        read_styles.delay(ranking_id)


@shared_task(bind=True, ignore_result=True, max_retries=len(RETRY_SECONDS))
def rebuild_ranking(self: Task, ranking_id: int) -> None:
    """Carry out what is left of a ranking's rebuild."""
    try:
        ranking_rebuild(ranking_id=ranking_id)
    except Busy:
        _soon(self)


@shared_task(bind=True, ignore_result=True, max_retries=len(RETRY_SECONDS))
def read_styles(self: Task, ranking_id: int) -> None:
    """Add the games whose playing style isn't in a ranking's sums yet."""
    try:
        styles_read(ranking_id=ranking_id)
    except Busy:
        _soon(self)


@shared_task(ignore_result=True)
def sweep_rankings() -> None:
    """Find rankings with work that no job was called for, or whose call was lost, and call again."""
    for ranking_id, rebuilding in rankings_waiting():
        (rebuild_ranking if rebuilding else count_ranking).delay(ranking_id)
    for ranking_id in styles_waiting():
        read_styles.delay(ranking_id)
    beat("sweep")


def _soon(job: Task) -> None:
    """Try again after a short while; after the last try the sweep finds what is left."""
    tries = job.request.retries
    if tries < len(RETRY_SECONDS):
        raise job.retry(countdown=RETRY_SECONDS[tries])
