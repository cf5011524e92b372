"""Two players who are one: the tables are those of one player, and undoing it gives back what
was."""

from typing import Any

import psycopg
import pytest
from django.core.exceptions import ValidationError
from psycopg.rows import TupleRow

from engine.illegal import Refused
from games.models import Game
from league.core.locks import Busy, Space
from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.core.player.queries.player import players_of_handles
from league.core.player.queries.verification import player_differences
from league.disputes.correction.services import game_correct
from league.models import (
    Appearance,
    LogEntry,
    Player,
    Ranking,
    Rating,
    RatingChange,
    Season,
    Standing,
    Style,
)
from league.records.file.services import record_import
from league.standings.player.services import player_merge, player_part
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.season.services.season import all_time_create
from league.standings.standing.queries.standing import table_rows
from league.standings.style.services import styles_read
from tests.factories.counted import add_games, counted_season
from tests.factories.league import ClubFactory, PlayerFactory, SeasonFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db

CACHES = (Appearance, Standing, Rating, RatingChange, Style)


def records(*, annika: str = "annika") -> list[dict[str, Any]]:
    """Seven games in which somebody sits as anna, and later as `annika`."""
    handles = ["anna", "anna", annika, "anna", annika, annika, annika]
    return [
        bluff_record(seed, seats=(handle, "ben", "cleo")) for seed, handle in enumerate(handles)
    ]


@pytest.fixture
def season() -> Season:
    return counted_season(records())


def player(handle: str) -> Player:
    return Player.objects.select_related("club").get(handle=handle)


def settle() -> None:
    """Do what the jobs are called for."""
    for ranking_id in Ranking.objects.values_list("pk", flat=True):
        ranking_rebuild(ranking_id=ranking_id)
        styles_read(ranking_id=ranking_id)


def merge(kept: str = "anna", merged: str = "annika") -> None:
    player_merge(kept_player=player(kept), merged=player(merged), actor=Actor())
    settle()


def part(merged: str = "annika") -> None:
    player_part(merged=player(merged), actor=Actor())
    settle()


def table(season: Season) -> list[tuple[Any, ...]]:
    """Every figure of a table but the ids, which are drawn at random."""
    return [
        (
            row.rank,
            row.rank_before,
            row.handle,
            row.games,
            row.wins,
            row.points,
            row.best,
            row.mu,
            row.sigma,
            row.recent,
        )
        for row in table_rows(season.ranking)
    ]


def caches() -> list[Any]:
    """Every row that follows from the games."""
    return [list(model.objects.order_by("pk").values()) for model in CACHES]


def styles() -> dict[str, int]:
    return dict(Style.objects.values_list("player__handle", "decisions"))


def refusal(kept: Player, merged: Player) -> str:
    """The code with which two aren't merged."""
    with pytest.raises(Refused) as refused:
        player_merge(kept_player=kept, merged=merged, actor=Actor())
    return refused.value.illegal.code


def test_the_table_is_as_if_played_under_one_handle(season: Season) -> None:
    merge()
    other = counted_season(records(annika="anna"), slug="other")
    assert table(season) == table(other)
    assert {row.handle for row in table_rows(season.ranking)} == {"anna", "ben", "cleo"}


def test_playing_styles_are_added_up(season: Season) -> None:
    apart = styles()
    merge()
    assert styles()["anna"] == apart["anna"] + apart["annika"]
    assert "annika" not in styles()


def test_undoing_it_gives_back_what_was_to_the_last_digit(season: Season) -> None:
    before = caches()
    merge()
    assert caches() != before
    part()
    assert caches() == before


def test_the_games_of_a_merged_player_are_counted_in_every_ranking(season: Season) -> None:
    all_time_create(club=season.club, actor=Actor())
    second = SeasonFactory.create(club=season.club)
    untouched = counted_season([bluff_record(50, seats=("ben", "cleo"))], club=season.club)
    add_games(second, [bluff_record(40, seats=("annika", "ben"))])
    settle()
    untouched.ranking.refresh_from_db()
    version = untouched.ranking.version
    merge()
    games = Standing.objects.filter(player=player("anna")).values_list(
        "ranking__season__slug", "games"
    )
    assert dict(games) == {season.slug: 7, second.slug: 1, None: 8}
    untouched.ranking.refresh_from_db()
    assert untouched.ranking.version == version


def test_what_comes_afterwards_agrees_with_a_rebuild(season: Season) -> None:
    merge()
    add_games(
        season,
        [bluff_record(20, seats=("ANNIKA", "ben")), bluff_record(21, seats=("anna", "cleo"))],
    )
    counted = caches()
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    settle()
    assert caches() == counted
    assert {row.handle: row.games for row in table_rows(season.ranking)}["anna"] == 9


def test_what_came_while_they_were_merged_goes_back_by_handle(season: Season) -> None:
    merge()
    add_games(season, [bluff_record(20, seats=("annika", "ben"))])
    part()
    assert {row.handle: row.games for row in table_rows(season.ranking)} == {
        "anna": 3,
        "annika": 5,
        "ben": 8,
        "cleo": 7,
    }


