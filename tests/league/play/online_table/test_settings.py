"""What a table agrees on before it plays, and keeps when it is played again."""

from __future__ import annotations

import pytest

from league.models import Club, OnlineTable, Role
from league.play.online_table.models import SETTINGS
from league.play.online_table.services.lobby import online_table_open, rematch
from tests.factories.league import MembershipFactory, PlayerFactory
from tests.league.play.online_table.logged import RULES

pytestmark = pytest.mark.django_db
AGREED = {
    "most_seats": 3,
    "move_days": 2,
    "move_seconds": 30,
    "bank_seconds": 10,
    "listed": True,
    "players_only": True,
    "programs_welcome": True,
}
PLACE = {
    "id",
    "public_id",
    "club",
    "kind",
    "rules",
    "season",
    "stage_table",
    "game_number",
    "rematch_of",
}
COURSE = {
    "version",
    "status",
    "open_game",
    "game",
    "uncounted",
    "paused_at",
    "paused_seconds",
    "time_given",
    "made_at",
}


def test_a_table_that_is_played_again_keeps_its_settings(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    PlayerFactory.create(club=club, user=user)
    table = online_table_open(club=club, user=user, rules=RULES, settings=AGREED)
    table.status = OnlineTable.Status.OVER
    table.save(update_fields=["status"])
    again = rematch(table=table, seat=table.seats.get())
    assert {name: getattr(again, name) for name in SETTINGS} == AGREED


def test_every_other_field_belongs_to_the_place_or_the_course_of_one_game() -> None:
    fields = {field.name for field in OnlineTable._meta.fields}
    assert fields - set(SETTINGS) - {"commitment"} == PLACE | COURSE, (
        "does a game that is played again keep it?"
    )
