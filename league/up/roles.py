"""The two roles of the database: the owner's migrates, the service's runs everything else.

A seal holds because the service's credentials can't break it: its role owns no table, so it can
neither disable a trigger nor rewrite a fact. Its rights follow from the models and are granted
again after each migration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Tags, register
from django.db import connection, transaction
from django.db.models import Model

from games.models.fact import Fact, sealed_columns
from league.environment.derived import database
from league.up.postgresql import too_old

CREDENTIALS = ("USER", "PASSWORD", "HOST", "PORT", "OPTIONS")
HINT = (
    "Let DATABASE_URL name a role of its own, and DATABASE_OWNER_URL the owner's: "
    "docker/README.md, “Two roles”."
)

READ_AND_ADD = "SELECT, INSERT"

# Each way in which a role could break a seal, with the condition that the connected role has it.
SIDE_DOORS = {
    "it can act as an administrator of the server": """
        EXISTS (
            SELECT FROM pg_roles WHERE pg_has_role(oid, 'MEMBER') AND (
                rolsuper OR rolcreaterole OR rolreplication OR rolbypassrls OR rolname IN
                ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')))""",
    "it owns tables": """
        EXISTS (
            SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND pg_has_role(relowner, 'MEMBER'))""",
    "it can make tables and functions": """
        has_schema_privilege('public', 'CREATE')
            OR has_database_privilege(current_database(), 'CREATE, TEMPORARY')""",
    "it can switch triggers off": """
        has_parameter_privilege('session_replication_role', 'SET')""",
    "it can delete facts": """
        EXISTS (
            SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%(facts)s)
                AND has_table_privilege(oid, 'DELETE, TRUNCATE, TRIGGER'))""",
    "it can change facts": """
        EXISTS (
            SELECT FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
            WHERE relnamespace = 'public'::regnamespace AND relname || '.' || attname = ANY(%(columns)s)
                AND has_column_privilege(attrelid, attnum, 'UPDATE'))""",
}


def has_one_role() -> bool:
    """Return True if only DATABASE_URL is set, so that the service's role also owns and migrates
    the tables."""
    return bool(settings.DATABASE_OWNER_URL == settings.DATABASE_URL)


@contextmanager
def connected_as(url: str) -> Iterator[None]:
    """Connect this thread to the same database as the role in a URI, during the block."""
    former_settings = connection.settings_dict
    other_settings = database(url)
    connection.close()
    connection.settings_dict = {
        **former_settings,
        **{key: other_settings[key] for key in CREDENTIALS},
    }
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict = former_settings


def facts() -> list[type[Fact]]:
    """Return all models whose rows are facts."""
    return [
        model for model in apps.get_models() if issubclass(model, Fact) and not model._meta.proxy
    ]


def rights(model: type[Model]) -> str:
    """Return the rights that the service has to a model's rows, in SQL."""
    if not issubclass(model, Fact):
        return f"{READ_AND_ADD}, UPDATE, DELETE"
    columns = ", ".join(
        f'"{field.column}"' for field in model._meta.concrete_fields if field.name in model.unsealed
    )
    if columns:
        return f"{READ_AND_ADD}, UPDATE ({columns})"
    return READ_AND_ADD


@transaction.atomic
def grant_rights() -> None:
    """Grant the service's role its rights, and take all others away. Call it as the owner;
    repeating it changes nothing."""
    quote = connection.ops.quote_name
    database_name = quote(connection.settings_dict["NAME"])
    service = quote(settings.DATABASES["default"]["USER"])
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        models = [
            model
            for model in apps.get_models(include_auto_created=True)
            if model._meta.db_table in tables
        ]
        statements = [
            f"REVOKE ALL ON DATABASE {database_name} FROM PUBLIC, {service}",
            f"GRANT CONNECT ON DATABASE {database_name} TO {service}",
            f"REVOKE ALL ON SCHEMA public FROM PUBLIC, {service}",
            f"GRANT USAGE ON SCHEMA public TO {service}",
            f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, {service}",
            f"GRANT SELECT ON django_migrations TO {service}",
        ]
        for model in models:
            table = quote(model._meta.db_table)
            statements.append(f"GRANT {rights(model)} ON {table} TO {service}")
        cursor.execute("; ".join(statements))


def side_doors() -> list[str]:
    """Return the ways in which the connected role could break a seal; empty if there are none."""
    arguments = {
        "facts": [model._meta.db_table for model in facts()],
        "columns": [
            f"{model._meta.db_table}.{column}"
            for model in facts()
            for column in sealed_columns(model, model.unsealed)
        ],
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT " + ", ".join(f"({condition})" for condition in SIDE_DOORS.values()), arguments
        )
        return [
            door for door, is_open in zip(SIDE_DOORS, cursor.fetchone(), strict=True) if is_open
        ]


@register(Tags.database)
def check_service_role(
    *,
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **kwargs: Any,
) -> list[CheckMessage]:
    """Report a role that could break a seal: as an error in a real service, as a warning in a
    checkout."""
    if not databases or too_old():
        return []
    doors = side_doors()
    if not doors:
        return []
    kind = checks.Error if settings.STATIC_COLLECTED else checks.Warning
    user = settings.DATABASES["default"]["USER"]
    return [
        kind(
            f"The service's role {user} could break the seals: {', '.join(doors)}.",
            hint=HINT,
            id="league.roles",
        )
    ]
