"""A voided game of a table: its number is given to no other, and the table waits until it is played
again or closed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.utils import ProgrammingError

from engine.illegal import Refused
from engine.record.reason import LENGTH
from engine.record.write import write
from games.models import Game, Void
from games.queries.game import game_record
from league.core.log.services import Actor
from league.counting.event_rebuild.queries.verification import event_differences
from league.counting.event_rebuild.services import event_rebuild
from league.disputes.correction.services import game_correct
from league.models import (
    Entry,
    Event,
    Format,
    LogEntry,
    Season,
    Stage,
    StageScoring,
    Standing,
    Table,
    TableScore,
)
from league.records.file.services import Imported, Outcome, record_import
from league.site.erasure.services.erasure import player_erase
from league.stages.course.services.stage import course_take_back, stage_finish
from league.stages.result.services.result import table_game_enter, table_outcome_enter
from league.stages.result.services.void import game_restore, game_void_add
from league.stages.round.services import round_take_back
from league.stages.table.services.walkover import walkover_give
from league.standings.ranking.services.counting import ranking_count
from tests.factories import events
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record, line
from tests.league.site.audit.differences import club_differences
from tests.league.stages.result.test_result import in_seat_order, published, table_of

pytestmark = pytest.mark.django_db
WHY = Actor(reason="It was the wrong table.")


def played(season: Season, **settings: Any) -> tuple[Stage, Table, Game]:
    """A stage whose first round is played, with its first table and the game there."""
    stage = published(season, **settings)
    events.play(stage.stage_rounds.get())
    table = table_of(stage)
    return stage, table, Game.objects.get(table_game__table=table)


def again(stage: Stage) -> Game:
    """Play the first table of a stage once more."""
    table = table_of(stage)
    return table_outcome_enter(table=table, ranks=in_seat_order(table), actor=events.ACTOR)


def error_of(imported: Imported) -> str:
    return imported.error.code if imported.error else ""


def code(game: Game, actor: Actor = WHY, *, stands: bool = True) -> str:
    with pytest.raises(Refused) as refused:
        (game_void_add if stands else game_restore)(game=game, actor=actor)
    return refused.value.illegal.code


def stored(stage: Stage) -> list[Any]:
    """All that follows from the games of a stage's event."""
    scores = TableScore.objects.filter(table__stage_round__stage=stage)
    tables = Table.objects.filter(stage_round__stage=stage)
    return [*scores.order_by("pk").values(), *tables.order_by("pk").values()]


def test_each_refusal_has_its_code() -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    assert code(game, Actor(reason=" ")) == "reason_needed"
    assert code(game, Actor(reason="x" * (LENGTH + 1))) == "reason_too_long"
    assert code(game, stands=False) == "not_voided"
    assert game_void_add(game=game, actor=Actor(reason=" Why. ")).reason == "Why."
    assert code(game) == "voided"
    with pytest.raises(Refused) as refused:
        game_correct(game=game, line=line(bluff_record(9, id="game-1")), reason="Why.")
    assert refused.value.illegal.code == "voided"
    game_restore(game=game, actor=WHY)
    newer = game_correct(game=game, line=line(bluff_record(9, id="game-1")), reason="Why.")
    assert code(game) == "conflict", "only the newest revision"
    game_void_add(game=newer, actor=WHY)


def test_a_void_waits_its_turn_in_the_database_itself() -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    row = {"game": game, "reason": "Why.", "role": "organiser", "made_at": game.entered_at}
    for number, stands in ((2, True), (1, False)):
        with pytest.raises(ProgrammingError, match="out of turn"), transaction.atomic():
            Void.objects.create(number=number, stands=stands, **row)
    Void.objects.create(number=1, stands=True, **row)
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        Void.objects.update(stands=False)


