"""Counting games into a season's table, ratings and styles.

The way of a game: its outbox row is claimed under the season's lock, folded by `engine.scoring`, `engine.rating` and
`engine.analysis`, the rows that changed are written, the version rises and NOTIFY tells the open pages. All of it is
one transaction, so a worker that dies leaves everything as it was. What is written depends on the facts alone: in
whatever order games arrive, however often a job runs, a rebuild gives the same rows to the last digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import structlog
from django.db import OperationalError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from games.models import Outbox
from league.rankings.models import Season, SeasonGame
from league.rankings.queries.seasongame import counting_games, players_of
from league.rankings.services.rating import ratings_drop, ratings_write
from league.rankings.services.standing import standings_add, standings_recount
from league.rankings.services.style import styles_add, styles_recount

log = structlog.get_logger(__name__)

LIVE_CHANNEL = "season"
LOCK_SPACE = 0x5EA5  # the first half of the advisory lock's key; the season's id is the second
LOCK_TIMEOUT = "3s"
PUSH_BACK = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1))


class SeasonBusy(Exception):
    """Another job counts this season at the moment; what waits will be found by it or by the sweep."""


def season_lock(season_id: int) -> None:
    """Take the season's lock until the transaction ends. Raises `SeasonBusy` after three seconds."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_TIMEOUT])
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK_SPACE, season_id])
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) == "55P03":  # lock_not_available
            raise SeasonBusy(season_id) from error
        raise


def season_count(*, season_id: int) -> int:
    """Count every game of the season that waits in the outbox; returns how many rows were finished.

    A row that fails is pushed back with its reason, and the others are counted without it. Raises `SeasonBusy`.
    """
    waiting = Outbox.objects.filter(done_at=None, due_at__lte=Now(), game__season_game__season=season_id)
    try:
        return _count(season_id, waiting.values_list("pk", flat=True))
    except SeasonBusy:
        raise
    except Exception:
        log.exception("season.count_failed", season=season_id)
    finished = 0
    for row_id in list(waiting.order_by("pk").values_list("pk", flat=True)):
        try:
            finished += _count(season_id, [row_id])
        except SeasonBusy:
            raise
        except Exception as error:
            _push_back(row_id, error)
    return finished


@transaction.atomic
def _count(season_id: int, row_ids: Iterable[int]) -> int:
    """Claim outbox rows and write what follows from them, as one transaction."""
    season_lock(season_id)
    rows = Outbox.objects.filter(pk__in=list(row_ids), done_at=None)
    game_ids = list(rows.values_list("game_id", flat=True))
    if not game_ids:
        return 0
    finished = rows.update(done_at=Now(), error="")
    season = Season.objects.select_related("club").get(pk=season_id)
    named = SeasonGame.objects.filter(game__in=game_ids).select_related("game")
    corrected = [row.game.replaces_id for row in named if row.game.replaces_id]
    new = list(counting_games(season).filter(game__in=game_ids, counted=False).select_related("game"))
    if corrected:
        touched = [*new, *SeasonGame.objects.filter(game__in=corrected)]
        # A game whose own row still waits will be added when that is claimed.
        counts = counting_games(season).filter(Q(counted=True) | Q(pk__in=[game.pk for game in new]))
        standings_recount(season, counts)
        styles_recount(season, counts, players_of(touched))
    else:
        touched = new
        standings_add(season, new)
        styles_add(season, new)
    if touched and season.rated:
        ratings_write(season, place=min((game.played_at, game.external_id) for game in touched))
    SeasonGame.objects.filter(pk__in=[game.pk for game in new]).update(counted=True)
    SeasonGame.objects.filter(game__in=corrected).update(counted=False)
    if touched:
        _announce(season)
    return finished


@transaction.atomic
def season_rebuild(*, season_id: int) -> None:
    """Compute the table, the ratings and the styles anew from the facts alone. Raises `SeasonBusy`."""
    season_lock(season_id)
    season = Season.objects.select_related("club").get(pk=season_id)
    counting = counting_games(season)
    standings_recount(season, counting)
    styles_recount(season, counting)
    if season.rated:
        ratings_write(season, place=None)
    else:
        ratings_drop(season)
    SeasonGame.objects.filter(season=season).exclude(pk__in=counting.values("pk")).update(counted=False)
    SeasonGame.objects.filter(pk__in=counting.values("pk")).update(counted=True)
    Outbox.objects.filter(done_at=None, game__season_game__season=season).update(done_at=Now(), error="")
    _announce(season)


def _announce(season: Season) -> None:
    """Raise the season's version and tell the pages that are open, once the transaction is committed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE league_season SET version = version + 1, computed_at = now(), last_day = %s WHERE id = %s"
            " RETURNING pg_notify(%s, id || ':' || version)",
            [season.last_day, season.pk, LIVE_CHANNEL],
        )


def _push_back(row_id: int, error: Exception) -> None:
    """Leave a failed row for later, with the reason; after the last delay it is reported as stuck each time."""
    row = Outbox.objects.get(pk=row_id)
    row.attempts += 1
    delay = PUSH_BACK[min(row.attempts, len(PUSH_BACK)) - 1]
    report = log.error if row.attempts >= len(PUSH_BACK) else log.warning
    report("outbox.pushed_back", row=row_id, game=row.game_id, attempts=row.attempts, error=repr(error))
    Outbox.objects.filter(pk=row_id, done_at=None).update(
        attempts=row.attempts, due_at=Now() + delay, error=repr(error)[:2000]
    )
