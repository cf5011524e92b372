"""The tests' database: migrated once as a template, cloned for each process that tests, emptied
between tests.

The template says in a comment of what it was migrated; as long as that is the same, a later run
takes it as it is."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit

import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from pytest_django import DjangoDbBlocker

from league.up import embedded, roles

TRIGGERS_OFF = "-c session_replication_role=replica"
STAYING = {"auth_permission", "django_content_type", "django_migrations"}
"""The tables whose rows follow from the models."""
PACKAGES = ("django", "django-allauth", "django-axes", "django-pgtrigger")
TABLES = (
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
)


def connect_as_owner(options: str = "", name: str | None = None) -> psycopg.Connection[TupleRow]:
    """A connection of its own to the tests' database, or to another one of that server."""
    name = name or connection.settings_dict["NAME"]
    return psycopg.connect(
        make_conninfo(settings.DATABASE_OWNER_URL, dbname=name, options=options), autocommit=True
    )


def base_name() -> str:
    """The name of the migrated template; those of its clones begin with it."""
    return f"test_{conninfo_to_dict(settings.DATABASE_URL)['dbname']}"


def address(url: str, name: str) -> str:
    """The URI of the database of that name on the same server."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()


def schema_key() -> str:
    """A digest of all that the schema follows from: models, migrations, rights, versions of the
    apps around ours."""
    versions = [f"{package} {version(package)}" for package in PACKAGES]
    files = [Path(roles.__file__)]
    for app in apps.get_app_configs():
        files += [
            file
            for file in Path(app.path).rglob("*.py")
            if {"migrations", "models"} & {*file.parts, file.stem}
        ]
    return digest_of(files, *versions)


def digest_of(files: Iterable[Path], *words: str) -> str:
    """A digest of files and words."""
    digest = hashlib.sha256("\n".join(words).encode())
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def make_template(name: str, key: str, fill: Callable[[], None], source: str = "template1") -> None:
    """Have a database of that name, which `fill` has filled; the first process makes it, the others
    wait."""
    with connect_as_owner(name="postgres") as server:
        server.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])
        comment = server.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s",
            [name],
        ).fetchone()
        if comment == (key,):
            return
        create(server, name, source)
        fill()
        server.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(sql.Identifier(name), key))
        (embedded.var_dir() / "template").touch()  # worth keeping: tests/servers.py


def make_migrated() -> str:
    """Have the migrated template; its name."""
    name = base_name()

    def migrate() -> None:
        with connected_to(name):
            call_command("migrate", interactive=False, verbosity=0)

    make_template(name, schema_key(), migrate)
    return name


def migrate_unsquashed(app: str, name: str) -> None:
    """Bring an empty database to a migration by those that are squashed by now, as former versions
    did."""
    with roles.connected_as(settings.DATABASE_OWNER_URL):
        executor = MigrationExecutor(connection)
        executor.loader = MigrationLoader(connection, replace_migrations=False)
        executor.migrate([(app, name)])


@contextmanager
def lasting(blocker: DjangoDbBlocker) -> Iterator[None]:
    """What is made in the block stays for the tests of a module, each of which leaves it as it was;
    then it goes."""
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Let this process use the database of that name, for the block."""
    before = connection.settings_dict["NAME"]
    connect_to(name)
    try:
        yield
    finally:
        connect_to(before)


def connect_to(name: str) -> None:
    """Let this process use the database of that name."""
    connection.close()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name


@contextmanager
def clone(template: str, use: str = "") -> Iterator[str]:
    """A copy of a template for this process, another one for each `use`; its name."""
    name = f"{template}{use}_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with connect_as_owner(name="postgres") as server:
        create(server, name, template)
    yield name
    with connect_as_owner(name="postgres") as server:
        drop(server, name)


def create(server: psycopg.Connection[TupleRow], name: str, source: str) -> None:
    """Make a copy of a database, its rights included."""
    drop(server, name)
    database, service = (
        sql.Identifier(name),
        sql.Identifier(str(conninfo_to_dict(settings.DATABASE_URL)["user"])),
    )
    for statement in (
        sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
            database, sql.Identifier(source)
        ),
        sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(
            database
        ),  # as league.up.roles.grant_rights does
        sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, service),
    ):
        server.execute(statement)


def drop(server: psycopg.Connection[TupleRow], name: str) -> None:
    """Drop a database if it is there, whoever is connected to it."""
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def empty() -> None:
    """Delete all rows but those that follow from the models, facts included.

    TRUNCATE costs several times as much: it makes new files for a table and its indexes. VACUUM
    gives the pages back, so that rows lie again in the order in which they were written."""
    with connect_as_owner(TRIGGERS_OFF) as owner:
        tables = [name for (name,) in owner.execute(TABLES) if name not in STAYING]
        filled = owner.execute(
            joined("SELECT {0} WHERE EXISTS (SELECT FROM {1})", tables, " UNION ALL ")
        ).fetchall()
        names = [name for (name,) in filled]
        if names:
            owner.execute(joined("DELETE FROM {1}", names, "; "))
            owner.execute(sql.SQL("VACUUM {}").format(joined("{1}", names, ", ")))


def joined(statement: LiteralString, tables: Sequence[str], sign: LiteralString) -> sql.Composed:
    """A statement for each table, in which {0} is its name as a text and {1} the table."""
    return sql.SQL(sign).join(
        sql.SQL(statement).format(name, sql.Identifier(name)) for name in tables
    )
