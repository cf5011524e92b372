"""A seal has no side door: what the service's role tries against facts is refused, whatever the
statement.

A new model of facts is tried by itself. A new kind of statement is a line of `ATTACKS` (`{table}` a
table of facts, `{seal}` the trigger before it, `{key}` its primary key, `{column}` a sealed column)
or of `ATTACKS_ON_ALL`."""

from __future__ import annotations

from itertools import product

import pgtrigger
import psycopg
import pytest
from django.conf import settings
from django.db import ProgrammingError, connection, transaction
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from games.models import Game, Round, Seat
from games.models.fact import Fact, Sealed, sealed_columns
from league.up.roles import facts, side_doors

OWNER = conninfo_to_dict(settings.DATABASE_OWNER_URL)["user"]
ATTACKS = [
    "DELETE FROM {table}",
    "TRUNCATE {table}",
    "TRUNCATE {table} CASCADE",
    "MERGE INTO {table} USING (SELECT 1) AS other ON true WHEN MATCHED THEN DELETE",
    (
        "INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({key}) DO UPDATE SET {column} = "
        "excluded.{column}"
    ),
    "WITH gone AS (DELETE FROM {table} RETURNING *) SELECT * FROM gone",
    "DO $$ BEGIN EXECUTE 'DELETE FROM {table}'; END $$",
    "LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE",
    "DROP TABLE {table} CASCADE",
    "DROP TRIGGER {seal} ON {table}",
    "DROP FUNCTION {seal}() CASCADE",
    (
        "CREATE OR REPLACE FUNCTION {seal}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN "
        "NEW; END'"
    ),
    "ALTER FUNCTION {seal}() RENAME TO unsealed",
    "ALTER TRIGGER {seal} ON {table} RENAME TO unsealed",
    "ALTER TABLE {table} DISABLE TRIGGER ALL",
    "ALTER TABLE {table} DISABLE TRIGGER USER",
    "ALTER TABLE {table} DISABLE TRIGGER {seal}",
    "ALTER TABLE {table} OWNER TO CURRENT_USER",
    "ALTER TABLE {table} RENAME TO elsewhere",
    "ALTER TABLE {table} ADD COLUMN more integer",
    "ALTER TABLE {table} DROP COLUMN {column} CASCADE",
    "ALTER TABLE {table} ALTER COLUMN {column} TYPE text",
    "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
    "CREATE TRIGGER other BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {seal}()",
    "CREATE RULE other AS ON INSERT TO {table} DO INSTEAD NOTHING",
    "CREATE INDEX other ON {table} ({column})",
    "CREATE TABLE other () INHERITS ({table})",
    "CREATE TEMPORARY TABLE {table} (id bigint)",
    "COPY {table} FROM PROGRAM 'true'",
    "COPY {table} TO '/tmp/facts'",
    "UPDATE pg_trigger SET tgenabled = 'D' WHERE tgrelid = '{table}'::regclass",
    "UPDATE pg_class SET relacl = NULL WHERE oid = '{table}'::regclass",
    "DELETE FROM pg_trigger WHERE tgrelid = '{table}'::regclass",
]
ATTACKS_ON_ALL = [
    "SET session_replication_role = replica",
    "SELECT set_config('session_replication_role', 'replica', false)",
    "ALTER ROLE CURRENT_USER SET session_replication_role = replica",
    "GRANT SET ON PARAMETER session_replication_role TO CURRENT_USER",
    f"SET ROLE {OWNER}",
    f"SET SESSION AUTHORIZATION {OWNER}",
    f"GRANT {OWNER} TO CURRENT_USER",
    f"ALTER ROLE {OWNER} PASSWORD 'guessed'",
    f"REASSIGN OWNED BY {OWNER} TO CURRENT_USER",
    f"DROP OWNED BY {OWNER} CASCADE",
    f"ALTER DEFAULT PRIVILEGES FOR ROLE {OWNER} GRANT ALL ON TABLES TO CURRENT_USER",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "GRANT pg_write_all_data TO CURRENT_USER",
    "CREATE ROLE other SUPERUSER",
    "CREATE SCHEMA other",
    "CREATE TABLE other (id bigint)",
    "CREATE FUNCTION other() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
    "CREATE EVENT TRIGGER other ON ddl_command_start EXECUTE FUNCTION other()",
    "DROP EXTENSION plpgsql CASCADE",
    "DROP SCHEMA public CASCADE",
    "ALTER SCHEMA public OWNER TO CURRENT_USER",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "SELECT pg_read_file('postgresql.conf')",
    "DELETE FROM django_migrations",
    "SELECT setval('games_game_id_seq', 1)",
]
UPDATES = [
    f'UPDATE {model._meta.db_table} SET "{column}" = "{column}"'
    for model in facts()
    for column in sealed_columns(model, model.unsealed)
]


