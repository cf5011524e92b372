"""Laws of playing a game again: nothing is lost, nothing counts twice, and the preview tells what
then happens."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.record.canonical import digests
from engine.record.record import Record
from games.models import Game, Kind
from league.counting.event_rebuild.queries.verification import event_differences
from league.counting.event_rebuild.services import event_rebuild
from league.disputes.play_again.queries import play_again_preview
from league.disputes.play_again.services import game_play_again, round_void
from league.models import Club, Event, Format, Season, StageScoring, Table, TableScore
from league.stages.result.services.void import game_restore
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild
from tests.factories import events
from tests.factories.derived import derived
from tests.factories.league import SeasonFactory
from tests.factories.sheets import Scorer, Scribe
from tests.league.disputes.correction.test_preview import standing
from tests.league.disputes.play_again.playing import (
    folded,
    game_of,
    play_on,
    play_rounds,
    rounds_of,
)
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db
SEEDS = range(4)
WHY = events.ACTOR.with_reason("A cup was lifted.")
FORMATS: tuple[dict[str, Any], ...] = (
    {"format": Format.SWISS},
    {"format": Format.SINGLE, "sizes": [2], "advance": 1},
)


def evening(club: Club, seed: int) -> list[Table]:
    """The tables of the first round of an evening with all their games sealed: of both kinds, Swiss
    and knock-out."""
    chance = Random(seed)
    kind = Kind.BLUFF if seed % 3 else Kind.LUEGEN_KNIFFEL
    season: Season = SeasonFactory.create(club=club, slug="evenings", kind=kind, rated=True)
    night = events.event(season, status=Event.Status.RUNNING)
    events.crowd(night, 4 if kind == Kind.LUEGEN_KNIFFEL else 8)
    stage = events.stage(night, **FORMATS[seed % 2], scoring=StageScoring.PLACEMENT)
    events.drawn(stage)
    tables = list(
        Table.objects.select_related("stage_round__stage__event__season__ranking").order_by(
            "number"
        )
    )
    for table in tables:
        scorer = Scorer(table)
        play_on(scorer, chance)
        scorer.seal()
    ranking_count(ranking_id=season.ranking_id)
    return tables


def state(season: Season) -> tuple[Any, ...]:
    """All that follows from the games of a season, whichever revision it is."""
    ranking_count(ranking_id=season.ranking_id)
    scores = TableScore.objects.order_by("table", "number").values_list(
        "table", "number", "entries", "ranks", "points"
    )
    tables = Table.objects.order_by("pk").values_list("pk", "finished")
    return derived(season.ranking), list(scores), list(tables)


def chosen(table: Table, seed: int) -> tuple[Game, int]:
    """The game of a table, and a round of it."""
    game = game_of(table)
    return game, Random(seed).randint(1, len(rounds_of(game).rounds))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_rounds_played_again_bring_the_same(club: Club, seed: int) -> None:
    table, *_ = evening(club, seed)
    game, number = chosen(table, seed)
    season, record = game.season_game.season, rounds_of(game)
    before = state(season)
    scribe = Scribe(game_play_again(game=game, round_number=number, actor=WHY))
    assert state(season) != before
    play_rounds(scribe, record, range(number, len(record.rounds) + 1))
    scribe.seal()
    assert game_of(table) != game
    assert state(season) == before
    assert list(club_differences(club.pk)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_taken_back_it_is_as_if_nothing_was(club: Club, seed: int) -> None:
    table, *_ = evening(club, seed)
    game, number = chosen(table, seed)
    before = state(game.season_game.season)
    game_play_again(game=game, round_number=number, actor=WHY)
    game_restore(game=game, actor=WHY)
    assert state(game.season_game.season) == before
    assert list(club_differences(club.pk)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_computed_step_by_step_is_what_a_rebuild_makes(club: Club, seed: int) -> None:
    chance = Random(seed)
    table, *_ = evening(club, seed)
    game, number = chosen(table, seed)
    season, stage = game.season_game.season, table.stage_round.stage
    scribe = Scribe(game_play_again(game=game, round_number=number, actor=WHY))
    for _ in range(2):
        before = state(season)
        assert list(event_differences(stage.event_id)) == []
        event_rebuild(event_id=stage.event_id, actor=events.ACTOR)
        ranking_rebuild(ranking_id=season.ranking_id)
        assert state(season) == before
        if not folded(scribe).over:
            play_on(scribe, chance)
            scribe.seal()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("service", [game_play_again, round_void])
def test_the_preview_tells_what_then_happens(club: Club, seed: int, service: Any) -> None:
    table, *_ = evening(club, seed)
    game, number = chosen(table, seed)
    season, record = game.season_game.season, rounds_of(game)
    preview = play_again_preview(game=game, round_number=number, voids_round=service is round_void)
    before = replace(record, rounds=record.rounds[: number - 1])
    scribe = Scribe(service(game=game, round_number=number, actor=WHY))
    sheet = folded(scribe)
    kept = sheet.whole().rounds[: preview.kept]
    assert digests(replace(before, rounds=kept)) == digests(before)
    if service is game_play_again:
        assert sheet.record.kind.state(sheet.game) == record.kind.state(game_after(before))
    assert [played.number for played in preview.gone] == list(range(number, len(record.rounds) + 1))
    now = standing(season)
    (effect,) = [each for each in preview.void.effects if each.ranking_id == season.ranking_id]
    for row in effect.rows:
        expected = (row.rank_after, row.points_after, row.games_after) if row.games_after else None
        assert now.get(row.handle) == expected


def game_after(record: Record) -> Any:
    """The game after the rounds of a record."""
    game = record.start()
    for unit in record.rounds:
        record.kind.settle(game, unit, "", False)
    return game


def test_a_void_round_leaves_the_dice_and_the_opener_as_they_were(club: Club) -> None:
    table, *_ = evening(club, 1)
    game = game_of(table)
    again = folded(Scribe(game_play_again(game=game, round_number=1, actor=WHY)))
    game_restore(game=game, actor=WHY)
    void = folded(Scribe(round_void(game=game, round_number=1, actor=WHY)))
    assert (void.game.owned, void.game.openers) == (again.game.owned, again.game.openers)
    assert (again.closed, void.closed) == (0, 1)
