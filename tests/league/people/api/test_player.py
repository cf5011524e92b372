"""A player in a ranking, as programs read it: how the rating came along, and the rivals."""

from league.clubs.models import Player
from league.models import Season
from league.people.queries.player import seasons_of
from league.rankings.queries.player import history_of, rivals_of
from league.seasons.models import Visibility
from tests.factories.league import ClubFactory, SeasonFactory
from tests.league.frame.api.programs import code_of, get, play

SEASON = "/clubs/stern/seasons/autumn"


def test_the_ratings_of_a_player_come_day_by_day_the_latest_first(season: Season) -> None:
    for seed, day in enumerate(("2026-03-05", "2026-03-12", "2026-03-12")):
        play(season, seed, played_at=f"{day}T20:0{seed}:00+01:00")
    anna = Player.objects.get(handle="anna")
    days, _ = history_of(anna, season.ranking_id, 100)
    rows = get(f"{SEASON}/players/{anna.public_id}/ratings/").json()["results"]
    assert [(row["event"], row["day"], row["games"], row["mu"], row["sigma"]) for row in rows] == [
        (day.event, day.day and day.day.isoformat(), day.games, day.mu, day.sigma) for day in days[::-1]
    ]
    assert [row["day"] for row in rows] == ["2026-03-12", "2026-03-05"]
    (figures,) = seasons_of(anna, Season.objects.all())
    assert (rows[0]["mu"], sum(row["games"] for row in rows)) == (figures.mu, 3)
    page = get(f"{SEASON}/players/{anna.public_id}/ratings/?page_size=1").json()
    assert (page["results"], page["count"]) == (rows[:1], len(rows))


def test_rivals_are_those_whom_a_player_met(season: Season) -> None:
    play(season, 1, 2)
    anna = Player.objects.get(handle="anna")
    rows = get(f"{SEASON}/players/{anna.public_id}/rivals/").json()["results"]
    assert {row["player"]["handle"] for row in rows} == {"ben", "cleo"}
    assert [(row["player"]["id"], row["games"], row["ahead"], row["behind"]) for row in rows] == [
        (rival.player, rival.games, rival.ahead, rival.behind) for rival in rivals_of(anna, [season.ranking_id])
    ]


def test_a_player_of_a_season_that_one_may_not_see_is_not_there(season: Season) -> None:
    play(season, 1)
    anna = Player.objects.get(handle="anna")
    play(SeasonFactory.create(club=ClubFactory.create(slug="mond")), 2)
    stranger = Player.objects.get(club__slug="mond", handle="anna")
    for of in ("ratings", "rivals"):
        assert code_of(get(f"{SEASON}/players/{stranger.public_id}/{of}/")) == (404, "not_found")
        Season.objects.update(visibility=Visibility.MEMBERS)
        assert code_of(get(f"{SEASON}/players/{anna.public_id}/{of}/")) == (404, "not_found")
        Season.objects.update(visibility=Visibility.PUBLIC)
