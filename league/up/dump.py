"""Backups of the database, each in a folder, and restoring them.

The tables' owner dumps and restores: the service's role can't read sequences and owns nothing. What
follows from the models (rights, triggers' owner) isn't in the dump; a restore makes it again."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC
from pathlib import Path
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from league.up import children, embedded
from league.up.launch import launch_command
from league.up.roles import HINT, connected_as, has_one_role
from league.up.schema import migrations_on_disk, schema_update
from league.up.supervisor import sole_supervisor

DUMP: Final = "database.dump"
MANIFEST: Final = "backup.json"
ERASURES: Final = "erased.txt"
"""Put beside the dump before a restore: ids of players erased since, one a line."""
UNFINISHED: Final = ".unfinished"
MOMENT: Final = """
    SELECT now(), pg_export_snapshot(), (SELECT json_object_agg(app, name ORDER BY app) FROM (
        SELECT DISTINCT ON (app) app, name FROM django_migrations
        ORDER BY app, substring(name FROM '^(?:\\d+_squashed_)?(\\d+)') DESC, id DESC
    ) newest)
"""
"""The time of a backup, its snapshot, and the last migration of each app.

If the last migration was replaced by a squashed one, the squashed one is meant: later versions have
only that."""


class DumpError(RuntimeError):
    """There is no backup, or it can't be restored; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Backup:
    """The contents of `backup.json`. `migrations`: the last one of each app; `made_at`: in UTC;
    `secret_key`: the fingerprint of the service's key at that time."""

    version: str
    made_at: str
    postgresql: str
    migrations: dict[str, str]
    sha256: str
    secret_key: str


def backup_make(folder: Path) -> Backup:
    """Dump the database into a folder, which appears once it is complete and replaces a former
    backup.

    Raise `DumpError` if that fails; the folder is then as it was.
    """
    _refuse_one_role()
    former = _former_backup(folder)
    new_folder = folder.with_name(folder.name + UNFINISHED)
    shutil.rmtree(new_folder, ignore_errors=True)
    new_folder.mkdir(mode=0o700, parents=True)
    try:
        backup = _dump(new_folder)
        _write_private(new_folder / MANIFEST, json.dumps(asdict(backup), indent=2) + "\n")
        if former and (former / ERASURES).exists():
            _write_private(new_folder / ERASURES, (former / ERASURES).read_text())
        _replace_folder(new_folder, folder)
    except BaseException:
        shutil.rmtree(new_folder, ignore_errors=True)
        raise
    return backup


def backup_read(folder: Path) -> Backup:
    """Return the backup in a folder. Raise `DumpError` if it isn't one, or its dump has changed."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        values = {field.name: manifest[field.name] for field in fields(Backup)}
        migrations = dict(manifest["migrations"])
        values["migrations"] = {str(app): str(name) for app, name in migrations.items()}
        backup = Backup(**values)
        digest = _digest(folder / DUMP)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DumpError(
            f"{folder} is no backup: {MANIFEST} or {DUMP} is missing or can't be read."
        ) from error
    if digest != backup.sha256:
        raise DumpError(
            f"{folder / DUMP} isn't what was written: its SHA-256 differs. Take another backup."
        )
    return backup


def backup_restore(folder: Path, backup: Backup) -> bool:
    """Restore a backup into the database, which has to be empty, and migrate it. Return True if the
    backup's schema was older. Raise `DumpError` before anything is written, if it can't be
    restored."""
    _refuse_one_role()
    _refuse_newer_backup(backup)
    with connected_as(settings.DATABASE_OWNER_URL):
        if connection.introspection.table_names(include_views=True):
            advice = _advice_on_empty_database()
            raise DumpError(f"The database isn't empty, and nothing in it is overwritten. {advice}")
    with _connect_as_owner() as owner:
        service = settings.DATABASES["default"]
        _make_role(owner, service["USER"], service["PASSWORD"])
    arguments = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
    _run("pg_restore", [*arguments, str((folder / DUMP).resolve())], folder)
    return schema_update()


def fingerprint(secret_key: str) -> str:
    """Return a fingerprint that distinguishes keys without revealing them; it is slow, so that weak
    keys can't be guessed."""
    return hashlib.scrypt(
        secret_key.encode(), salt=b"cups-up/secret-key/1", n=2**14, r=8, p=1, dklen=8
    ).hex()


