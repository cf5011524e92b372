"""What every test has. The servers come from tests/servers.py, the database from tests/database.py.

The owner makes, empties and drops the tests' database; the tests themselves run as the service's role.
"""

import gc
from collections.abc import Iterator
from itertools import groupby
from unittest.mock import patch

import hypothesis
import psycopg
import pytest
from _pytest import runner
from django.conf import settings
from django.test import TransactionTestCase
from django.utils import translation
from psycopg.rows import TupleRow
from pytest_django import DjangoDbBlocker

from league.call_stack import with_room
from tests import database

# A loaded machine is slow, not wrong.
hypothesis.settings.register_profile("cups-up", deadline=None)
hypothesis.settings.load_profile("cups-up")

# Passwords of tests are nobody's: a hash that is quick to try is quick to make.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give every process some of the browsers' modules, early: browsers mostly wait, and what others compute fills the
    time. The first begins with them, and makes the demo that the others find made when they come to theirs; the last
    has all that want the whole service, so that it is started once.

    Each process gets a part of the list, in its order.
    """
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    browsers: list[list[pytest.Item]] = [[] for _ in range(processes)]
    others: list[pytest.Item] = []
    for number, (path, module) in enumerate(groupby(items, key=lambda item: item.path)):
        tests = list(module)
        if path.parent.name != "browser":
            others.extend(tests)
        elif any("up" in getattr(test, "fixturenames", ()) for test in tests):
            browsers[-1].extend(tests)
        else:
            browsers[number % processes].extend(tests)
    share = len(items) // processes
    parts = []
    for number, tests in enumerate(browsers):
        room = max(0, share - len(tests))
        before = room // 5 if number else 0
        parts += [*others[:before], *tests, *others[before:room]]
        del others[:room]
    items[:] = [*parts, *others]


def pytest_collection_finish() -> None:
    """Look for garbage seldom, and not among what was imported and collected: it stays to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test as pytest does, with room for its calls: they begin some thirty deep, and a quarter of the time went
    into the pieces of memory for their frames."""
    return with_room(runner.pytest_runtest_protocol, item, nextitem)


def pytest_runtest_teardown() -> None:
    """Forget the language of the last page that was asked for: the next test has the service's own."""
    translation.deactivate()


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
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
    """A connection of the tables' owner; it sees what is committed, so the test is a transactional one."""
    with database.connect_as_owner() as owner:
        yield owner


@pytest.fixture
def forger(transactional_db: None) -> Iterator[psycopg.Connection[TupleRow]]:
    """As the owner, with all triggers off: who can rewrite facts, for tests of what is found then."""
    with database.connect_as_owner(database.TRIGGERS_OFF) as forger:
        yield forger