def test_the_record_sent_again_is_answered_voided_and_doesnt_come_back() -> None:
    season = counted_season([bluff_record(1)])
    game = Game.objects.get()
    game_void_add(game=game, actor=WHY)
    for record in (bluff_record(1), bluff_record(9, id="game-1")):
        imported = record_import(season=season, line=line(record))
        assert (imported.outcome, error_of(imported)) == (Outcome.BAD, "voided")
        assert f"/games/{game.public_id}/" in str(imported.error)
    assert Game.objects.count() == 1
    game_restore(game=game, actor=WHY)
    assert record_import(season=season, line=line(bluff_record(1))).outcome == Outcome.UNCHANGED


def test_a_record_that_says_it_is_void_isnt_entered_elsewhere() -> None:
    season = counted_season([bluff_record(1)])
    record = bluff_record(2) | {"voided": {"at": "2026-09-03T19:05:00+02:00", "reason": "Why."}}
    imported = record_import(season=season, line=line(record))
    assert error_of(imported) == "voided"


def test_the_table_is_open_again_and_gives_the_number_to_no_other_game(season: Season) -> None:
    stage, table, game = played(season)
    before = stored(stage)
    content = write(game_record(game)).encode()
    game_void_add(game=game, actor=WHY)
    table.refresh_from_db()
    assert not table.finished
    (row,) = [row for row in events.facts(stage).tables if row.pk == table.pk]
    assert (row.games, row.voided, row.next_number) == ((), ((1, game.public_id),), 2)
    with pytest.raises(Refused) as refused:
        table_game_enter(table=table_of(stage), line=content, actor=events.ACTOR)
    assert refused.value.illegal.code == "voided"
    with pytest.raises(Refused) as refused:
        table_outcome_enter(
            table=table_of(stage), ranks=in_seat_order(table), actor=events.ACTOR, number=1
        )
    assert refused.value.illegal.code == "voided"
    game_restore(game=game, actor=WHY)
    assert stored(stage) == before
    game_void_add(game=game, actor=WHY)
    second = again(stage)
    assert (second.external_id, second.table_game.number) == (f"{table.public_id}-2", 2)
    assert code(game, stands=False) == "table_finished"
    game_void_add(game=second, actor=WHY)
    game_restore(game=game, actor=WHY)
    assert stored(stage) == before


@pytest.mark.parametrize("voids", [0, 1, 2])
def test_an_event_with_voids_is_what_a_rebuild_makes_of_it(season: Season, voids: int) -> None:
    stage, _, game = played(season)
    for _ in range(voids):
        game_void_add(game=game, actor=WHY)
        game = again(stage)
    before = stored(stage)
    assert list(event_differences(stage.event_id)) == []
    event_rebuild(event_id=stage.event_id, actor=events.ACTOR)
    assert stored(stage) == before


def test_a_table_whose_game_is_void_can_be_closed(season: Season) -> None:
    stage, _, game = played(season)
    game_void_add(game=game, actor=WHY)
    with pytest.raises(ValidationError):
        events.drawn(stage)
    assert walkover_give(table=table_of(stage), actor=WHY)
    events.drawn(stage)
    assert code(game, stands=False) == "walkover"
    assert list(event_differences(stage.event_id)) == []


def test_a_round_that_is_taken_back_takes_the_games_with_it_that_are_named(season: Season) -> None:
    stage, _, game = played(season)
    stage_round = stage.stage_rounds.get()
    with pytest.raises(ValidationError, match="say why"):
        round_take_back(
            stage_round=stage_round, actor=Actor(), with_results=True, void=[game.public_id]
        )
    with pytest.raises(ValidationError, match="tables being taken back"):
        round_take_back(stage_round=stage_round, actor=WHY, with_results=True, void=["nobody"])
    with pytest.raises(ValidationError, match="already has results"):
        round_take_back(stage_round=stage_round, actor=WHY, void=[game.public_id])
    assert not Void.objects.exists()
    course_take_back(stage_round=stage_round, actor=WHY, void=[game.public_id])
    assert [void.game for void in Void.objects.all()] == [game]
    stage_round.refresh_from_db()
    assert stage_round.status == "taken_back"
    assert list(event_differences(stage.event_id)) == []


