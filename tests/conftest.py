"""What every test has. The servers come from tests/servers.py.

The owner makes, empties and drops the tests' database; the tests themselves run as the service's role.
"""

from collections.abc import Iterator, Sequence
from unittest.mock import patch

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from league.up.roles import connected_as

# A loaded machine is slow, not wrong.
hypothesis.settings.register_profile("cups-up", deadline=None)
hypothesis.settings.load_profile("cups-up")

TRIGGERS_OFF = "-c session_replication_role=replica"


def connect_as_owner(options: str = "") -> psycopg.Connection[TupleRow]:
    """A connection of its own to the tests' database."""
    name = connection.settings_dict["NAME"]
    return psycopg.connect(make_conninfo(settings.DATABASE_OWNER_URL, dbname=name, options=options), autocommit=True)


def flush(operations: DatabaseOperations, statements: Sequence[str]) -> None:
    """Empty the tables after a transactional test, facts included."""
    with connect_as_owner(TRIGGERS_OFF) as owner:
        for statement in statements:
            owner.execute(statement.encode())


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """Make the tests' database as the owner, and drop it as the owner in the end."""
    with connected_as(settings.DATABASE_OWNER_URL):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Between that, be the service."""
    with connected_as(settings.DATABASE_URL), patch.object(DatabaseOperations, "execute_sql_flush", flush):
        yield


@pytest.fixture
def owner(transactional_db: None) -> Iterator[psycopg.Connection[TupleRow]]:
    """A connection of the tables' owner; it sees what is committed, so the test is a transactional one."""
    with connect_as_owner() as owner:
        yield owner


@pytest.fixture
def forger(transactional_db: None) -> Iterator[psycopg.Connection[TupleRow]]:
    """As the owner, with all triggers off: who can rewrite facts, for tests of what is found then."""
    with connect_as_owner(TRIGGERS_OFF) as forger:
        yield forger
