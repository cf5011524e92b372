"""Rankings that were rated before a shared place counted as the mean of its orders."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.apps import apps
from django.db.models import F

from league.core import sql
from league.models import LogEntry, Ranking, Rating, RatingChange, Season
from league.site.health.receivers import rankings_rate
from league.standings.ranking.tasks import count_backlog
from league.standings.rating.services import rating
from league.standings.rating.services.ties import ties_average
from tests.factories.counted import add_games, counted_season
from tests.factories.derived import derived, ranking_differences
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, outcome_of

pytestmark = pytest.mark.django_db
SEATS = ("anna", "ben", "cleo", "dario")


def game(number: int, *rank: int) -> dict[str, Any]:
    record = bluff_record(number, seats=SEATS, played_at=f"2026-09-{number:02}T17:00:00+00:00")
    return outcome_of(record) | {"outcome": {"rank": rank}}


STRICT = [game(1, 1, 2, 3, 4), game(2, 2, 1, 4, 3)]
SHARED = [game(3, 1, 2, 2, 4), game(4, 4, 3, 2, 1), game(5, 1, 2, 2, 2), game(6, 2, 1, 3, 4)]


@pytest.fixture
def season(db: None) -> Season:
    return counted_season([*STRICT, *SHARED], scoring="placement")


def rate_as_before(season: Season) -> None:
    """Let the ranking have other ratings from the first game with a shared place on, as an earlier
    version left it."""
    names = [record["id"] for record in SHARED]
    changed = RatingChange.objects.filter(ranking=season.ranking_id, game__external_id__in=names)
    assert sql.execute(
        "UPDATE league_ratingchange change SET seats = ("
        " SELECT array_agg(ARRAY[seats[i][1] + 1, seats[i][2], seats[i][3] + 1, seats[i][4]] "
        "ORDER BY i)"
        " FROM generate_subscripts(seats, 1) i)"
        " WHERE ranking_id = %s AND game_id = ANY(%s)",
        [season.ranking_id, list(changed.values_list("game", flat=True))],
    ) == len(SHARED)
    Rating.objects.filter(ranking=season.ranking_id).update(mu=F("mu") + 1)
    Ranking.objects.filter(pk=season.ranking_id).update(ties_averaged=False)


def upgrade() -> None:
    rankings_rate(sender=apps.get_app_config("league"))


def test_a_ranking_of_before_is_rated_anew_once_and_its_log_says_why(season: Season) -> None:
    right = derived(season.ranking)
    rate_as_before(season)
    for _ in range(2):
        upgrade()
    entry = LogEntry.objects.get(action="ranking.rerated")
    assert (entry.club, entry.subject) == (season.club, season.ranking.public_id)
    season.ranking.refresh_from_db()
    assert season.ranking.rated_from is not None
    assert season.ranking.rated_from.isoformat() == SHARED[0]["played_at"]
    count_backlog(season.ranking_id)
    assert derived(season.ranking) == right
    upgrade()
    assert LogEntry.objects.filter(action="ranking.rerated").count() == 1
    season.ranking.refresh_from_db()
    assert season.ranking.rated_from is None


def test_it_is_rated_in_portions_and_goes_on_where_it_was_killed(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = derived(season.ranking)
    rate_as_before(season)
    upgrade()
    monkeypatch.setattr(rating, "BATCH", 1)
    monkeypatch.setattr("league.standings.ranking.tasks.SLICE_SECONDS", 0)
    places: list[datetime | None] = []
    while season.ranking.rated_from is not None or not places:
        count_backlog(season.ranking_id)
        season.ranking.refresh_from_db()
        places.append(season.ranking.rated_from)
    assert len(places) == len(SHARED)
    assert derived(season.ranking) == right


def test_until_then_no_audit_takes_the_old_ratings_for_forged(season: Season) -> None:
    rate_as_before(season)
    assert list(ranking_differences(season.ranking_id)) != []
    upgrade()
    assert list(ranking_differences(season.ranking_id)) == []


def test_ratings_that_wait_already_from_an_earlier_game_on_wait_from_there(season: Season) -> None:
    right = derived(season.ranking)
    rate_as_before(season)
    first, name = sql.row(
        (
            "SELECT played_at, natural_id FROM league_rankedgame WHERE ranking_id = %s ORDER BY "
            "played_at LIMIT 1"
        ),
        [season.ranking_id],
    )
    Ranking.objects.filter(pk=season.ranking_id).update(rated_from=first, rated_from_id=name)
    upgrade()
    season.ranking.refresh_from_db()
    assert season.ranking.rated_from == first
    count_backlog(season.ranking_id)
    assert derived(season.ranking) == right


def test_where_no_place_was_shared_or_nobody_is_rated_nothing_is_done(season: Season) -> None:
    strict = counted_season(STRICT, scoring="placement")
    unrated = SeasonFactory.create(scoring="placement", rated=False)
    add_games(unrated, SHARED)
    Ranking.objects.filter(pk__in=[strict.ranking_id, unrated.ranking_id]).update(
        ties_averaged=False
    )
    ties_average()
    assert not LogEntry.objects.filter(action="ranking.rerated").exists()
    assert not Ranking.objects.filter(rated_from__isnull=False).exists()
    assert not Ranking.objects.filter(ties_averaged=False).exists()
