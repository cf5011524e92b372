"""Tallies with the day of play: what a table was before its last day, whatever order the games come
in."""

from datetime import date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.dated_tally import DatedTally, day_of, last_day, ranks_before
from engine.scoring.standings import Criterion, table
from engine.scoring.tally import Tally, tally_of_game

ORDER = [Criterion.POINTS, Criterion.WINS, Criterion.BEST_GAME]
MONDAY = date(2026, 9, 7)
TUESDAY = MONDAY + timedelta(days=1)

DatedGame = tuple[date | None, str, Tally]
days = st.none() | st.integers(0, 3).map(lambda days: MONDAY + timedelta(days=days))
seasons = st.lists(
    st.tuples(
        days,
        st.sampled_from("abcd"),
        st.builds(tally_of_game, st.integers(1, 4), st.integers(0, 20)),
    ),
    max_size=16,
)


def rows_of(games: list[DatedGame]) -> dict[str, DatedTally]:
    rows: dict[str, DatedTally] = {}
    for day, player, tally in games:
        rows[player] = rows.get(player, DatedTally()).add(day, tally)
    return rows


def recount(games: list[DatedGame]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for _, player, tally in games:
        found[player] = found.get(player, Tally()) + tally
    return found


def won(points: int) -> Tally:
    return tally_of_game(1, points)


def test_a_game_of_a_new_day_leaves_the_days_before_it_behind() -> None:
    row = DatedTally().add(MONDAY, won(5)).add(MONDAY, won(6)).add(TUESDAY, won(7))
    assert row == DatedTally(total=won(5) + won(6) + won(7), before=won(5) + won(6), day=TUESDAY)


def test_a_game_that_arrives_late_counts_on_its_own_day() -> None:
    assert DatedTally().add(TUESDAY, won(7)).add(MONDAY, won(5)) == DatedTally(
        won(5) + won(7), won(5), TUESDAY
    )


def test_games_without_a_date_count_as_played_before_any_day() -> None:
    assert DatedTally().add(MONDAY, won(5)).add(None, won(6)) == DatedTally(
        won(5) + won(6), won(6), MONDAY
    )
    assert DatedTally().add(None, won(6)) == DatedTally(won(6), Tally(), None)


def test_who_did_not_play_on_the_last_day_had_all_games_before_it() -> None:
    rows = {
        "ada": DatedTally().add(MONDAY, won(5)),
        "ben": DatedTally().add(MONDAY, won(3)).add(TUESDAY, won(9)),
    }
    assert last_day(rows) == TUESDAY
    assert {player: row.until(TUESDAY) for player, row in rows.items()} == {
        "ada": won(5),
        "ben": won(3),
    }
    assert ranks_before(rows, TUESDAY, ORDER) == {"ada": 1, "ben": 2}


def test_who_is_new_on_the_last_day_had_no_rank() -> None:
    rows = {"ada": DatedTally().add(MONDAY, won(5)), "ben": DatedTally().add(TUESDAY, won(9))}
    assert ranks_before(rows, TUESDAY, ORDER) == {"ada": 1}


def test_on_the_first_day_nobody_had_a_rank() -> None:
    assert ranks_before({"ada": DatedTally().add(MONDAY, won(5))}, MONDAY, ORDER) == {}
    assert ranks_before({"ada": DatedTally().add(None, won(5))}, None, ORDER) == {}
    assert last_day({}) is None


@pytest.mark.parametrize(
    ("played_at", "zone", "day"),
    [
        ("2026-09-07T23:30:00+00:00", "Europe/Berlin", "2026-09-08"),
        ("2026-09-07T23:30:00+02:00", "Europe/Berlin", "2026-09-07"),
        ("9999-12-31T23:30:00+00:00", "Europe/Berlin", "9999-12-31"),
    ],
)
def test_the_day_of_play_is_that_of_the_clubs_clock(played_at: str, zone: str, day: str) -> None:
    assert str(day_of(datetime.fromisoformat(played_at), ZoneInfo(zone))) == day
    assert day_of(None, ZoneInfo(zone)) is None


@given(seasons, st.randoms(use_true_random=False))
def test_the_order_of_adding_changes_nothing(games: list[DatedGame], random: Random) -> None:
    assert rows_of(random.sample(games, len(games))) == rows_of(games)


@given(seasons)
def test_it_equals_a_recount(games: list[DatedGame]) -> None:
    rows = rows_of(games)
    last = max((day for day, _, _ in games if day), default=None)
    earlier = [played for played in games if played[0] != last and (played[0] is None or last)]
    before = recount(earlier)
    assert last_day(rows) == last
    assert {player: row.total for player, row in rows.items()} == recount(games)
    assert {player: row.until(last) for player, row in rows.items()} == {
        player: before.get(player, Tally()) for player in rows
    }
    assert ranks_before(rows, last, ORDER) == {
        standing.player: standing.rank for standing in table(before, ORDER)
    }
