"""Games of Lügen-Kniffel on their way into the table: import, count, correct, by totals and by
placement."""

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from engine.illegal import Refused
from engine.record.canonical import digests
from engine.record.export import export
from games.models import Game
from games.models.game import Kind
from games.queries.game import game_head, game_record
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.disputes.correction.services import game_correct
from league.models import Appearance, Scoring, Season, Standing
from league.records.file.services import Outcome, record_import
from league.standings.ranked_game.actions import GameAction
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.standing.queries.standing import table_rows
from tests.factories.derived import derived
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line

PLAYERS = ["anna", "ben", "cleo", "dario", "elif", "fritz", "greta", "hanno", "ida"]
LEAST = (
    "ones=1",
    "twos=2",
    "threes=3",
    "fours=4",
    "fives=5",
    "sixes=6",
    "three=5",
    "four=5",
    "full=25",
    "small=30",
    "large=40",
    "kniffel=50",
)
WITHOUT_CHANCE = 176
"""What the twelve announcements of `LEAST` come to; no bonus."""


def chance_game(
    name: str, chances: Sequence[int], seats: Sequence[str] = PLAYERS, **header: Any
) -> dict[str, Any]:
    """A whole game in which nobody ever doubts, so nothing but the announcements is told; the
    chance decides."""
    turns = [{"say": said} for said in LEAST for _ in chances] + [
        {"say": f"chance={points}"} for points in chances
    ]
    return {
        "v": 1,
        "id": name,
        "game": "luegen-kniffel",
        "rules": {},
        "seats": list(seats[: len(chances)]),
        "opener": 0,
        "turns": turns,
    } | header


def season_of_games(count: int) -> list[dict[str, Any]]:
    """As many games between two to eight changing players, some at the same minute, one without a
    time."""
    dice = random.Random(7)
    records = [
        kniffel_record(seed, seats=dice.sample(PLAYERS, dice.randint(2, 8)))
        for seed in range(count)
    ]
    records[2]["played_at"] = records[3]["played_at"]
    del records[1]["played_at"]
    return records


def table(season: Season) -> list[tuple[int, str, int, int]]:
    """Rank, handle, points and wins of each row; who shares a rank by the handle."""
    return sorted(
        (row.rank, row.handle, row.points, row.wins) for row in table_rows(season.ranking)
    )


def bring(season: Season, *records: dict[str, Any]) -> None:
    """Import records, and count them."""
    for record in records:
        imported = record_import(season=season, line=line(record))
        assert imported.outcome == Outcome.CREATED, imported.error
        ranking_count(ranking_id=season.ranking_id)


def rebuild(season: Season) -> None:
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(kind=Kind.LUEGEN_KNIFFEL, scoring=Scoring.TOTALS)


@pytest.fixture
def placement(db: None) -> Season:
    return SeasonFactory.create(kind=Kind.LUEGEN_KNIFFEL, scoring=Scoring.PLACEMENT)


def error_of(season: Season, record: dict[str, Any]) -> tuple[str, str | None]:
    imported = record_import(season=season, line=line(record))
    assert imported.outcome == Outcome.BAD
    assert imported.error
    return imported.error.code, imported.error.path


def as_dice(record: dict[str, Any]) -> dict[str, Any]:
    """The record without rolls: the dice of the doubted turns alone, as a club writes them down."""
    turns = []
    for turn, dice in zip(record["turns"], under_the_cups(record), strict=True):
        shown = {key: value for key, value in turn.items() if key != "rolls"}
        turns.append(shown | ({"dice": dice} if "doubts" in turn else {}))
    return record | {"turns": turns}


def under_the_cups(record: dict[str, Any]) -> list[str]:
    """The five dice under the cups in each turn: what stayed, and the last roll."""
    shown = []
    for turn in record["turns"]:
        kept = "".join(roll.partition(">")[0] for roll in turn["rolls"] if ">" in roll)
        shown.append("".join(sorted(kept + turn["rolls"][-1].rpartition(">")[2])))
    return shown


@pytest.mark.parametrize("level", ["rolls", "dice", "said"])
def test_what_is_stored_is_what_was_told(season: Season, level: str) -> None:
    record = {
        "rolls": kniffel_record(3),
        "dice": as_dice(kniffel_record(3)),
        "said": chance_game("kniffel-3", (5, 6, 7)),
    }[level]
    game = record_import(season=season, line=line(record)).game
    assert game
    sealed = game_record(game)
    assert json.loads(export(sealed))["turns"] == record["turns"]
    chain = digests(sealed)
    assert [
        bytes(game.digest),
        *(bytes(row.digest) for row in game.rounds.order_by("number")),
    ] == chain
    assert game_head(game) == chain[-1]


def test_less_detail_brings_the_same_points(season: Season) -> None:
    other = SeasonFactory.create(kind=Kind.LUEGEN_KNIFFEL, scoring=Scoring.TOTALS)
    bring(season, kniffel_record(5))
    bring(other, as_dice(kniffel_record(5)))
    assert table(season) == table(other)


def test_the_same_again_changes_nothing_and_other_content_is_a_conflict(season: Season) -> None:
    bring(season, kniffel_record(1))
    spelled_out = kniffel_record(1) | {"rules": {"truth": "exact", "allow_zero": False}}
    del spelled_out["result"]
    assert record_import(season=season, line=line(spelled_out)).outcome == Outcome.UNCHANGED
    assert error_of(season, kniffel_record(2, id="kniffel-1"))[0] == "conflict"
    assert LogEntry.objects.filter(action=GameAction.SEALED).count() == 1


