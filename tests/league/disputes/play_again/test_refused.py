"""A game that can't be played again is refused with a code, and nothing is written."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from engine.illegal import Refused
from games.models import Game, OpenGame, PlayAgain, Void
from games.queries.game import game_export
from games.queries.void import game_void
from league.core.log.services import Actor, club_journal
from league.disputes.correction.services import game_correct
from league.disputes.play_again.queries import play_again_preview
from league.disputes.play_again.services import game_play_again, round_void
from league.models import Event, LogEntry, Season, Table
from league.records.game.services import sealing_hold
from league.stages.result.services.result import result_hold, table_outcome_enter
from league.stages.result.services.void import game_void_add
from league.stages.table.services.walkover import walkover_give
from tests.factories import events
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record
from tests.factories.sheets import Scorer, Scribe
from tests.league.disputes.play_again.playing import game_of
from tests.league.stages.result.test_result import in_seat_order

pytestmark = pytest.mark.django_db


def code(work: Callable[..., object], game: Game, actor: Actor, number: int = 3) -> str:
    """The code with which a service refuses, and so does the preview, which knows no reason."""
    with pytest.raises(Refused) as refused:
        work(game=game, round_number=number, actor=actor)
    refused_code = refused.value.illegal.code
    if not refused_code.startswith("reason"):
        with pytest.raises(Refused) as previewed:
            play_again_preview(game=game, round_number=number, voids_round=work is round_void)
        assert previewed.value.illegal.code == refused_code
    assert not PlayAgain.objects.exists()
    return refused_code


def test_a_reason_is_needed(sealed: Game) -> None:
    assert code(game_play_again, sealed, Actor(None, " ")) == "reason_needed"


@pytest.mark.parametrize("number", [0, 16, -1])
def test_the_round_has_to_be_there(sealed: Game, arbiter: Actor, number: int) -> None:
    assert code(game_play_again, sealed, arbiter, number) == "no_such_round"


def test_a_void_game_is_not_played_again(sealed: Game, arbiter: Actor) -> None:
    game_void_add(game=sealed, actor=arbiter)
    assert code(game_play_again, sealed, arbiter) == "voided"


def test_a_corrected_game_is_played_again_in_its_newest_revision(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    record = turned_rounds(sealed)
    game_correct(game=sealed, line=record, reason="Mixed up.")
    assert code(game_play_again, sealed, arbiter) == "conflict"
    row = game_play_again(game=game_of(table), round_number=3, actor=arbiter)
    scribe = Scribe(row)
    scribe.finish()
    scribe.seal()
    assert game_of(table).revision == 3


def turned_rounds(game: Game) -> bytes:
    """The record of a game in which another seat lost the first die."""
    value: dict[str, Any] = json.loads(game_export(game))
    value["rounds"][0]["losses"], value["rounds"][2]["losses"] = (
        value["rounds"][2]["losses"],
        value["rounds"][0]["losses"],
    )
    for key in ("digests", "seal", "names", "result"):
        value.pop(key, None)
    return json.dumps(value).encode()


def test_once_the_next_round_is_drawn_the_result_stands(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    stage = table.stage_round.stage
    for other in stage_tables(table):
        table_outcome_enter(table=other, ranks=in_seat_order(other), actor=events.ACTOR)
    events.drawn(stage)
    assert code(game_play_again, sealed, arbiter) == "round_closed"
    assert code(round_void, sealed, arbiter) == "round_closed"


def stage_tables(table: Table) -> list[Table]:
    """The other tables of a table's round."""
    tables = Table.objects.select_related("stage_round__stage__event__season__ranking")
    return list(tables.filter(stage_round=table.stage_round).exclude(pk=table.pk))


def test_at_an_event_that_is_over_the_result_stands(sealed: Game, arbiter: Actor) -> None:
    Event.objects.update(status=Event.Status.FINISHED)
    assert code(game_play_again, sealed, arbiter) == "round_closed"


