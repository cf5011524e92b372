"""A backup is the whole database, and a restore is checked to the last digit; whoever was erased
since stays so."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from games.models import Round
from league.core.erasures_file import erasures_read
from league.core.frame.cache import Cache
from league.core.log.services import Actor
from league.management.commands.restore import FORMER_KEY, SAME_KEY
from league.models import ImportJob, Part, Player, Role, Season
from league.play.online_table.services.game import table_act
from league.play.online_table.services.guest import guest_erase
from league.play.online_table.services.lobby import (
    online_table_open,
    seat_leave,
    seat_take,
    table_start,
)
from league.records.upload.services import import_job_create
from league.site.erasure.services.erasure import player_erase
from league.up import dump, embedded
from league.up.dump import DumpError, backup_make, backup_read, fingerprint, service_version
from league.up.host import Host
from league.up.parts import PartHeartbeat, parts_hear
from league.up.roles import side_doors
from league.up.schema import migrations_on_disk
from tests.architecture.checkout import ROOT
from tests.database import address, connect_as_owner, connected_to, create, drop, migrate_unsquashed
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.records import bluff_record, line
from tests.league.play.online_table.logged import RULES, SETTINGS

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = sorted(file.parent for file in (ROOT / "tests" / "data").glob("*/backup.json"))
"""Backups that released versions have made."""
EMPTY = "template1"


@pytest.fixture(autouse=True)
def _redis_is_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is taken from the Redis that tests beside this one use, too."""
    monkeypatch.setattr(Cache, "clear", lambda cache: None)


@pytest.fixture
def erasures(tmp_path: Path, settings: Any) -> Path:
    settings.ERASURES_FILE = tmp_path / "kept" / "erased.txt"
    settings.ERASURES_FILE.parent.mkdir()
    return Path(settings.ERASURES_FILE)


@pytest.fixture
def season(erasures: Path) -> Season:
    return counted_season(
        [bluff_record(seed, seats=("wilhelmine", "ben", "cleo")) for seed in range(3)]
    )


@pytest.fixture
def backup(season: Season, tmp_path: Path) -> Path:
    """A backup of a season with three games."""
    call_command("backup", str(tmp_path / "backup"))
    return tmp_path / "backup"


@contextmanager
def another_database(source: str = EMPTY) -> Iterator[None]:
    """Use a database of its own on the tests' server, for the block: an empty one, or a copy."""
    name = f"test_restored_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with connect_as_owner(name="postgres") as server:
        create(server, name, source)
        try:
            with connected_to(name):
                yield
        finally:
            drop(server, name)


def schema(folder: Path) -> list[str]:
    """All that makes the schema of the database in use, rights included, as lines of SQL.

    Casts and parentheses are left out: PostgreSQL writes them in another way once a database was
    restored."""
    file = folder / "schema.sql"
    dump._run("pg_dump", ["--schema-only", f"--file={file.name}"], folder)
    lines = re.sub(r"::(character varying|\w+)(\[\])?|[()]", "", file.read_text()).splitlines()
    return [
        line for line in lines if not line.startswith(("\\restrict", "\\unrestrict"))
    ]  # a key of each dump


def rewrite(folder: Path, **members: Any) -> None:
    """Let a backup tell other things of itself."""
    manifest = folder / dump.MANIFEST
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | members))


def holders(word: str) -> set[str]:
    """The tables with a row that has a word anywhere, whatever its capitals; bytes are searched,
    too."""
    with connect_as_owner() as owner:
        tables = [
            name
            for (name,) in owner.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            )
        ]
        return {table for table in tables if holds(owner, table, word)}


def holds(owner: psycopg.Connection[TupleRow], table: str, word: str) -> bool:
    statement = sql.SQL(
        "SELECT EXISTS (SELECT FROM {} AS one"
        " WHERE one::text ILIKE {text} OR one::text ILIKE {bytes})"
    ).format(sql.Identifier(table), text=f"%{word}%", bytes=f"%{word.encode().hex()}%")
    (answer,) = owner.execute(statement).fetchone() or (True,)
    return bool(answer)


