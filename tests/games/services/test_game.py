"""Games of which only the end is known are facts like any other: one link, one row that ends the
game."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, transaction

from engine.notation.text import parse
from engine.record.check import check
from engine.record.outcome import MARK, KnownEnd
from engine.record.record import Record, read
from engine.record.verify import verify_line
from games.domain.game import NotAsSealed, game_notation
from games.models import Game, Round
from games.queries.game import exports, game_head, sealed_record
from games.queries.verification import game_differences
from games.services.game import Conflict, SealedGame, game_seal
from tests.factories.records import bluff_record, kniffel_record, line, outcome_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 9, 3, 21, tzinfo=UTC)
GAMES = (
    outcome_of(bluff_record(1)),
    outcome_of(bluff_record(1), points=False),
    outcome_of(kniffel_record(1)),
)


def sealed(keys: dict[str, Any], **more: Any) -> SealedGame:
    record = read(line(keys))
    assert isinstance(record, Record)
    return game_seal(record=record, verdict=check(record), source="club:1", entered_at=NOW, **more)


@pytest.mark.parametrize("keys", GAMES)
def test_an_outcome_is_sealed_as_one_row_that_ends_the_game(keys: dict[str, Any]) -> None:
    game = sealed(keys).game
    (row,) = Round.objects.filter(game=game)
    assert (row.number, row.ends_game, bytes(row.body)[0]) == (0, True, MARK)
    with pytest.raises(DatabaseError, match="is over"), transaction.atomic():
        Round.objects.create(game=game, number=1, ends_game=False, body=b"\x24", digest=bytes(32))


@pytest.mark.parametrize("keys", GAMES)
def test_it_comes_out_as_it_went_in(keys: dict[str, Any]) -> None:
    ended = sealed(keys)
    record, head = sealed_record(ended.game)
    points = keys["outcome"].get("points")
    assert record.outcome == KnownEnd(tuple(keys["outcome"]["rank"]), points and tuple(points))
    assert head == ended.head == game_head(ended.game)
    assert list(game_differences([ended.game.pk])) == []
    (exported,) = exports([ended.game.pk])
    assert verify_line(exported).proved == ("rules", "digests", "seal")
    (again,) = parse(game_notation(ended.game, record)).records
    assert again.outcome == record.outcome


def test_the_same_outcome_again_changes_nothing_and_another_one_is_a_conflict() -> None:
    first = sealed(GAMES[0])
    again = sealed(GAMES[0])
    assert (again.game, again.created) == (first.game, False)
    for other in (GAMES[1], bluff_record(1)):
        with pytest.raises(Conflict):
            sealed(other)


def test_rounds_replace_an_outcome_and_an_outcome_rounds() -> None:
    first = sealed(GAMES[0]).game
    second = sealed(bluff_record(1), replaces=first, reason="Somebody kept the sheet.").game
    third = sealed(GAMES[0], replaces=second, reason="It was that of another table.").game
    assert [Round.objects.filter(game=game).count() for game in (first, third)] == [1, 1]
    assert Round.objects.filter(game=second).count() > 1
    assert Game.objects.get(pk=third.pk).revision == 3


@pytest.mark.parametrize(
    "body", [[MARK, 1, 2, 3], [MARK, 3, 2, 1, 0, 5, 0, 9, 0, 15], [MARK, 1], [0x24]]
)
def test_an_outcome_that_was_rewritten_in_the_database_is_found(
    forger: psycopg.Connection[Any], body: list[int]
) -> None:
    game = sealed(outcome_of(bluff_record(1))).game
    transaction.commit()
    forger.execute("UPDATE games_round SET body = %s WHERE game_id = %s", [bytes(body), game.pk])
    assert list(game_differences([game.pk]))
    with pytest.raises(NotAsSealed):
        sealed_record(game)
