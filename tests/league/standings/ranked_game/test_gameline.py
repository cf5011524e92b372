"""Games in lists."""

import pytest

from engine.bluff.track import TEXT
from games.models import Game
from league.disputes.correction.services import game_correct
from league.models import Season
from league.standings.ranked_game.domain.gameline import GameLine
from league.standings.ranked_game.queries.gameline import game_page, latest_games
from league.standings.ranking.services.counting import ranking_count
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db


def listed(season: Season) -> list[GameLine]:
    return game_page([season.ranking_id], 100).games


def test_the_latest_come_first_and_those_without_a_time_last() -> None:
    untimed = bluff_record(9)
    del untimed["played_at"]
    season = counted_season([bluff_record(2), untimed, bluff_record(7), bluff_record(1)])
    assert [game.external_id for game in listed(season)] == ["game-7", "game-2", "game-1", "game-9"]


def test_seats_stand_in_the_order_of_the_result() -> None:
    season = counted_season([bluff_record(0, seats=["anna", "ben", "cleo", "dario"])])
    (game,) = listed(season)
    ranks = [seat["rank"] for seat in game.seats]
    assert ranks == sorted(ranks, key=lambda rank: rank or 0)
    assert ranks[0] == 1
    assert sorted(seat["name"] for seat in game.seats) == ["anna", "ben", "cleo", "dario"]


def test_the_others_are_those_who_did_not_win_and_all_while_nobody_has() -> None:
    season = counted_season(
        [bluff_record(0, seats=["anna", "ben", "cleo"]), bluff_record(1, rounds=1)]
    )
    going, over = listed(season)
    assert over.others == [seat["name"] for seat in over.seats[1:]]
    assert sorted(going.others) == ["anna", "ben", "cleo"]


def test_the_boldest_round_is_the_one_whose_last_bid_went_farthest() -> None:
    rounds = [
        {"moves": ["2x3", "3x3", "!"], "count": 1},
        {"moves": ["1x5", "4x*", "!"], "count": 1},
        {"moves": ["7x2", "!"], "count": 6},
    ]
    season = counted_season(
        [
            bluff_record(0, level="bids", rounds=0, seats=["a", "b", "c", "d"], opener=0)
            | {"rounds": rounds}
        ]
    )
    assert not latest_games([season.ranking_id], 5)  # it isn't over, so it doesn't count yet
    finished = counted_season([bluff_record(1, level="bids")])
    (game,) = latest_games([finished.ranking_id], 5)
    bids = [round_["moves"][:-1] for round_ in bluff_record(1, level="bids")["rounds"]]
    assert [TEXT[bid] for bid in game.bids] == max(bids, key=lambda moves: farness(moves[-1]))


def farness(bid: str) -> tuple[int, str]:
    """A place on the track by ruling B1: star field k directly before number field 2k."""
    count, face = bid.split("x")
    return (4 * int(count) - 1, "") if face == "*" else (2 * int(count), face)


def test_games_without_bids_have_no_track() -> None:
    season = counted_season([bluff_record(0, level="result")])
    (game,) = latest_games([season.ranking_id], 5)
    assert game.bids == ()


def test_a_corrected_game_is_listed_once_as_it_is_now() -> None:
    season = counted_season([bluff_record(0, table="1")])
    game = Game.objects.get()
    game_correct(game=game, line=line(bluff_record(0, table="2")), reason="The table was wrong.")
    ranking_count(ranking_id=season.ranking_id)
    assert [game.table for game in listed(season)] == ["2"]
