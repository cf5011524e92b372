"""After much was written, the service analyses the tables itself."""

from typing import Any

import psycopg
import pytest
from django.db import connection
from psycopg.rows import TupleRow

from league.core.sql import changed_tables_analyse, row
from league.models import Player
from tests.factories.league import ClubFactory

pytestmark = pytest.mark.django_db(transaction=True)


def known_players() -> float:
    """How many players the database believed there are when it last analysed them; -1 if never."""
    number: Any = row("SELECT reltuples FROM pg_class WHERE relname = 'league_player'")
    return float(number[0])


@pytest.fixture
def many_players() -> int:
    club = ClubFactory.create()
    number = 1100
    players = [Player(club=club, handle=f"p{place}", name=f"P {place}") for place in range(number)]
    Player.objects.bulk_create(players)
    return number


def test_a_table_of_which_much_changed_is_analysed_once(many_players: int) -> None:
    assert known_players() != many_players
    changed_tables_analyse()
    assert known_players() == many_players
    Player.objects.filter(handle="p0").delete()
    changed_tables_analyse()
    assert known_players() == many_players, "one row isn't much"


def test_a_table_that_somebody_else_analyses_is_left_to_them(
    many_players: int, owner: psycopg.Connection[TupleRow]
) -> None:
    with owner.transaction():
        owner.execute("LOCK TABLE league_player IN SHARE UPDATE EXCLUSIVE MODE")
        changed_tables_analyse()
        assert known_players() != many_players


def test_the_database_may_refuse_it(many_players: int, owner: psycopg.Connection[TupleRow]) -> None:
    with connection.execute_wrapper(refusing):
        changed_tables_analyse()
    assert known_players() != many_players


def refusing(execute: Any, statement: str, *arguments: Any) -> Any:
    """Fail as the database does where somebody else took the right away."""
    if statement.startswith("SELECT analyse"):
        statement = "SELECT 1 / 0"
    return execute(statement, *arguments)
