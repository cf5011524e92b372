"""Celery jobs that count games: each takes ids, calls a service, and is safe to run twice, late or in any order."""

import structlog
from celery import Task, shared_task

from games.models import Outbox
from league.rankings.queries.outbox import seasons_waiting
from league.rankings.services.season import SeasonBusy, season_count, season_rebuild

log = structlog.get_logger(__name__)


@shared_task(ignore_result=True)
def count_game(outbox_id: int) -> None:
    """Count a finished game, and whatever else its season has waiting. A busy season is left to the sweep."""
    row = Outbox.objects.filter(pk=outbox_id, done_at=None).values("game__season_game__season_id").first()
    if row is not None:
        count_season(row["game__season_game__season_id"])


@shared_task(ignore_result=True)
def count_season(season_id: int) -> None:
    """Count all that a season has waiting."""
    try:
        season_count(season_id=season_id)
    except SeasonBusy:
        log.info("season.busy", season=season_id)


@shared_task(bind=True, ignore_result=True, max_retries=None, default_retry_delay=5)
def rebuild_season(self: Task, season_id: int) -> None:
    """Compute a season's table and ratings anew; while the season is busy, try again."""
    try:
        season_rebuild(season_id=season_id)
    except SeasonBusy as busy:
        raise self.retry() from busy


@shared_task(ignore_result=True)
def sweep_rankings() -> None:
    """Find seasons whose games wait to be counted because a call was lost, and call again."""
    for season_id in seasons_waiting():
        count_season.delay(season_id)
