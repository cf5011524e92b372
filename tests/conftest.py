"""What every test has. The servers come from tests/servers.py, the database from tests/database.py.

The owner makes, empties and drops the tests' database; the tests themselves run as the service's
role."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.test import TransactionTestCase
from django.utils import translation
from psycopg.rows import TupleRow
from pytest_django import DjangoDbBlocker

from tests import database

# A loaded machine is slow, not wrong.
hypothesis.settings.register_profile("cups-up", deadline=None)
hypothesis.settings.load_profile("cups-up")

# Passwords of tests are nobody's: a hash that is quick to try is quick to make.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Test in one process more than there are processors, for the first one waits for browser and
    service; more of them would slow each other down."""
    return min(os.cpu_count() or 1, 8) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Let each process begin to collect all tests somewhere else: pytest compiles a file of tests
    for whoever reads it first, so in a fresh clone each compiles its share, and not all of them
    everything at the same time."""
    process = getattr(config, "workerinput", None)
    if process and config.args == config.getini("testpaths"):
        files = [
            str(path) for tests in config.args for path in sorted(Path(tests).rglob("test_*.py"))
        ]
        begin = int(process["workerid"].removeprefix("gw")) * len(files) // process["workercount"]
        config.args[:] = files[begin:] + files[:begin]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the browsers' tests: the first process has all of them, with the one service that
    they need, and while they wait the others compute. Whoever is done takes tests over from the end
    of another's list."""
    items.sort(key=lambda item: (item.path.parent.name != "browser", item.path))


def pytest_collection_finish() -> None:
    """Look for garbage seldom, and not among what was imported and collected: it stays to the
    end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_runtest_teardown() -> None:
    """Forget the language of the last page that was asked for: the next test has the service's
    own."""
    translation.deactivate()


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A clone of the migrated template for this process, used as the service."""
    with django_db_blocker.unblock():
        template = database.make_migrated()
    with (
        database.clone(template) as name,
        database.connected_to(name),
        patch.object(TransactionTestCase, "_fixture_teardown", lambda case: database.empty()),
    ):
        yield


@pytest.fixture
def owner(transactional_db: None) -> Iterator[psycopg.Connection[TupleRow]]:
    """A connection of the tables' owner; it sees what is committed, so the test is a transactional
    one."""
    with database.connect_as_owner() as owner:
        yield owner


@pytest.fixture
def forger(transactional_db: None) -> Iterator[psycopg.Connection[TupleRow]]:
    """As the owner, with all triggers off: who can rewrite facts, for tests of what is found
    then."""
    with database.connect_as_owner(database.TRIGGERS_OFF) as forger:
        yield forger
