"""Where the embedded servers are, and what is said when they cannot run."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from league.up import embedded, launch
from league.up.embedded import ServersError


@pytest.fixture
def var(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path))
    return tmp_path


def test_the_folder_is_var_in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUPS_UP_VAR")
    assert embedded.var_dir() == embedded.CHECKOUT / "var"
    assert (embedded.CHECKOUT / "manage.py").exists()


def test_addresses_are_sockets_in_the_folder(var: Path) -> None:
    for url, role in (
        (embedded.database_url(), "cupsup"),
        (embedded.database_url(embedded.OWNER), "cupsup_owner"),
    ):
        assert conninfo_to_dict(url) == {
            "user": role,
            "dbname": "cupsup",
            "host": str(var / "run"),
            "passfile": str(var / f"{role}.pgpass"),
        }
    assert embedded.redis_url() == f"unix://{var}/run/redis.sock"


def test_asking_for_addresses_makes_nothing(var: Path) -> None:
    embedded.database_url()
    embedded.redis_url()
    assert list(var.iterdir()) == []


def test_a_path_too_long_for_a_socket_gives_a_short_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folders = [tmp_path / (letter * 100) for letter in "ab"]
    short = []
    for folder in folders:
        monkeypatch.setenv("CUPS_UP_VAR", str(folder))
        short.append(embedded.run_dir())
    assert short[0] != short[1]
    assert len(os.fsencode(short[0] / embedded.POSTGRES_SOCKET)) <= embedded.SOCKET_PATH_LIMIT


def test_a_socket_folder_of_someone_else_is_refused(var: Path) -> None:
    (var / "elsewhere").mkdir()
    (var / "run").symlink_to(var / "elsewhere")
    with pytest.raises(ServersError, match="belongs to someone else"):
        embedded.private_folder(var / "run", launch.SAME)


def test_only_the_user_may_enter_the_socket_folder(var: Path) -> None:
    embedded.private_folder(var / "run", launch.SAME)
    assert (var / "run").stat().st_mode & 0o777 == 0o700


def test_only_the_user_may_read_a_secret(var: Path) -> None:
    for content in ("first", "second"):
        embedded.private_file(var / "secret", content, launch.SAME)
        assert (var / "secret").read_text() == content
        assert (var / "secret").stat().st_mode & 0o777 == 0o600


def test_a_database_without_its_passwords_is_refused(var: Path) -> None:
    embedded.data_dir().mkdir()
    with pytest.raises(
        ServersError, match=rf"cupsup_owner.pgpass is missing.*older version.*Delete {var}"
    ):
        embedded.prepare_postgres(launch.SAME, durable=False)


def test_missing_binaries_say_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    with pytest.raises(
        ServersError, match=r"Set DATABASE_URL=postgresql://… and REDIS_URL=redis://…"
    ):
        embedded.postgres_program("postgres")


@pytest.mark.parametrize("ask", [embedded.postgres_user, embedded.redis_program])
def test_binaries_that_do_not_run_say_what_to_set(
    ask: Callable[[], object], var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = var / "program"
    foreign.write_bytes(b"\xcf\xfa\xed\xfe")  # the first bytes of a Mac's program
    foreign.chmod(0o755)
    monkeypatch.setattr(embedded, "packaged", lambda package, *path: foreign)
    with pytest.raises(ServersError, match=r"does not run here .*DATABASE_URL"):
        ask()


def test_the_pid_file_of_a_killed_server_is_dropped(var: Path) -> None:
    embedded.data_dir().mkdir()
    note = embedded.data_dir() / "postmaster.pid"
    note.write_text(
        f"{os.getpid()}\n{embedded.data_dir()}\n"
    )  # the number belongs to another process by now
    embedded.forget_killed_server()
    assert not note.exists()


def test_the_pid_file_of_a_server_that_runs_is_kept(var: Path) -> None:
    embedded.data_dir().mkdir()
    note = embedded.data_dir() / "postmaster.pid"
    with subprocess.Popen(["sleep", "60"], cwd=embedded.data_dir()) as server:
        note.write_text(f"{server.pid}\n")
        with pytest.raises(ServersError, match="Another PostgreSQL is running"):
            embedded.forget_killed_server(patience=0)
        server.kill()
    assert note.exists()
