"""A pytest plugin: a real PostgreSQL and a real Redis for this run of the tests, in a temporary folder.

Named in pyproject.toml, because it has to set their addresses before Django's settings are read. Under xdist
the controller starts them and its workers inherit the address. DATABASE_URL and REDIS_URL name other servers;
DATABASE_OWNER_URL then names a superuser, who makes the tests' database and can lift triggers to empty it.
"""

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        start_servers(early_config)
    return (yield)


def start_servers(config: pytest.Config) -> None:
    """Start the servers that the environment does not name; they are stopped however the run ends."""
    from league.up import children  # not above: in a worker, coverage has to start before our modules load

    folder = Path(tempfile.mkdtemp(prefix="cups-up-tests-"))
    folder.chmod(0o755)  # PostgreSQL runs as nobody when the tests run as root
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["CUPS_UP_VAR"] = str(folder)
    os.environ["RATE_LIMITS"] = "false"  # tests ask faster than anybody may; those of the limits set their own
    if "DATABASE_URL" in os.environ and "DATABASE_OWNER_URL" not in os.environ:
        raise pytest.UsageError("The tests need two roles: set DATABASE_OWNER_URL, too.")
    wanted = []
    if "DATABASE_URL" not in os.environ:
        wanted.append(children.postgres(durable=False))
    if "REDIS_URL" not in os.environ:
        wanted.append(children.redis())
    for child in wanted:
        child.start()
        config.add_cleanup(child.stop)
    children.wait_until_ready(wanted, tell=lambda message: None)