@pytest.mark.parametrize(
    "kind", [{"format": Format.SWISS}, {"format": Format.SINGLE, "sizes": [2], "advance": 1}]
)
def test_a_finished_event_keeps_its_status_and_its_draws(
    season: Season, kind: dict[str, Any]
) -> None:
    stage = published(season, rounds=2, count=4, **{"scoring": StageScoring.PLACEMENT, **kind})
    events.play(stage.stage_rounds.get())
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    Event.objects.filter(pk=stage.event_id).update(status=Event.Status.FINISHED)
    before = stored(stage)
    game = Game.objects.filter(table_game__table__stage_round__number=1).earliest("pk")
    game_void_add(game=game, actor=WHY)
    stage.refresh_from_db()
    stage.event.refresh_from_db()
    assert (stage.status, stage.event.status) == (Stage.Status.FINISHED, Event.Status.FINISHED)
    assert stage.stage_rounds.count() == 2
    assert list(event_differences(stage.event_id)) == []
    game_restore(game=game, actor=WHY)
    assert stored(stage) == before
    assert list(event_differences(stage.event_id)) == []


def test_a_void_of_a_round_that_was_taken_back_stays_one(season: Season) -> None:
    stage, _, game = played(season)
    game_void_add(game=game, actor=WHY)
    round_take_back(stage_round=stage.stage_rounds.get(), actor=WHY, with_results=True)
    assert Void.objects.get().stands
    assert list(event_differences(stage.event_id)) == []
    game_restore(game=game, actor=WHY)
    assert list(event_differences(stage.event_id)) == []


Work = Callable[[Game], object]


def void(game: Game) -> object:
    return game_void_add(game=game, actor=WHY)


def correct(game: Game) -> object:
    record = bluff_record(9, id=game.external_id)
    return game_correct(game=game, line=line(record), reason="Why.")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("works", [(void, void), (void, correct)])
def test_of_two_at_the_same_moment_one_is_refused(works: tuple[Work, Work]) -> None:
    """Whoever is second is told why."""
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    start = threading.Barrier(2)
    codes: list[str] = []

    def at_once(work: Work) -> None:
        connection.ensure_connection()
        start.wait()
        try:
            work(game)
        except Refused as refused:
            codes.append(refused.illegal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=at_once, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes in (["voided"], ["conflict"])
    assert LogEntry.objects.filter(action__in=["game.voided", "game.corrected"]).count() == 1


def test_what_is_broken_off_leaves_nothing(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the fact and the table that follows from it there is no moment at which one stands
    without the other."""
    stage, _, game = played(season)
    before = stored(stage)

    def die(**_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("league.stages.result.services.void.void_follows", die)
    with pytest.raises(KeyboardInterrupt):
        game_void_add(game=game, actor=WHY)
    monkeypatch.undo()
    assert stored(stage) == before
    assert not Void.objects.exists()
    game_void_add(game=game, actor=WHY)


def test_a_player_is_erased_between_a_void_and_its_end(season: Season) -> None:
    stage, _, game = played(season)
    ranking_count(ranking_id=season.ranking_id)
    before = (
        stored(stage),
        list(Standing.objects.order_by("pk").values_list("points", "games", "rank_sum")),
    )
    game_void_add(game=game, actor=WHY)
    player = Entry.objects.filter(seats__table__table_games__game=game).earliest("pk").player
    player_erase(player=player, actor=WHY)
    ranking_count(ranking_id=season.ranking_id)
    game_restore(game=game, actor=WHY)
    ranking_count(ranking_id=season.ranking_id)
    assert (
        stored(stage),
        list(Standing.objects.order_by("pk").values_list("points", "games", "rank_sum")),
    ) == before
    assert list(club_differences(season.club_id, styles=False)) == []


def test_a_season_that_is_put_away_lets_its_games_be_voided(season: Season) -> None:
    stage, _, game = played(season)
    Season.objects.filter(pk=season.pk).update(archived=True)
    game_void_add(game=game, actor=WHY)
    ranking_count(ranking_id=season.ranking_id)
    assert (
        Standing.objects.filter(ranking=season.ranking).count()
        == len(events.facts(stage).members) - 4
    )
