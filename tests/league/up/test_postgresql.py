"""A server that is older than the service needs, or that doesn't know all letters, is refused in
one sentence, before anything is done."""

import os
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from league.up import postgresql
from tests.database import connect_as_owner, connected_to

pytestmark = pytest.mark.django_db(transaction=True)

COMMANDS = [["check", "--database", "default"], ["migrate", "--verbosity", "0"]]


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is older than what the service needs by one version."""
    connection.ensure_connection()
    version = connection.connection.info.server_version // 10_000
    monkeypatch.setattr(postgresql, "OLDEST", version + 1)


@pytest.fixture
def english() -> Iterator[None]:
    """The database in use is in the locale C."""
    name = f"test_english_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with connect_as_owner(name="postgres") as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(
            f"CREATE DATABASE {name} ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'"
            " TEMPLATE template0"
        )
        with connected_to(name):
            yield
        server.execute(f"DROP DATABASE {name}")


def test_the_server_of_the_tests_will_do() -> None:
    assert postgresql.too_old() == ""
    assert postgresql.check_letters(databases=["default"]) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_an_old_server_is_refused(old: None, command: list[str]) -> None:
    with pytest.raises(SystemCheckError, match="Cups Up needs PostgreSQL"):
        call_command(*command)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_without_all_letters_is_refused(english: None, command: list[str]) -> None:
    with pytest.raises(SystemCheckError, match="only knows English letters"):
        call_command(*command)
    assert connection.introspection.table_names() == []