@pytest.mark.parametrize(
    ("turn", "code", "path"),
    [
        ({"say": "fours=13"}, "no_such_announcement", "turns[1].say"),
        ({"say": "fours=0"}, "no_such_announcement", "turns[1].say"),
        ({"say": "fours=12", "doubts": [0]}, "dice_needed", "turns[1].dice"),
        ({"say": "fours=12", "doubts": [1], "dice": "12345"}, "bad_doubter", "turns[1].doubts"),
        ({"say": "fours=12", "rolls": ["44425", "55>123"]}, "bad_keep", "turns[1].rolls[1]"),
        ({"say": "fours=12", "rolls": ["44425", "44425>"]}, "must_roll_one", "turns[1].rolls[1]"),
        ({"say": "fours=12", "moves": []}, "unknown_key", "turns[1].moves"),
    ],
)
def test_a_turn_that_breaks_a_rule_is_named_with_its_place(
    season: Season, turn: dict[str, Any], code: str, path: str
) -> None:
    record = chance_game("bad", (5, 6))
    record["turns"][1] = turn
    assert error_of(season, record) == (code, path)
    assert not Game.objects.exists()


def test_a_result_that_is_not_that_of_the_sheets_is_refused(season: Season) -> None:
    record = chance_game("bad", (5, 6), result={"rank": [2, 1], "points": [181, 183]})
    assert error_of(season, record) == ("result_mismatch", "result.points")


def test_games_of_another_kind_or_other_rules_are_refused(season: Season) -> None:
    assert error_of(season, bluff_record(1))[0] == "other_game"
    season.rules = {"truth": "exact"}
    assert error_of(season, chance_game("k", (5, 6), rules={"truth": "at_least"})) == (
        "other_rules",
        "rules.truth",
    )


def test_k13_by_totals_the_points_of_the_sheets_add_up(season: Season) -> None:
    bring(season, chance_game("one", (20, 30, 25)))
    bring(season, chance_game("two", (10, 5, 6)))
    assert table(season) == [
        (1, "ben", 2 * WITHOUT_CHANCE + 35, 1),
        (2, "cleo", 2 * WITHOUT_CHANCE + 31, 0),
        (3, "anna", 2 * WITHOUT_CHANCE + 30, 1),
    ]


def test_k13_by_placement_each_seat_left_behind_brings_one(placement: Season) -> None:
    bring(placement, chance_game("one", (20, 30, 25)))
    bring(placement, chance_game("two", (10, 5, 6)))
    assert table(placement) == [(1, "anna", 2, 1), (1, "ben", 2, 1), (3, "cleo", 2, 0)]


def test_k13_a_tie_shares_the_rank_and_both_win(season: Season, placement: Season) -> None:
    for one in (season, placement):
        bring(one, chance_game("tie", (20, 9, 20, 9, 7)))
        seats = Appearance.objects.filter(ranking=one.ranking_id).order_by("seat")
        assert list(seats.values_list("rank", flat=True)) == [1, 3, 1, 3, 5]
    totals = [WITHOUT_CHANCE + chance for chance in (20, 20, 9, 9, 7)]
    assert [row[2] for row in table(season)] == totals
    assert [row[2] for row in table(placement)] == [3, 3, 1, 1, 0]
    for one in (season, placement):
        assert [(rank, handle, wins) for rank, handle, _, wins in table(one)] == [
            (1, "anna", 1),
            (1, "cleo", 1),
            (3, "ben", 0),
            (3, "dario", 0),
            (5, "elif", 0),
        ]


def test_a_game_that_stopped_in_the_middle_does_not_count(season: Season) -> None:
    bring(season, kniffel_record(1, turns=9))
    rebuild(season)
    assert not Standing.objects.exists()


@pytest.mark.parametrize("scoring", [Scoring.TOTALS, Scoring.PLACEMENT])
def test_any_order_of_delivery_gives_what_a_rebuild_gives(db: None, scoring: str) -> None:
    records = season_of_games(8)
    seasons = [SeasonFactory.create(kind=Kind.LUEGEN_KNIFFEL, scoring=scoring) for _ in range(2)]
    for season, order in zip(seasons, (records, records[::-1]), strict=True):
        for record in order:
            bring(season, record)
            ranking_count(ranking_id=season.ranking_id)
    counted = derived(seasons[0].ranking)
    assert derived(seasons[1].ranking) == counted
    rebuild(seasons[0])
    assert derived(seasons[0].ranking) == counted
    assert len(counted["games"]) == 8


def test_a_correction_replaces_what_the_game_brought(season: Season) -> None:
    for name, chances in (("one", (20, 30, 25)), ("two", (10, 5, 6))):
        bring(season, chance_game(name, chances))
    wrong = Game.objects.get(external_id="one")
    right = chance_game("one", (30, 20, 25))
    game_correct(game=wrong, line=line(right), reason="The scorer had mixed up two seats.")
    ranking_count(ranking_id=season.ranking_id)
    assert table(season) == [
        (1, "anna", 2 * WITHOUT_CHANCE + 40, 2),
        (2, "cleo", 2 * WITHOUT_CHANCE + 31, 0),
        (3, "ben", 2 * WITHOUT_CHANCE + 25, 0),
    ]
    after = derived(season.ranking)
    rebuild(season)
    assert derived(season.ranking) == after


def test_a_correction_has_to_be_a_game_of_the_season(season: Season) -> None:
    bring(season, chance_game("one", (20, 30)))
    game = Game.objects.get()
    for record, code in (
        (bluff_record(1, id="one"), "other_game"),
        (chance_game("two", (5, 6)), "wrong_id"),
        (chance_game("one", (20, 31)), "no_such_announcement"),
        (chance_game("one", (20, 30)), "unchanged"),
    ):
        with pytest.raises(Refused) as refused:
            game_correct(game=game, line=line(record), reason="It was wrong.")
        assert refused.value.illegal.code == code
    assert Game.objects.count() == 1
