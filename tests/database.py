"""The tests' database: migrated once as a template, cloned for each process that tests, emptied between tests.

The template says in a comment of what it was migrated; as long as that is the same, a later run takes it as it is.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import LiteralString

import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from league.up import embedded
from league.up.roles import connected_as, grant_rights

TRIGGERS_OFF = "-c session_replication_role=replica"
STAYING = {"auth_permission", "django_content_type", "django_migrations"}
"""The tables whose rows follow from the models."""
LOCK = 20_261_123
"""Of the session that makes the template."""
TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"


def connect_as_owner(options: str = "", name: str | None = None) -> psycopg.Connection[TupleRow]:
    """A connection of its own to the tests' database, or to another one of that server."""
    name = name or connection.settings_dict["NAME"]
    return psycopg.connect(make_conninfo(settings.DATABASE_OWNER_URL, dbname=name, options=options), autocommit=True)


def schema_key() -> str:
    """A digest of all that the template follows from: models, migrations, and the versions of the apps around ours."""
    digest = hashlib.sha256()
    for package in sorted({"django", "django-allauth", "django-axes", "django-pgtrigger"}):
        digest.update(f"{package} {version(package)}\n".encode())
    for app in apps.get_app_configs():
        for file in sorted(Path(app.path).rglob("*.py")):
            if {"migrations", "models"} & {*file.parent.parts, file.stem}:
                digest.update(file.read_bytes())
    return digest.hexdigest()


def make_template(name: str) -> None:
    """Have a migrated database of that name; the first process makes it, the others wait."""
    key, database = schema_key(), sql.Identifier(name)
    with connect_as_owner(name="postgres") as server:
        server.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        comment = server.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s", [name]
        ).fetchone()
        if comment == (key,):
            return
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(database))
        server.execute(sql.SQL("CREATE DATABASE {}").format(database))
        with connected_to(name):
            call_command("migrate", interactive=False, verbosity=0)
        server.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(database, key))
        (embedded.var_dir() / "template").touch()  # worth keeping: tests/servers.py


def connect_to(name: str) -> None:
    """Let this process use the database of that name."""
    connection.close()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Let this process use the database of that name, for the block."""
    before = connection.settings_dict["NAME"]
    connect_to(name)
    try:
        yield
    finally:
        connect_to(before)


@contextmanager
def clone(template: str, name: str) -> Iterator[None]:
    """A copy of the template, which this process uses for the block as the service's role."""
    database = sql.Identifier(name)
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(database)
    with connect_as_owner(name="postgres") as server:
        server.execute(drop)
        server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(database, sql.Identifier(template))
        )
    with connected_to(name):
        with connected_as(settings.DATABASE_OWNER_URL):
            grant_rights()
        yield
    with connect_as_owner(name="postgres") as server:
        server.execute(drop)


def empty() -> None:
    """Delete all rows but those that follow from the models, facts included.

    TRUNCATE costs several times as much: it makes new files for a table and its indexes. VACUUM gives the pages back,
    so that rows lie again in the order in which they were written.
    """
    with connect_as_owner(TRIGGERS_OFF) as owner:
        tables = [name for (name,) in owner.execute(TABLES) if name not in STAYING]
        filled = owner.execute(joined("SELECT {0} WHERE EXISTS (SELECT FROM {1})", tables, " UNION ALL ")).fetchall()
        names = [name for (name,) in filled]
        if names:
            owner.execute(joined("DELETE FROM {1}", names, "; "))
            owner.execute(sql.SQL("VACUUM {}").format(joined("{1}", names, ", ")))


def joined(statement: LiteralString, tables: Sequence[str], sign: LiteralString) -> sql.Composed:
    """A statement for each table, in which {0} is its name as a text and {1} the table."""
    return sql.SQL(sign).join(sql.SQL(statement).format(name, sql.Identifier(name)) for name in tables)
