"""How players play: sums that a rebuild gives to the last digit, whatever happened on the way."""

import random
from typing import Any

import pytest
from django.db.models.functions import Now

from engine.analysis.game import analyse
from engine.analysis.profile import Style as Sums
from engine.analysis.profile import pack_styles
from engine.record.record import Record, read
from games.models import Game
from league.core.log.services import Actor
from league.disputes.correction.services import game_correct
from league.models import GameStyle, Season, SetAside, Standing, Style
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.style import services as style
from league.standings.style.services import styles_read
from tests.factories.counted import add_games, counted_season, three_tables
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line

pytestmark = pytest.mark.django_db


def styles(season: Season) -> dict[str, Sums]:
    """The stored sums by handle."""
    return {
        row.player.handle: row.sums
        for row in Style.objects.filter(ranking=season.ranking).select_related("player")
    }


def rebuild(season: Season) -> None:
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)


def by_hand(records: list[dict[str, Any]]) -> dict[str, Sums]:
    """What the engine makes of the records, one seat after the other."""
    sums: dict[str, Sums] = {}
    for written in records:
        record = read(line(written))
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
    rebuild(season)
    assert styles(season) == before
    Style.objects.filter(player__handle="anna").update(bids=0, challenges=[9] * 10)
    Style.objects.filter(player__handle="ben").delete()
    GameStyle.objects.update(seats=pack_styles([Sums()] * 3))
    rebuild(season)
    assert styles(season) == before


def test_a_correction_takes_back_what_the_game_brought() -> None:
    records = three_tables(6)
    season = counted_season(records)
    right = bluff_record(
        50, id="game-2", seats=("anna", "newcomer"), played_at=records[2]["played_at"]
    )
    game_correct(
        game=Game.objects.get(external_id="game-2"),
        line=line(right),
        reason="The wrong table was entered.",
    )
    styles_read(ranking_id=season.ranking_id)
    assert styles(season) == by_hand(
        [right, *[record for record in records if record["id"] != "game-2"]]
    )


def test_a_correction_subtracts_instead_of_analysing_the_season_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = three_tables(6)
    season = counted_season(records)
    right = bluff_record(
        50, id="game-2", seats=records[2]["seats"], played_at=records[2]["played_at"]
    )
    game_correct(
        game=Game.objects.get(external_id="game-2"),
        line=line(right),
        reason="The wrong table was entered.",
    )
    games: list[GameFacts] = []
    whole = style.analysed

    def noted(game: GameFacts) -> list[Sums]:
        games.append(game)
        return whole(game)

    monkeypatch.setattr(style, "analysed", noted)
    styles_read(ranking_id=season.ranking_id)
    assert [game.external_id for game in games] == ["game-2"]


def test_a_game_whose_analysis_fails_is_set_aside_and_the_table_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = three_tables(4)
    whole = style.analysed

    def fails(game: GameFacts) -> list[Sums]:
        if game.external_id.endswith("game-1"):
            raise ArithmeticError("no odds")
        return whole(game)

    monkeypatch.setattr(style, "analysed", fails)
    season = counted_season(records)
    assert Standing.objects.filter(ranking=season.ranking).count() == 5
    assert styles(season) == by_hand([record for record in records if record["id"] != "game-1"])
    assert "no odds" in SetAside.objects.get().error
    SetAside.objects.update(due_at=Now())
    monkeypatch.setattr(style, "analysed", whole)
    styles_read(ranking_id=season.ranking_id)
    assert styles(season) == by_hand(records)
    assert not SetAside.objects.exists()


@pytest.mark.parametrize("level", ["result", "bids", "challenge"])
def test_who_has_only_games_that_tell_no_hands_has_no_row(level: str) -> None:
    season = counted_season([bluff_record(1, level=level)])
    assert not Style.objects.exists()
    rebuild(season)
    assert not Style.objects.exists()


def test_luegen_kniffel_has_no_style() -> None:
    season = counted_season([kniffel_record(1)], kind="luegen-kniffel", scoring="totals")
    rebuild(season)
    assert not Style.objects.exists()


def test_only_the_players_of_a_game_are_written() -> None:
    season = counted_season(3)
    before = styles(season)
    add_games(season, [bluff_record(77, seats=("anna", "zoe"))])
    after = styles(season)
    assert {handle for handle in after if after[handle] != before.get(handle)} == {"anna", "zoe"}