def service_version() -> str:
    """Return the version of this checkout."""
    with (embedded.CHECKOUT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


@contextmanager
def database_running() -> Iterator[None]:
    """Run the block with a database: start the embedded PostgreSQL for it, unless that is running
    or another server is used."""
    if not settings.LOCAL or embedded.postgres_ready():
        yield
        return
    with sole_supervisor(None):
        server = children.postgres()
        server.start()
        try:
            children.wait_until_ready([server], tell=lambda message: None)
            yield
        finally:
            connection.close()
            server.stop()


def _former_backup(folder: Path) -> Path | None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return None
    if not (folder / MANIFEST).exists():
        raise DumpError(
            f"{folder} exists and contains no backup. Name a folder that is new or empty."
        )
    return folder


def _dump(folder: Path) -> Backup:
    """Dump the database into a folder; the description returned is of the same moment as the
    dump."""
    with _connect_as_owner() as owner, owner.transaction():
        owner.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        try:
            (moment,) = owner.execute(MOMENT)
        except psycopg.errors.UndefinedTable as error:
            raise DumpError(
                "The database has no tables yet: there is nothing to back up."
            ) from error
        made_at, snapshot, migrations = moment
        _run("pg_dump", ["--format=custom", f"--snapshot={snapshot}", f"--file={DUMP}"], folder)
        with (folder / DUMP).open("rb") as file:
            os.fsync(file.fileno())
        return Backup(
            version=service_version(),
            made_at=made_at.astimezone(UTC).isoformat(timespec="seconds"),
            postgresql=owner.info.parameter_status("server_version") or "",
            migrations=migrations,
            sha256=_digest(folder / DUMP),
            secret_key=fingerprint(settings.SECRET_KEY),
        )


def _replace_folder(new_folder: Path, folder: Path) -> None:
    old_folder = folder.with_name(folder.name + ".former")
    shutil.rmtree(old_folder, ignore_errors=True)
    if folder.exists():
        folder.rename(old_folder)
    new_folder.rename(folder)
    parent_descriptor = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(parent_descriptor)
    finally:
        os.close(parent_descriptor)
    shutil.rmtree(old_folder, ignore_errors=True)


def _refuse_one_role() -> None:
    if has_one_role() and settings.STATIC_COLLECTED:
        raise DumpError(
            f"The owner of the tables dumps and restores, never the service's role. {HINT}"
        )


def _refuse_newer_backup(backup: Backup) -> None:
    unknown = set(backup.migrations.items()) - migrations_on_disk()
    if unknown or _version_numbers(backup.version) > _version_numbers(service_version()):
        names = "".join(f" It doesn't know {app}.{name}." for app, name in sorted(unknown))
        raise DumpError(
            f"The backup was made by version {backup.version}, and this is "
            f"{service_version()}.{names} Restore it with version {backup.version} or a later one."
        )


def _version_numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _advice_on_empty_database() -> str:
    if settings.LOCAL:
        return (
            f"Stop the service and name a new folder by CUPS_UP_VAR, or move {embedded.var_dir()} "
            "away; secret-key in it is the service's key: copy it over."
        )
    owner = conninfo_to_dict(settings.DATABASE_OWNER_URL).get("user")
    name = connection.settings_dict["NAME"]
    return (
        f"Stop the service and make an empty one: DROP DATABASE {name}; "
        f"CREATE DATABASE {name} OWNER {owner};"
    )


def _make_role(owner_connection: psycopg.Connection[TupleRow], role: str, password: str) -> None:
    if role in {name for name, *_ in owner_connection.execute("TABLE pg_roles")}:
        return
    try:
        owner_connection.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                sql.Identifier(role), sql.Literal(password)
            )
        )
    except psycopg.errors.InsufficientPrivilege as error:
        raise DumpError(
            f"The server has no role {role}, and the owner may not make one. As its administrator: "
            f"CREATE ROLE {role} LOGIN PASSWORD '…'; with the password that DATABASE_URL names."
        ) from error


def _connect_as_owner() -> psycopg.Connection[TupleRow]:
    return psycopg.connect(make_conninfo(**_owner_conninfo()), autocommit=True)


def _owner_conninfo() -> dict[str, Any]:
    return {
        **conninfo_to_dict(settings.DATABASE_OWNER_URL),
        "dbname": connection.settings_dict["NAME"],
    }


def _run(name: str, arguments: Sequence[str], folder: Path) -> None:
    info = _owner_conninfo()
    password = info.pop("password", None)  # goes into the environment: everybody may read arguments
    environment = dict(os.environ)
    if password:
        environment["PGPASSWORD"] = password
    command: list[str | Path] = [
        _program(name),
        f"--dbname={make_conninfo(**info)}",
        "--no-password",
        *arguments,
    ]
    result = subprocess.run(
        launch_command(command, folder=folder.resolve()),
        env=environment,
        umask=0o077,
        capture_output=True,
        text=True,
    )
    if result.returncode:
        raise DumpError(f"{name} failed: {result.stderr.strip()}")


def _program(name: str) -> Path:
    """Return the path of a program of PostgreSQL that fits the server. If the server isn't the
    embedded one, programs installed with it fit best; then come the packaged ones."""
    with _connect_as_owner() as owner:
        server_version = owner.info.server_version // 10_000
    installed = None if settings.LOCAL else shutil.which(name)
    programs = [Path(installed)] if installed else []
    with suppress(embedded.ServersError):
        programs.append(embedded.postgres_program(name))
    for program in programs:
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        version_numbers = _version_numbers(version)
        if version_numbers and _fits(version_numbers[0], server_version):
            return program
    wanted = "16" if server_version == 16 else f"{server_version} or newer"
    raise DumpError(f"There is no {name} of PostgreSQL {wanted} here. Install its client programs.")


def _fits(program_version: int, server_version: int) -> bool:
    """Programs aren't older than the server. Since 17, `pg_restore` sets a parameter that 16
    doesn't know."""
    if server_version == 16:
        return program_version == 16
    return program_version >= server_version


def _write_private(file: Path, content: str) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