def test_of_a_game_of_which_only_the_end_is_known_no_round_is_played_again(
    table: Table, arbiter: Actor
) -> None:
    table_outcome_enter(table=table, ranks=in_seat_order(table), actor=events.ACTOR)
    assert code(game_play_again, game_of(table), arbiter, 1) == "only_end"


def test_a_game_without_a_table_is_not_played_again(arbiter: Actor, season: Season) -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.select_related(
        "season_game__season__club", "season_game__season__ranking"
    ).get()
    assert code(game_play_again, game, arbiter, 1) == "no_table"


def test_whoever_plays_at_another_table_finishes_there_first(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    other, *_ = stage_tables(table)
    seat = other.seats.get(seat=0)
    seat.entry = table.seats.get(seat=0).entry
    seat.save(update_fields=["entry"])
    scorer = Scorer(other)
    assert play_again_preview(game=sealed, round_number=3).kept == 2, "nobody plays there yet"
    scorer.lose(1)
    assert code(game_play_again, sealed, arbiter) == "playing_elsewhere"


def test_a_round_that_nobody_played_out_is_not_voided(table: Table, arbiter: Actor) -> None:
    scorer = Scorer(table)
    scorer.add("close", void=True)
    scorer.add("close", forfeit=[3])
    scorer.lose(1)
    scorer.add("close", ended="clock")
    scorer.seal()
    game = game_of(table)
    for number in (1, 2, 4):
        assert code(round_void, game, arbiter, number) == "not_played_out"
    assert round_void(game=game, round_number=3, actor=arbiter).number == 1


def test_while_it_is_played_again_no_other_result_is_entered(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    game_play_again(game=sealed, round_number=3, actor=arbiter)
    with pytest.raises(Refused) as refused:
        table_outcome_enter(table=table, ranks=in_seat_order(table), actor=events.ACTOR)
    assert refused.value.illegal.code == "played_again"


def test_a_table_that_was_given_meanwhile_seals_nothing(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    assert walkover_give(table=table, actor=arbiter)
    scribe = Scribe(row)
    scribe.finish()
    with pytest.raises(Refused) as refused:
        scribe.seal()
    assert refused.value.illegal.code == "walkover"


def test_nobody_writes_that_rounds_are_taken_over(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        Scorer(table).add("take_over", game="sealed")
    assert refused.value.illegal.code == "bad_record"


def test_the_ruling_that_calls_it_takes_it_back_with_itself(sealed: Game, arbiter: Actor) -> None:
    """It is part of a larger transaction, which holds the table and the log before."""
    club = sealed.season_game.season.club

    with transaction.atomic():
        result_hold(game=sealed)
        with club_journal(club.pk, arbiter) as journal:
            sealing_hold(journal)
        game_play_again(game=sealed, round_number=3, actor=arbiter, role="invited")
        assert Void.objects.get().role == "invited"
        transaction.set_rollback(True)
    assert game_void(sealed) is None
    assert OpenGame.objects.count() == 1


def test_what_is_broken_off_leaves_nothing(
    sealed: Game, arbiter: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(**_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("league.disputes.play_again.services.table_play_again_open", die)
    with pytest.raises(KeyboardInterrupt):
        game_play_again(game=sealed, round_number=3, actor=arbiter)
    assert game_void(sealed) is None
    assert not LogEntry.objects.filter(action__in=["game.voided", "game.play_again"]).exists()


Work = Callable[[Game, Actor], object]


def again(game: Game, actor: Actor) -> object:
    return game_play_again(game=game, round_number=3, actor=actor)


def void(game: Game, actor: Actor) -> object:
    return game_void_add(game=game, actor=actor)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("other", [again, void])
def test_of_two_at_the_same_moment_one_is_refused(
    sealed: Game, arbiter: Actor, other: Work
) -> None:
    start = threading.Barrier(2)
    codes: list[str] = []

    def at_once(work: Work) -> None:
        connection.ensure_connection()
        start.wait()
        try:
            work(sealed, arbiter)
        except Refused as refused:
            codes.append(refused.illegal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=at_once, args=[work]) for work in (again, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == ["voided"]
    assert Void.objects.count() == 1
