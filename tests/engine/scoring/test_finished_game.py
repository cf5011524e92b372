"""Games as a ranking counts them, and their order of play."""

import json
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from engine.illegal import Illegal
from engine.record.check import check
from engine.record.record import read
from engine.scoring.dated_tally import DatedTally
from engine.scoring.finished_game import (
    FinishedGame,
    dated_tallies,
    finished_game,
    in_order_of_play,
)
from engine.scoring.points import Scoring
from engine.scoring.tally import tally_of_game
from tests.engine.record.build import bids, game, outcome


def brought(
    value: dict[str, Any], scoring: Scoring = Scoring.CNTDICE
) -> FinishedGame | Illegal | None:
    record = read(json.dumps(value))
    assert not isinstance(record, Illegal)
    return finished_game(record, check(record), scoring)


def at(played_at: str | None, name: str) -> FinishedGame:
    instant = None if played_at is None else datetime.fromisoformat(played_at)
    return FinishedGame(name, instant, ("ada", "ben"), (1, 2), (10, 5), ("ada", "ben"))


DUEL = game(bids("5x4", "8x4", count=3), seats=2) | {
    "seats": ["ada", "ben"],
    "played_at": "2026-09-03t20:00:00z",
}


def test_a_finished_game_brings_what_the_scoring_says() -> None:
    instant = datetime.fromisoformat("2026-09-03T20:00:00+00:00")
    assert brought(DUEL) == FinishedGame(
        "g", instant, ("ada", "ben"), (1, 2), (10, 5), ("ada", "ben")
    )
    assert brought(DUEL, Scoring.PLACEMENT) == FinishedGame(
        "g", instant, ("ada", "ben"), (1, 2), (1, 0), ("ada", "ben")
    )


def test_a_game_that_is_not_over_brings_nothing() -> None:
    assert brought(game(bids("5x4", count=5), seats=2)) is None


def test_bluff_has_no_totals() -> None:
    wrong = brought(DUEL, Scoring.TOTALS)
    assert isinstance(wrong, Illegal)
    assert wrong.code == "bad_record"


def test_of_an_outcome_the_ranks_alone_count_by_placement_and_the_points_by_dice() -> None:
    ended = outcome([2, 1, 3], [10, 15, 6], scoring="cntdice")
    assert brought(ended, Scoring.PLACEMENT) == FinishedGame(
        "g", None, ("anna", "bea", "cem"), (2, 1, 3), (1, 2, 0), ("anna", "bea", "cem")
    )
    assert brought(ended) == FinishedGame(
        "g", None, ("anna", "bea", "cem"), (2, 1, 3), (10, 15, 6), ("anna", "bea", "cem")
    )


@pytest.mark.parametrize("untold", [outcome([2, 1, 3], scoring="cntdice"), outcome([2, 1, 3])])
def test_an_outcome_that_tells_no_points_by_dice_cannot_be_counted_by_them(
    untold: dict[str, Any],
) -> None:
    wrong = brought(untold)
    assert isinstance(wrong, Illegal)
    assert (wrong.code, wrong.path) == ("bad_record", "outcome.points")
    assert wrong.message == "only the end of the game is known, not its points by cntdice"


def test_games_are_in_order_of_their_instants_undated_ones_last_then_of_their_ids() -> None:
    games = [
        at(None, "a"),
        at("2026-09-03T20:30:00+02:00", "b"),
        at("2026-09-03T19:00:00+00:00", "c"),
        at("2026-09-03T21:00:00+02:00", "Z"),
        at(None, "B"),
    ]
    assert "".join(played.record_id for played in in_order_of_play(reversed(games))) == "bZcBa"


def test_tallies_are_by_handle_with_the_days_of_the_zone() -> None:
    games = [
        at("2026-09-03T22:30:00+00:00", "1"),
        at("2026-09-04T20:00:00+00:00", "2"),
        at(None, "3"),
    ]
    won = tally_of_game(1, 10)
    friday = date(2026, 9, 4)
    assert dated_tallies(games, ZoneInfo("Europe/Berlin"))["ada"] == DatedTally(
        won + won + won, won, friday
    )
    assert dated_tallies(games, ZoneInfo("UTC"))["ada"] == DatedTally(
        won + won + won, won + won, friday
    )