class TestBackup:
    """What `manage.py backup` leaves."""

    def test_it_tells_what_it_is_and_nothing_that_is_secret(self, backup: Path) -> None:
        assert {file.name for file in backup.iterdir()} == {"database.dump", "backup.json"}
        manifest = json.loads((backup / "backup.json").read_text())
        assert manifest["version"] == service_version()
        assert (
            manifest["sha256"]
            == hashlib.sha256((backup / "database.dump").read_bytes()).hexdigest()
        )
        assert set(manifest["migrations"].items()) < migrations_on_disk()
        assert set(manifest["migrations"].items()) == set(
            MigrationLoader(connection).graph.leaf_nodes()
        )
        version = connection.connection.info.server_version // 10_000
        assert manifest["postgresql"].startswith(str(version))
        assert manifest["secret_key"] == fingerprint(settings.SECRET_KEY)
        assert not any(
            settings.SECRET_KEY.encode() in file.read_bytes() for file in backup.iterdir()
        )

    def test_nobody_else_may_read_it(self, backup: Path) -> None:
        assert stat.S_IMODE(backup.stat().st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) for file in backup.iterdir()} == {0o600}

    def test_another_one_takes_its_place_and_keeps_who_was_erased(self, backup: Path) -> None:
        (backup / "erased.txt").write_text("abc\n")
        before = (backup / "backup.json").stat().st_ino
        backup_make(backup)
        assert (backup / "backup.json").stat().st_ino != before
        assert (backup / "erased.txt").read_text() == "abc\n"
        assert list(backup.parent.glob("backup*")) == [backup]

    def test_a_folder_with_anything_else_is_refused_and_stays(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.txt").write_text("all of it")
        with pytest.raises(
            CommandError, match=r"contains no backup\. Name a folder that is new or empty"
        ):
            call_command("backup", str(tmp_path))
        assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]

    def test_an_empty_folder_is_taken(self, tmp_path: Path) -> None:
        (tmp_path / "backup").mkdir()
        backup_make(tmp_path / "backup")
        assert backup_read(tmp_path / "backup").version == service_version()

    def test_half_a_backup_is_never_left(
        self, backup: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = (backup / "backup.json").read_text()
        monkeypatch.setattr(dump, "MANIFEST", "no/such/folder.json")
        with pytest.raises((DumpError, OSError)):
            backup_make(backup.parent / "second")
        assert sorted(file.name for file in backup.parent.iterdir()) == ["backup", "kept"]
        assert (backup / "backup.json").read_text() == before

    def test_what_a_backup_that_was_killed_has_left_goes_with_the_next(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "backup.unfinished").mkdir()
        (tmp_path / "backup.unfinished" / "database.dump").write_text("half")
        backup_make(tmp_path / "backup")
        assert [file.name for file in tmp_path.iterdir()] == ["backup"]

    def test_a_service_without_the_owners_role_is_told_so(
        self, settings: Any, tmp_path: Path
    ) -> None:
        settings.STATIC_COLLECTED, settings.DATABASE_OWNER_URL = True, settings.DATABASE_URL
        with pytest.raises(CommandError, match="DATABASE_OWNER_URL"):
            call_command("backup", str(tmp_path / "backup"))

    def test_a_database_without_tables_has_nothing_to_keep(self, tmp_path: Path) -> None:
        with another_database(), pytest.raises(CommandError, match="nothing to back up"):
            call_command("backup", str(tmp_path / "backup"))


class TestRestore:
    """What `manage.py restore` brings back."""

    def test_everything_is_there_and_sealed(
        self, backup: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        digests = sorted(bytes(digest) for digest in Round.objects.values_list("digest", flat=True))
        with another_database():
            call_command("restore", str(backup))
            assert (
                sorted(bytes(digest) for digest in Round.objects.values_list("digest", flat=True))
                == digests
            )
            assert side_doors() == []
            with connect_as_owner() as owner, pytest.raises(psycopg.errors.RaiseException):
                owner.execute("DELETE FROM games_round")
        printed = capsys.readouterr().out
        assert SAME_KEY in printed
        assert "no differences." in printed

    def test_no_host_of_the_time_of_the_backup_is_missed(
        self, season: Season, tmp_path: Path
    ) -> None:
        parts_hear(host=Host("1", "gone"), heard=[PartHeartbeat("web-1", 1.0, 0)])
        call_command("backup", str(tmp_path / "backup"))
        with another_database():
            call_command("restore", str(tmp_path / "backup"))
            assert not Part.objects.exists()

    def test_it_ends_as_verify_does(self, season: Season, tmp_path: Path) -> None:
        with connect_as_owner() as owner:
            owner.execute("UPDATE league_standing SET games = games + 1")
        call_command("backup", str(tmp_path / "backup"))
        with (
            another_database(),
            pytest.raises(CommandError, match="match the facts") as ended,
        ):
            call_command("restore", str(tmp_path / "backup"))
        assert ended.value.returncode == 1

    def test_a_database_that_isnt_empty_is_left_alone(self, backup: Path) -> None:
        with pytest.raises(CommandError, match=r"isn't empty.*CUPS_UP_VAR.*secret-key") as ended:
            call_command("restore", str(backup))
        assert ended.value.returncode == 2
        assert Player.objects.filter(handle="wilhelmine").exists()

    def test_on_a_server_of_ones_own_the_sentence_says_what_to_type(
        self, backup: Path, settings: Any
    ) -> None:
        settings.LOCAL = False
        name = connection.settings_dict["NAME"]
        with pytest.raises(CommandError, match=f"CREATE DATABASE {name} OWNER cupsup_owner"):
            call_command("restore", str(backup))

    @pytest.mark.parametrize(
        ("members", "sentence"),
        [
            (
                {"version": "99.1"},
                "made by version 99.1.*Restore it with version 99.1 or a later one",
            ),
            ({"migrations": {"league": "9999_to_come"}}, "doesn't know league.9999_to_come"),
            ({"sha256": "0" * 64}, "SHA-256 differs"),
            ({"migrations": None}, "is no backup"),
        ],
    )
    def test_what_it_can_not_know_is_refused(
        self, backup: Path, members: dict[str, Any], sentence: str
    ) -> None:
        rewrite(backup, **members)
        with another_database():
            with pytest.raises(CommandError, match=sentence) as ended:
                call_command("restore", str(backup))
            assert ended.value.returncode == 2
            assert connection.introspection.table_names() == []

    def test_a_folder_without_a_backup_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="is no backup"):
            call_command("restore", str(tmp_path))

    def test_a_dump_that_breaks_leaves_the_database_empty(self, backup: Path) -> None:
        broken = (backup / "database.dump").read_bytes()[:-2000]
        (backup / "database.dump").write_bytes(broken)
        rewrite(backup, sha256=hashlib.sha256(broken).hexdigest())
        with another_database():
            with pytest.raises(CommandError, match="pg_restore failed"):
                call_command("restore", str(backup))
            assert connection.introspection.table_names() == []

    def test_a_backup_of_an_older_schema_is_migrated(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], erasures: Path
    ) -> None:
        squashed = schema(tmp_path)
        with another_database():
            migrate_unsquashed("league", "0007_letter_links")
            old = backup_make(tmp_path / "backup")
        assert old.migrations["league"] == "0007_letter_links"
        with another_database():
            call_command("restore", str(tmp_path / "backup"))
            assert "brought up to this version" in capsys.readouterr().out
            call_command("migrate", check_unapplied=True, verbosity=0)
            assert schema(tmp_path) == squashed, (
                "squashed migrations make what the former ones made"
            )

    def test_a_role_that_is_missing_is_made(self) -> None:
        role = f"cupsup_new_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
        with connect_as_owner() as owner:
            try:
                dump._make_role(owner, role, "secret")
                dump._make_role(owner, role, "secret")
                rows = owner.execute(
                    "SELECT rolcanlogin, rolsuper FROM pg_roles WHERE rolname = %s", [role]
                ).fetchall()
                assert rows == [(True, False)]
            finally:
                owner.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))

    def test_an_owner_who_may_make_no_role_says_who_has_to(self) -> None:
        with connect_as_owner() as owner:
            owner.execute(
                sql.SQL("SET ROLE {}").format(sql.Identifier(settings.DATABASES["default"]["USER"]))
            )
            with pytest.raises(DumpError, match="administrator: CREATE ROLE cupsup_new LOGIN"):
                dump._make_role(owner, "cupsup_new", "secret")

    def test_a_former_key_is_known_and_another_one_costs_what_it_says(
        self, backup: Path, settings: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = settings.SECRET_KEY
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new one", [before]
        with another_database():
            call_command("restore", str(backup))
        assert FORMER_KEY in capsys.readouterr().out
        settings.SECRET_KEY_FALLBACKS = []
        with another_database():
            call_command("restore", str(backup))
        printed = capsys.readouterr().out
        assert f"another SECRET_KEY (fingerprint {fingerprint(before)}" in printed
        assert "everybody signs in again" in printed
        assert before not in printed


class TestErasures:
    """Who is erased after a backup was made is erased again when it is restored."""

    def erase(self, handle: str) -> str:
        player = Player.objects.get(handle=handle)
        player_erase(player=player, actor=Actor())
        return str(player.public_id)

    def test_an_erasure_is_written_beside_the_database(
        self, season: Season, erasures: Path
    ) -> None:
        public_ids = [self.erase("wilhelmine"), self.erase("ben")]
        assert erasures.read_text().split() == public_ids
        assert stat.S_IMODE(erasures.stat().st_mode) == 0o600

    def test_nobody_is_erased_of_whom_the_file_can_not_be_told(
        self, season: Season, settings: Any
    ) -> None:
        settings.ERASURES_FILE = settings.ERASURES_FILE / "no" / "folder"
        with pytest.raises(OSError, match="folder"):
            self.erase("wilhelmine")
        assert Player.objects.filter(handle="wilhelmine").exists()

    @pytest.mark.parametrize("beside_the_dump", [True, False])
    def test_no_name_comes_back(
        self,
        backup: Path,
        erasures: Path,
        capsys: pytest.CaptureFixture[str],
        beside_the_dump: bool,
    ) -> None:
        public_id = self.erase("wilhelmine")
        if beside_the_dump:
            erasures.rename(backup / "erased.txt")
        with another_database():
            call_command("restore", str(backup))
            assert Player.objects.get(public_id=public_id).erased_at
            assert holders("wilhelmine") == set()
            assert holders("cleo") != set()
        printed = capsys.readouterr().out
        assert "1 players, guests and accounts that were erased since are erased again." in printed
        assert "no differences." in printed

    def test_no_name_of_a_guest_comes_back(
        self, season: Season, tmp_path: Path, erasures: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """When the backup is made one guest has left a table whose game is over, and one waits for
        another game. Then somebody who sat before that one leaves, so the seat gets another
        number."""
        host = MembershipFactory.create(club=season.club, role=Role.SCORER).user
        over = online_table_open(club=season.club, user=host, rules=RULES, settings=SETTINGS)
        lobby = online_table_open(club=season.club, user=host, rules=RULES, settings=SETTINGS)
        gone, _ = seat_take(table=over, user=None, name="Zacharias")
        table_act(table=table_start(table=over), seat=gone, act="leave", length=None, key=uuid4())
        for name in ("Gerda", "Zacharias"):
            seat, _ = seat_take(table=lobby, user=None, name=name)
        call_command("backup", str(tmp_path / "backup"))
        seat_leave(table=lobby, number=1)
        for each in (gone, seat):
            each.refresh_from_db()
            assert guest_erase(table=each.table, seat=each, actor=Actor())
        assert "Zacharias" not in erasures.read_text()
        with another_database():
            call_command("restore", str(tmp_path / "backup"))
            assert holders("zacharias") == set()
            assert holders("gerda") == {"league_onlineseat"}
        printed = capsys.readouterr().out
        assert "2 players, guests and accounts that were erased since are erased again." in printed
        assert "no differences." in printed

    def test_no_guest_is_erased_of_whom_the_file_can_not_be_told(
        self, season: Season, settings: Any
    ) -> None:
        host = MembershipFactory.create(club=season.club, role=Role.SCORER).user
        table = online_table_open(club=season.club, user=host, rules=RULES, settings=SETTINGS)
        seat, _ = seat_take(table=table, user=None, name="Zacharias")
        settings.ERASURES_FILE = settings.ERASURES_FILE / "no" / "folder"
        with pytest.raises(OSError, match="folder"):
            guest_erase(table=table, seat=seat, actor=Actor())
        assert table.seats.filter(name="Zacharias").exists()

    def test_who_is_not_in_the_backup_is_passed_over(
        self, backup: Path, erasures: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        erasures.write_text(
            "nobody-knows\nguest-h7mzt3kd9q-4711-1764460800123456\nguest-h7mzt3kd9q-1\n"
        )
        with another_database():
            call_command("restore", str(backup))
        assert "0 players, guests and accounts" in capsys.readouterr().out

    def test_without_a_file_it_says_so(
        self, backup: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with another_database():
            call_command("restore", str(backup))
        assert "nobody is erased again" in capsys.readouterr().out

    def test_a_file_that_waited_for_a_job_holds_up_no_erasure(
        self, season: Season, tmp_path: Path, erasures: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("league.core.jobs.app.send_task", lambda *args, **options: None)
        job = import_job_create(
            season=season,
            uploaded_by=UserFactory.create(),
            file_name="games.jsonl",
            content=line(bluff_record(20, seats=("wilhelmine", "ben"))),
            create_players=False,
            all_or_nothing=False,
        )
        call_command("backup", str(tmp_path / "backup"))
        ImportJob.objects.filter(pk=job.pk).update(state=ImportJob.State.DROPPED)
        self.erase("wilhelmine")
        with another_database():
            call_command("restore", str(tmp_path / "backup"))
            assert ImportJob.objects.get().state == ImportJob.State.DROPPED
            assert holders("wilhelmine") == set()

    def test_several_files_tell_together(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            (tmp_path / name).write_text(f"{name}\nboth\n")
        assert erasures_read(tmp_path / "one", tmp_path / "two", tmp_path / "three") == {
            "one",
            "two",
            "both",
        }


def drill(folder: Path, var: Path) -> str:
    """Restore a backup as a stranger would, on a machine that has this checkout and nothing else;
    what is printed.

    Fails if `verify` finds anything that isn't what the facts give.
    """
    own = {"CUPS_UP_VAR": str(var), "SECRET_KEY": "another-key-of-a-stranger-who-restores"}
    environment = {
        name: value for name, value in os.environ.items() if not re.search(r"_URL$|^ERASURES", name)
    } | own
    command = [sys.executable, str(embedded.CHECKOUT / "manage.py"), "restore", str(folder)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.skipif(not settings.LOCAL, reason="the embedded servers are what is tried")
def test_a_stranger_restores_on_an_empty_machine(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "var").mkdir(mode=0o755)
    printed = drill(backup, tmp_path / "var")
    assert "no differences." in printed
    assert "another SECRET_KEY" in printed
    assert not (tmp_path / "var" / "pgdata" / "postmaster.pid").exists(), (
        "what it started it has stopped"
    )


@pytest.mark.parametrize("folder", KEPT, ids=lambda folder: folder.name)
def test_a_backup_of_a_released_version_is_restored_and_migrated(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "var").mkdir(mode=0o755)
    assert "differences." in drill(folder, tmp_path / "var")


def test_programs_that_are_older_than_the_server_are_passed_over(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.ensure_connection()
    version = connection.connection.info.server_version // 10_000
    installed = tmp_path / "pg_dump"
    installed.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 15.1'\n")
    installed.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    settings.LOCAL = False
    assert dump._program("pg_dump") != installed
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    with pytest.raises(DumpError, match=f"no pg_dump of PostgreSQL {version}"):
        dump._program("pg_dump")
    installed.write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version}.0'\n")
    assert dump._program("pg_dump") == installed


@pytest.mark.parametrize(
    ("program", "server", "fits"),
    [
        (15, 16, False),
        (16, 16, True),
        (17, 16, False),
        (16, 17, False),
        (18, 17, True),
        (18, 18, True),
        (19, 18, True),
    ],
)
def test_programs_fit_their_own_server_and_older_ones_down_to_17(
    program: int, server: int, fits: bool
) -> None:
    assert dump._fits(program, server) == fits


def test_the_password_is_no_argument(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    program = tmp_path / "pg_dump"
    program.write_text(f'#!/bin/sh\necho "$@" > {said}\necho "$PGPASSWORD" >> {said}\n')
    program.chmod(0o755)
    monkeypatch.setattr(dump, "_program", lambda name: program)
    settings.DATABASE_OWNER_URL = address("postgresql://owner:hunter2@db.example.org/x", "cupsup")
    dump._run("pg_dump", [], tmp_path)
    arguments, password = said.read_text().splitlines()
    assert (
        conninfo_to_dict(arguments.split("--dbname=")[1].split(" --no-password")[0])["host"]
        == "db.example.org"
    )
    assert "hunter2" not in arguments
    assert password == "hunter2"