def test_a_game_that_waits_is_counted_for_the_one_who_is_kept(season: Season) -> None:
    record_import(season=season, line=line(bluff_record(20, seats=("annika", "ben"))))
    merge()
    assert {row.handle: row.games for row in table_rows(season.ranking)}["anna"] == 8


def test_merges_follow_one_another_and_each_is_undone_exactly(season: Season) -> None:
    add_games(season, [bluff_record(30, seats=("anni", "ben"))])
    before = caches()
    merge("anna", "annika")
    between = caches()
    merge("anni", "anna")
    assert players_of_handles(season.club_id, ["anna", "annika", "anni"]) == [player("anni").pk] * 3
    assert set(
        Player.objects.exclude(merged_into=None).values_list("merged_into__handle", flat=True)
    ) == {"anni"}
    part("anna")
    assert caches() == between
    assert player("annika").merged_into == player("anna")
    part("annika")
    assert caches() == before


def test_the_one_in_the_middle_can_stay_when_the_first_goes(season: Season) -> None:
    add_games(season, [bluff_record(30, seats=("anni", "ben"))])
    merge("anna", "annika")
    merge("anni", "anna")
    part("annika")
    assert players_of_handles(season.club_id, ["anna", "annika"]) == [
        player("anni").pk,
        player("annika").pk,
    ]


def test_two_who_sat_in_one_game_are_not_one(season: Season) -> None:
    assert refusal(player("anna"), player("ben")) == "sat_together"
    merge("anna", "annika")
    add_games(season, [bluff_record(31, seats=("annika", "zoe"))])
    assert refusal(player("zoe"), player("anna")) == "sat_together", "as annika she sat with zoe"


def test_a_corrected_game_counts_for_nothing_here_either(season: Season) -> None:
    add_games(season, [bluff_record(31, seats=("anna", "dora"))])
    assert refusal(player("anna"), player("dora")) == "sat_together"
    record = bluff_record(31, seats=("ben", "dora"))
    game_correct(
        game=Game.objects.get(external_id=record["id"]), line=line(record), reason="the wrong seat"
    )
    merge("anna", "dora")


def test_what_else_is_refused(season: Season) -> None:
    anna, annika = player("anna"), player("annika")
    assert refusal(anna, anna) == "same_player"
    assert refusal(anna, PlayerFactory.create()) == "other_club"
    with pytest.raises(Refused, match="isn't merged"):
        player_part(merged=annika, actor=Actor())
    with pytest.raises(ValidationError, match="leave the person"):
        player_merge(kept_player=anna, merged=annika, actor=Actor(reason="Annika is Anna"))
    merge()
    zoe = PlayerFactory.create(club=season.club, handle="zoe")
    assert refusal(zoe, player("annika")) == refusal(player("annika"), zoe) == "merged_already"


def test_merges_are_logged(season: Season) -> None:
    merge()
    part()
    entries = LogEntry.objects.filter(action__in=[PlayerAction.MERGED, PlayerAction.PARTED])
    anna, annika = player("anna").public_id, player("annika").public_id
    assert [(entry.subject, entry.payload, entry.names) for entry in entries] == [
        (annika, f'{{"into":"{anna}"}}', None),
        (annika, f'{{"from":"{anna}"}}', None),
    ]


@pytest.mark.django_db(transaction=True)
def test_nobody_is_merged_while_games_are_being_seated(owner: psycopg.Connection[TupleRow]) -> None:
    """Whoever seats players holds them together with others; a merge waits for a while, and changes
    nothing then."""
    club = ClubFactory.create()
    anna, annika = (PlayerFactory.create(club=club, handle=handle) for handle in ("anna", "annika"))
    owner.execute("SELECT pg_advisory_lock_shared(%s, %s)", [Space.PLAYERS, club.pk])
    with pytest.raises(Busy):
        player_merge(kept_player=anna, merged=annika, actor=Actor())
    assert not Player.objects.exclude(same_as=None).exists()
    owner.execute("SELECT pg_advisory_unlock_all()")
    player_merge(kept_player=anna, merged=annika, actor=Actor())
    assert annika.merged_into == anna


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "change",
    [
        "same_as_id = NULL, merged_into_id = NULL",
        "same_as_id = (SELECT id FROM league_player WHERE handle = 'cleo')",
        "merged_into_id = (SELECT id FROM league_player WHERE handle = 'cleo')",
    ],
)
def test_an_audit_names_who_is_somebody_else_than_the_log_says(
    season: Season, forger: psycopg.Connection[TupleRow], change: str
) -> None:
    merge()
    assert list(player_differences(season.club_id)) == []
    forger.execute(f"UPDATE league_player SET {change} WHERE handle = 'annika'".encode())
    found = {difference.row for difference in player_differences(season.club_id)}
    assert found == {player("annika").public_id}
