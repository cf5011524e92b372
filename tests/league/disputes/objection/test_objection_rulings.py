"""Objections to a sealed result: within which time, by which seat, once at a time, and what ends
them."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import Final

import pytest
from django.db import connection, connections
from django.utils import timezone

from engine.illegal import Refused
from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.core.log.services import Actor
from league.disputes.correction.services import game_correct
from league.disputes.objection.queries.objection import objection_window
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.models import (
    Event,
    LogEntry,
    Objection,
    ObjectionEnd,
    Player,
    Role,
    Season,
    Standing,
    User,
)
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.player.services import player_merge
from league.standings.ranked_game.actions import ObjectionAction
from league.standings.ranked_game.queries.provisional import is_provisional
from league.standings.ranking.services.counting import ranking_count
from tests.factories.counted import add_games
from tests.factories.league import PlayerFactory
from tests.factories.records import bluff_record
from tests.league.disputes.ruling.rulings import let_stand

pytestmark = pytest.mark.django_db
WORD: Final = "The last die was a star."
WHY: Final = Actor(reason="Both cups were counted twice.")


def contest(game: Game, seat: int = 0, user: User | None = None) -> Objection:
    return objection_raise(game=game, seat=seat, word=WORD, actor=Actor(user.pk if user else None))


def refusal(game: Game, seat: int = 0, word: str = WORD) -> str:
    with pytest.raises(Refused) as refused:
        objection_raise(game=game, seat=seat, word=word, actor=Actor())
    return refused.value.illegal.code


def provisional(game: Game) -> bool:
    return Game.objects.filter(is_provisional(), pk=game.pk).exists()


def corrected(game: Game) -> Game:
    """The newer revision of a game, in which the places are the other way round."""
    record = json.loads(write(sealed_record(game)[0]))
    record["outcome"]["rank"].reverse()
    newer = game_correct(game=game, line=json.dumps(record).encode(), reason="The other way round.")
    return Game.objects.select_related("season_game__season").get(pk=newer.pk)


def test_a_seat_objects_and_the_result_is_provisional_but_counts(
    played: Game, sitters: list[User]
) -> None:
    ranking_id = played.season_game.season.ranking_id
    ranking_count(ranking_id=ranking_id)
    before = list(
        Standing.objects.filter(ranking=ranking_id)
        .order_by("pk")
        .values_list("player", "points", "games")
    )
    objection = contest(played, 1, sitters[1])
    assert (objection.seat, objection.word, objection.role) == (1, WORD, Role.PLAYER)
    assert provisional(played)
    ranking_count(ranking_id=ranking_id)
    after = (
        Standing.objects.filter(ranking=ranking_id)
        .order_by("pk")
        .values_list("player", "points", "games")
    )
    assert list(after) == before
    entry = LogEntry.objects.get(action=ObjectionAction.RAISED)
    assert (entry.subject, entry.why) == (played.public_id, WORD)
    assert WORD not in entry.payload, "the log seals a commitment; the word stands beside it"


def test_others_of_the_evening_stay_as_they_are(played: Game) -> None:
    contest(played)
    other = Game.objects.exclude(pk=played.pk).latest("pk")
    assert not provisional(other)


def test_the_window_is_open_for_the_hours_of_the_event(played: Game) -> None:
    Event.objects.update(objection_hours=2)
    played.entered_at = timezone.now() - timedelta(hours=1, minutes=59)
    objection_withdraw(objection=contest(played), actor=Actor())
    played.entered_at = timezone.now() - timedelta(hours=2, seconds=1)
    assert refusal(played) == "too_late"


def test_an_event_with_no_hours_takes_none_nor_does_a_game_of_no_event(
    played: Game, evening: Season
) -> None:
    Event.objects.update(objection_hours=0)
    assert refusal(played) == "no_objections"
    Event.objects.update(objection_hours=24)
    add_games(evening, [bluff_record(1, played_at="2026-09-03T19:05:00+02:00")])
    assert refusal(Game.objects.get(external_id="game-1")) == "no_objections"


def test_what_is_open_does_not_end_with_the_window(played: Game) -> None:
    objection = contest(played)
    Event.objects.update(objection_hours=0)
    assert provisional(played)
    let_stand(objection, actor=WHY)
    assert not provisional(played)


@pytest.mark.parametrize(("word", "code"), [(" ", "reason_needed"), ("x" * 501, "reason_too_long")])
def test_a_word_is_needed(played: Game, word: str, code: str) -> None:
    assert refusal(played, word=word) == code


def test_a_seat_has_one_open_objection_and_another_one_once_it_ended(played: Game) -> None:
    first = contest(played)
    assert refusal(played) == "objected"
    contest(played, 1)
    objection_withdraw(objection=first, actor=Actor())
    assert contest(played).number == 2
    assert refusal(played, 9) == "no_seat"


def test_the_result_is_provisional_until_the_last_seat_has_withdrawn(
    played: Game, sitters: list[User]
) -> None:
    one, other = contest(played, 0, sitters[0]), contest(played, 1, sitters[1])
    objection_withdraw(objection=one, actor=Actor(sitters[0].pk))
    assert provisional(played)
    objection_withdraw(objection=other, actor=Actor(sitters[1].pk))
    assert not provisional(played)
    assert {(end.way, end.role) for end in ObjectionEnd.objects.all()} == {
        ("withdrawn", Role.PLAYER.value)
    }


def test_an_objection_that_a_ruling_ended_is_not_withdrawn(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objection = contest(played)
    end = let_stand(objection, actor=Actor(ruler.pk, WHY.reason))
    assert (end.way, end.reason, end.role, end.ended_by) == (
        "stands",
        WHY.reason,
        Role.ARBITER.value,
        ruler,
    )
    with pytest.raises(Refused) as refused:
        objection_withdraw(objection=objection, actor=Actor(sitters[0].pk))
    assert refused.value.illegal.code == "ended"


def test_who_wants_something_else_after_a_ruling_appeals(played: Game) -> None:
    let_stand(contest(played), actor=WHY)
    with pytest.raises(Refused) as refused:
        contest(played, 1)
    assert refused.value.illegal.code == "ruled"


def test_a_result_stands_for_a_reason(played: Game) -> None:
    with pytest.raises(Refused) as refused:
        let_stand(contest(played), actor=Actor(reason=" "))
    assert refused.value.illegal.code == "reason_needed"
    assert provisional(played)


def test_a_void_ends_every_objection_with_itself(played: Game) -> None:
    contest(played, 0)
    contest(played, 1)
    game_void_add(game=played, actor=WHY)
    assert [end.way for end in ObjectionEnd.objects.all()] == ["voided", "voided"]
    assert refusal(played) == "voided"
    game_restore(game=played, actor=WHY)
    assert not provisional(played), "what ended stays so"
    contest(played)


def test_a_correction_ends_objections_and_the_new_revision_has_a_window_of_its_own(
    played: Game,
) -> None:
    contest(played)
    newer = corrected(played)
    assert [end.way for end in ObjectionEnd.objects.all()] == ["corrected"]
    assert refusal(played) == "conflict"
    assert not provisional(newer)
    assert contest(newer).game == newer


def test_a_refused_void_leaves_the_objection_open(played: Game) -> None:
    contest(played)
    with pytest.raises(Exception, match="say why"):
        game_void_add(game=played, actor=Actor())
    assert provisional(played)


def test_the_objection_follows_the_seat_through_a_merge(played: Game, sitters: list[User]) -> None:
    objection = contest(played, 0, sitters[0])
    sitter = Player.objects.get(user=sitters[0])
    kept_player = PlayerFactory.create(club=sitter.club, handle="together")
    player_merge(kept_player=kept_player, merged=sitter, actor=Actor())
    assert objection_window(played, sitters[0].pk).own_seat == objection.seat
    Player.objects.filter(pk=sitter.pk).update(user=None)
    Player.objects.filter(pk=kept_player.pk).update(user=sitters[0])
    assert objection_window(played, sitters[0].pk).own_seat == objection.seat, (
        "by whichever of the two is linked"
    )


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO league_objection (public_id, game_id, seat, number, word, role, raised_at)"
        " SELECT 'x', game_id, seat, 2, 'Again.', role, raised_at FROM league_objection",
        "INSERT INTO league_objection (public_id, game_id, seat, number, word, role, raised_at)"
        " SELECT 'x', game_id, seat + 1, 2, 'Out of turn.', role, raised_at FROM league_objection",
        "INSERT INTO league_objection (public_id, game_id, seat, number, word, role, raised_at)"
        " SELECT 'x', game_id, 9, 1, 'Nobody.', role, raised_at FROM league_objection",
        "UPDATE league_objection SET word = 'Another.'",
    ],
)
def test_the_database_holds_one_open_objection_a_seat_and_no_other_word(
    played: Game, statement: str
) -> None:
    contest(played)
    with (
        connection.cursor() as cursor,
        pytest.raises(Exception, match=r"turn|no seat|only be removed"),
    ):
        cursor.execute(statement)


@pytest.mark.django_db(transaction=True)
def test_of_two_phones_of_a_seat_at_once_one_objects_and_the_other_is_told_so(played: Game) -> None:
    outcomes: list[str] = []
    gate = threading.Barrier(2)

    def phone() -> None:
        gate.wait()
        try:
            outcomes.append(contest(played).word)
        except Refused as refused:
            outcomes.append(refused.illegal.code)
        finally:
            connections.close_all()

    phones = [threading.Thread(target=phone) for _ in range(2)]
    for thread in phones:
        thread.start()
    for thread in phones:
        thread.join()
    assert sorted(outcomes) == sorted([WORD, "objected"])
    assert Objection.objects.count() == 1
