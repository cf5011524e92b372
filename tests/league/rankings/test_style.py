"""How players play: sums that a rebuild gives to the last digit, whatever happened on the way."""

import random
from typing import Any

import pytest

from engine.analysis.game import analyse
from engine.analysis.profile import Style as Sums
from engine.record.record import Record, read
from games.models import Game, Outbox
from league.imports.services.record import record_import
from league.models import Season, Style
from league.rankings.services.season import season_count, season_rebuild
from league.rulings.services import game_correct
from tests.factories.counted import add_games, counted_season, three_tables
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line

pytestmark = pytest.mark.django_db


def styles(season: Season) -> dict[str, Sums]:
    """The stored sums by handle."""
    return {row.player.handle: row.sums for row in Style.objects.filter(season=season).select_related("player")}


def by_hand(records: list[dict[str, Any]]) -> dict[str, Sums]:
    """What the engine makes of the records, one seat after the other."""
    sums: dict[str, Sums] = {}
    for told in records:
        record = read(line(told))
        assert isinstance(record, Record)
        analysis = analyse(record)
        for seat, handle in enumerate(record.seats):
            sums[handle] = sums.get(handle, Sums()) + Sums.of(analysis, seat)
    return sums


def test_a_row_holds_the_sums_of_the_players_games() -> None:
    records = three_tables(7)
    assert styles(counted_season(records)) == by_hand(records)


def test_the_order_of_games_leaves_no_trace() -> None:
    records = three_tables(8)
    first = counted_season(records)
    second: Season = SeasonFactory.create()
    random.Random(1).shuffle(records)
    for record in records:
        add_games(second, [record])
    assert styles(first) == styles(second)


def test_a_rebuild_changes_nothing_and_mends_what_was_spoilt() -> None:
    season = counted_season(6)
    before = styles(season)
    keys = set(Style.objects.values_list("pk", flat=True))
    season_rebuild(season_id=season.pk)
    assert styles(season) == before
    assert set(Style.objects.values_list("pk", flat=True)) == keys
    Style.objects.filter(player__handle="anna").update(bids=0, challenges=[9] * 10)
    Style.objects.filter(player__handle="ben").delete()
    season_rebuild(season_id=season.pk)
    assert styles(season) == before


def test_a_correction_takes_back_what_the_game_brought() -> None:
    records = three_tables(6)
    season = counted_season(records)
    right = bluff_record(50, id="game-2", seats=("anna", "newcomer"), played_at=records[2]["played_at"])
    game_correct(game=Game.objects.get(external_id="game-2"), line=line(right), reason="The wrong table was entered.")
    season_count(season_id=season.pk)
    assert styles(season) == by_hand([right, *[record for record in records if record["id"] != "game-2"]])


def test_a_correction_leaves_a_game_that_still_waits_to_its_own_job() -> None:
    records = three_tables(4)
    season = counted_season(records[:3])
    right = bluff_record(50, id="game-2", seats=records[2]["seats"], played_at=records[2]["played_at"])
    game_correct(game=Game.objects.get(external_id="game-2"), line=line(right), reason="The wrong table was entered.")
    correction = Outbox.objects.get(done_at=None)
    record_import(season=season, line=line(records[3]))
    waiting = Outbox.objects.filter(done_at=None).exclude(pk=correction.pk)
    waiting.update(due_at="2100-01-01T00:00Z")
    season_count(season_id=season.pk)
    Outbox.objects.filter(done_at=None).update(due_at="2020-01-01T00:00Z")
    season_count(season_id=season.pk)
    assert styles(season) == by_hand([*records[:2], right, records[3]])


@pytest.mark.parametrize("level", ["result", "bids", "challenge"])
def test_who_has_only_games_that_tell_no_hands_has_no_row(level: str) -> None:
    season = counted_season([bluff_record(1, level=level)])
    assert not Style.objects.exists()
    season_rebuild(season_id=season.pk)
    assert not Style.objects.exists()


def test_luegen_kniffel_has_no_style() -> None:
    season = counted_season([kniffel_record(1)], kind="luegen-kniffel", scoring="totals")
    season_rebuild(season_id=season.pk)
    assert not Style.objects.exists()


def test_only_the_players_of_a_game_are_written() -> None:
    season = counted_season(3)
    before = styles(season)
    add_games(season, [bluff_record(77, seats=("anna", "zoe"))])
    after = styles(season)
    assert {handle for handle in after if after[handle] != before.get(handle)} == {"anna", "zoe"}
