"""The database keeps the log: no entry is changed, taken out or put in between, and names are only
ever forgotten."""

import pytest
from django.db import DatabaseError, connection, transaction

from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.models import Club, LogEntry
from tests.factories.league import ClubFactory, PlayerFactory

pytestmark = pytest.mark.django_db

COPY = (
    "INSERT INTO league_logentry"
    " (club_id, position, action, subject, payload, names, actor_id, request_id, reason, at, digest)"
    " SELECT {club}, {position},"
    " action, subject, payload, names, actor_id, request_id, reason, at, digest"
    " FROM league_logentry WHERE club_id = %(club)s AND position = 1"
)
COLUMNS = [str(field.column) for field in LogEntry._meta.concrete_fields if field.name != "names"]
REFUSED = [
    *(
        f"UPDATE league_logentry SET {column} = {column} WHERE club_id = %(club)s"
        for column in COLUMNS
    ),
    "UPDATE league_logentry SET names = NULL, payload = '{}'",
    """UPDATE league_logentry SET names = '{"name_after": ["00", "Ben"]}' WHERE club_id = %(club)s""",
    """UPDATE league_logentry SET names = names || '{"name": ["00", "Ben"]}' WHERE club_id = %(club)s""",
    (
        "UPDATE league_logentry SET names = jsonb_set(names, '{name,1}', '\"Ben\"')"
        " WHERE names ? 'name'"
    ),
    "UPDATE league_logentry SET names = (names - 'slug') || '{\"more\": []}' WHERE names ? 'slug'",
    "UPDATE league_logentry SET names = '{}' WHERE club_id = %(club)s",
    "UPDATE league_logentry SET names = 'null' WHERE club_id = %(club)s",
    "UPDATE league_logentry SET names = names WHERE club_id = %(club)s",
    "DELETE FROM league_logentry WHERE club_id = %(club)s",
    "TRUNCATE league_logentry",
    "TRUNCATE league_logentry CASCADE",
    COPY.format(club="%(club)s", position=1),
    COPY.format(club="%(club)s", position=2),
    COPY.format(club="%(club)s", position=5),
    COPY.format(club="%(club)s", position=0),
    COPY.format(club="%(club)s", position=-1),
    COPY.format(club="%(other)s", position=3),
]


@pytest.fixture
def clubs(club: Club) -> dict[str, int]:
    """A club with three entries in its log, and another one with one."""
    player_rename(player=PlayerFactory.create(club=club), actor=Actor(), name="Anna")
    return {"club": club.pk, "other": ClubFactory.create().pk}


def test_the_service_may_not(clubs: dict[str, int]) -> None:
    before = list(LogEntry.objects.values())
    for statement in REFUSED:
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, clubs)
        assert list(LogEntry.objects.values()) == before, statement


def test_one_word_can_be_forgotten_and_the_others_stay(clubs: dict[str, int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE league_logentry SET names = names - 'slug' WHERE names ? 'slug'")
        assert cursor.rowcount == 2
    names = LogEntry.objects.get(club=clubs["club"], position=1).names or {}
    assert "name" in names
    assert "slug" not in names


def test_names_can_be_forgotten_once_and_for_all(clubs: dict[str, int]) -> None:
    assert LogEntry.objects.filter(names__isnull=False).update(names=None) == 4
    with connection.cursor() as cursor, pytest.raises(DatabaseError), transaction.atomic():
        cursor.execute("UPDATE league_logentry SET names = '[]'")


def test_what_comes_next_goes_in(clubs: dict[str, int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(COPY.format(club="%(club)s", position=4), clubs)
    assert LogEntry.objects.filter(club=clubs["club"]).count() == 4