def seal(model: type[Fact]) -> str:
    """The name of the seal of a model, in the database."""
    return Sealed(model.unsealed).arguments(model)["pgid"]


def against(model: type[Fact], attack: str) -> str:
    """The attack on the model's table."""
    key = ", ".join(str(field.column) for field in model._meta.pk_fields)
    column = sealed_columns(model, model.unsealed)[0]
    return attack.format(table=model._meta.db_table, seal=seal(model), key=key, column=column)


def test_games_seats_and_rounds_are_facts() -> None:
    assert {Game, Seat, Round} <= set(facts())


def is_forbidden(statement: str) -> bool:
    """Return True if the service lacks the privilege for a statement."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except ProgrammingError as error:
        return isinstance(error.__cause__, errors.InsufficientPrivilege)
    return False


@pytest.mark.django_db
def test_the_service_may_not() -> None:
    attacks = [against(model, attack) for model, attack in product(facts(), ATTACKS)]
    statements = [*UPDATES, *attacks, *ATTACKS_ON_ALL]
    assert [statement for statement in statements if not is_forbidden(statement)] == []


@pytest.mark.django_db
def test_the_service_gives_itself_no_rights() -> None:
    with connection.cursor() as cursor:
        for model, rights in product(facts(), ["UPDATE", "ALL", "TRIGGER, TRUNCATE"]):
            # PostgreSQL only warns.
            cursor.execute(f"GRANT {rights} ON {model._meta.db_table} TO CURRENT_USER")
    assert side_doors() == []


def test_the_owner_does_not_rewrite_facts_by_mistake(owner: psycopg.Connection[TupleRow]) -> None:
    for model in facts():
        table, columns = model._meta.db_table, sealed_columns(model, model.unsealed)
        owner.execute("SELECT set_config('pgtrigger.ignore', %s, false)", [f"{{{seal(model)}}}"])
        for statement in (
            *(f'UPDATE {table} SET "{column}" = "{column}"' for column in columns),
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
        ):
            # A table that is emptied along with this one says its own name.
            with pytest.raises(errors.RaiseException, match=f"on {table} is refused"):
                owner.execute(statement.encode())


def test_an_unsealed_field_is_left_out_of_the_seal() -> None:
    assert '"body"' in Sealed([]).arguments(Round)["operation"]
    assert '"body"' not in Sealed(["body"]).arguments(Round)["operation"]


def test_an_unsealed_field_has_a_guard_of_its_own() -> None:
    guarded = {
        model._meta.label
        for model, trigger in pgtrigger.registered()
        if not isinstance(trigger, Sealed) and "UPDATE" in str(trigger.operation)
    }
    assert {model._meta.label for model in facts() if model.unsealed} <= guarded


@pytest.mark.django_db
def test_no_trigger_before_a_fact_can_be_switched_off_by_a_setting() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT "
            "tgisinternal AND tgrelid::regclass::text = ANY(%s) AND (prosrc LIKE "
            "'%%_pgtrigger_should_ignore%%' OR proconfig IS NULL)",
            [[model._meta.db_table for model in facts()]],
        )
        assert cursor.fetchall() == []
