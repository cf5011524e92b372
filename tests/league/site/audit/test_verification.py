"""What is changed in the database behind the service's back is named by `verify`, and a rebuild
mends the caches."""

import io
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from psycopg.conninfo import conninfo_to_dict
from pytest_django import DjangoDbBlocker

from league.core.log.services import Actor
from league.models import Audit, Season
from league.site.audit.queries.club import RANKING
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.style.services import styles_read
from league.up.roles import connected_as
from tests.database import lasting
from tests.factories.counted import add_games, counted_season, three_tables
from tests.factories.league import UserFactory
from tests.factories.records import bluff_record
from tests.league.site.audit.differences import club_differences

SERVICE = conninfo_to_dict(settings.DATABASE_URL)["user"]
"""The role that the service has in the database."""

CACHES = {
    "league_rankedgame": {
        "played_at": "played_at + interval '1 day'",
        "natural_id": "'other'",
        "event": "'other'",
        "over": "NOT over",
        "only_end": "NOT only_end",
        "voided": "NOT voided",
    },
    "league_appearance": {
        "player_id": "(SELECT min(id) FROM league_player WHERE id <> player_id)",
        "counts_for_id": "NULL",
        "rank": "rank + 1",
        "points": "points + 1000",
        "penalty": "penalty + 1000",
    },
    "league_ratingchange": {"seats": "array_fill(1::float8, ARRAY[3, 4])"},
    "league_standing": {
        "games": "games + 1",
        "wins": "wins + 1",
        "points": "points + 1000",
        "rank_sum": "rank_sum + 1",
        "best": "best - 1",
        "key": "ARRAY[1, 2, 3]",
        "day": "day - 1",
        "before": "ARRAY[9, 9, 9, 9, 9]",
        "key_before": "ARRAY[7, 7, 7]",
        "public_id": "'2222222222'",
    },
    "league_rating": {"mu": "mu + 1e-9", "sigma": "sigma / 2", "recent": "ARRAY[25.0]"},
    "league_style": {
        "bids": "bids + 1",
        "bluffs": "bluffs + 1",
        "unsupported": "unsupported + 1",
        "stood": "stood + 1",
        "lucky": "lucky + 1",
        "caught": "caught + 1",
        "decisions": "decisions + 1",
        "cost": "cost + 1",
        "rolls": "rolls + 1",
        "luck": "luck + 1",
        "luck_variance": "luck_variance + 1",
        "challenges": "array_fill(9, ARRAY[10])",
        "stated": "array_fill(9::bigint, ARRAY[10])",
        "right": "array_fill(9, ARRAY[10])",
    },
    "league_gamestyle": {"seats": "'\\x01'::bytea"},
    "league_ranking": {
        "last_day": "last_day + 1",
        "last_at": "last_at - interval '1 day'",
        "last_id": "'zzz'",
        "game_count": "game_count + 1",
    },
}
"""Every cached column, and a change of it in one row."""
GONE = (
    *("league_rankedgame", "league_appearance", "league_standing"),
    *("league_rating", "league_ratingchange", "league_style"),
)
"""Tables of which a row can be gone."""

FACTS = {
    "games_game": {
        "public_id": "'2222222222'",
        "source": "'club:0'",
        "external_id": "'other'",
        "revision": "7",
        "reason": "'why not'",
        "reason_salt": "substr(sha256('x'), 1, 16)",
        "kind": "'luegen-kniffel'",
        "header": "replace(header, 'opener', 'Opener')",
        "digest": "sha256('x')",
        "played_at": "played_at + interval '1 hour'",
        "event": "'other'",
        "table": "'other'",
        "entered_at": "entered_at - interval '1 hour'",
        "entered_by_id": "(SELECT min(id) FROM league_user)",
        "proof": "'{}'",
    },
    "games_seat": {
        "handle": "'somebody'",
        "seal": "substr(sha256('x'), 1, 16)",
        "number": "number + 7",
    },
    "games_round": {
        "body": "set_byte(body, length(body) - 1, get_byte(body, length(body) - 1) # 1)",
        "digest": "sha256('x')",
        "ends_game": "NOT ends_game",
        "number": "number + 70",
    },
    "league_seasongame": {"season_id": "(SELECT max(id) FROM league_season)"},
    "league_logentry": {
        "position": "position + 1000",
        "action": "'game.corrected'",
        "subject": "'2222222222'",
        "payload": "'{}'",
        "actor_id": "(SELECT min(id) FROM league_user)",
        "request_id": "'other'",
        "reason": "'other'",
        "at": "at + interval '1 second'",
        "digest": "sha256('x')",
        "names": """'{"handle": ["00112233445566778899aabbccddeeff", "mallory"]}'""",
    },
}
"""Every column of the facts, and a change of it in one row."""


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Season]:
    """A season that the service counted, beside another club's, in a connection of the database's
    owner."""
    with (
        django_db_blocker.unblock(),
        connected_as(settings.DATABASE_OWNER_URL),
        lasting(django_db_blocker),
    ):
        be_the_service()
        season = counted_season(7)
        add_games(season, [bluff_record(77, rounds=2, id="unfinished")])
        counted_season(1)
        UserFactory.create()
        yield season


@pytest.fixture
def season(world: Season) -> Iterator[Season]:
    """The season as the service counted it, whatever another test has changed."""
    point = transaction.savepoint()
    yield Season.objects.select_related("club", "ranking").get(pk=world.pk)
    transaction.savepoint_rollback(point)


