"""The statement that reads the tables of a stage, whatever the database knows of its tables."""

from __future__ import annotations

import pytest
from django.db import connection

from league.models import Event, Stage
from league.stages.stage.queries.facts import OF_DRAWN_ROUNDS, TABLES_SQL
from league.standings.ranked_game.queries.provisional import provisional_games
from tests.factories import events
from tests.factories.league import SeasonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Stage:
    event = events.event(SeasonFactory.create(), status=Event.Status.RUNNING)
    events.crowd(event, 4)
    return events.stage(event)


def plan_of(statement: str, stage: Stage) -> str:
    """How the database reads it where it joins whole tables only by sorting or hashing them."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_nestloop = off")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {statement}", [stage.pk])
        return "\n".join(line for (line,) in cursor.fetchall())


def test_the_voided_games_of_tables_are_looked_up_and_no_others_read(stage: Stage) -> None:
    plan = plan_of((TABLES_SQL + OF_DRAWN_ROUNDS).format(provisional=provisional_games()), stage)
    assert "Index Cond: (id = place.game_id)" in plan
    assert "Cond: (game.id = place.game_id)" not in plan