def be_the_service() -> None:
    """Have the rights of the service alone until the owner forges something."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute(f"SET LOCAL ROLE {SERVICE}")


def forge(statement: str) -> None:
    """Run a statement as the owner with all triggers off."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE NONE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
    be_the_service()


def differences(season: Season) -> list[str]:
    return [str(difference) for difference in club_differences(season.club_id)]


def of_ranking(season: Season) -> list[str]:
    """What is false of the season's ranking; no earlier part of an audit reads its caches."""
    start = {"section": (RANKING, season.ranking_id)}
    return [str(difference) for difference in club_differences(season.club_id, start)]


def first_row(table: str) -> str:
    """The place of the row that is changed: the first of those that a change is seen in."""
    condition = {
        "games_seat": "number = 2",
        "league_appearance": "rank IS NOT NULL",
        "league_logentry": "action = 'game.sealed'",
        "league_rankedgame": "over",
    }.get(table, "true")
    return f"(SELECT ctid FROM {table} WHERE {condition} ORDER BY ctid LIMIT 1)"


def change(table: str, column: str, value: str) -> None:
    forge(f'UPDATE {table} SET "{column}" = {value} WHERE ctid = {first_row(table)}')


def rebuild(season: Season) -> None:
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)


def test_a_club_that_nobody_tampered_with_has_no_differences(season: Season) -> None:
    assert differences(season) == []


def test_many_games_take_no_more_statements_than_few(transactional_db: None) -> None:
    few, many = [
        statements_of_audit(counted_season(records=three_tables(count))) for count in (3, 30)
    ]
    assert few == many


def statements_of_audit(season: Season) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert differences(season) == []
    return len(captured)


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table in CACHES for column in CACHES[table]]
)
def test_a_cached_cell_that_was_changed_is_named_and_mended(
    season: Season, table: str, column: str
) -> None:
    change(table, column, CACHES[table][column])
    assert of_ranking(season)
    rebuild(season)
    assert of_ranking(season) == []


@pytest.mark.parametrize("table", GONE)
def test_a_cached_row_that_is_gone_is_named_and_comes_back(season: Season, table: str) -> None:
    forge(f"DELETE FROM {table} WHERE ctid = {first_row(table)}")
    assert differences(season)
    rebuild(season)
    assert differences(season) == []


@pytest.mark.parametrize(
    ("table", "column"), [(table, column) for table in FACTS for column in FACTS[table]]
)
def test_a_fact_that_was_changed_is_named(season: Season, table: str, column: str) -> None:
    change(table, column, FACTS[table][column])
    assert any(club_differences(season.club_id))


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("games_game", "header", "replace(header, '\"v\":1', '\"v\": 1')"),
        ("games_round", "body", "set_byte(body, 0, get_byte(body, 0) | 128)"),
    ],
)
def test_another_form_that_tells_the_same_is_named_too(
    season: Season, table: str, column: str, value: str
) -> None:
    change(table, column, value)
    assert any(f".{column} " in text for text in differences(season))


def test_every_column_of_facts_and_caches_is_in_these_tables(season: Season) -> None:
    listed = {**CACHES, **FACTS}
    keys = {
        "league_rankedgame": {"ranking_id", "game_id"},
        "league_appearance": {"ranking_id", "game_id", "seat"},
        "league_ratingchange": {"ranking_id", "game_id"},
        "league_standing": {"ranking_id", "player_id"},
        "league_rating": {"ranking_id", "player_id"},
        "league_style": {"ranking_id", "player_id"},
        "league_gamestyle": {"game_id"},
        "games_game": {"id", "replaces_id"},
        "games_seat": {"game_id"},
        "games_round": {"game_id"},
        "league_seasongame": {"game_id"},
        "league_logentry": {"club_id"},
    }
    for table, known in keys.items():
        with connection.cursor() as cursor:
            columns = connection.introspection.get_table_description(cursor, table)
        assert {column.name for column in columns} == listed[table].keys() | known


def test_the_command_prints_every_difference_and_exits_with_1(season: Season) -> None:
    out = io.StringIO()
    call_command("verify", club=season.club.slug, stdout=out)
    assert out.getvalue() == f"{season.club.slug}: no differences.\n"
    change("league_standing", "points", "points + 1000")
    with pytest.raises(CommandError) as failed:
        call_command("verify", stdout=out)
    assert failed.value.returncode == 1
    assert "standing" in out.getvalue()
    kept = Audit.objects.filter(club=season.club_id).latest("pk")
    assert (kept.found, kept.differences[0]["column"]) == (len(kept.differences), "points")


def test_a_sealed_outcome_that_no_game_can_have_counts_and_is_noted(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = {key: value for key, value in bluff_record(1).items() if key not in ("rounds", "result")}
    head |= {"seats": ["anna", "ben", "cleo"], "opener": 0, "rules": {"scoring": "cntdice"}}
    with monkeypatch.context() as before:
        before.setattr("engine.record.check.impossible_end", lambda record: None)
        season = counted_season([head | {"outcome": {"rank": [1, 2, 3], "points": [15, 3, 2]}}])
    assert differences(season) == []
    output = io.StringIO()
    call_command("verify", club=season.club.slug, stdout=output)
    assert "note: game" in output.getvalue()
    assert "seat 1 on rank 2 has from 10 to 14, not 3" in output.getvalue()
    assert "no differences" in output.getvalue()
