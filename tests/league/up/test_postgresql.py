"""A server that is older than the service needs is refused in one sentence, before anything is
done."""

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from league.up import postgresql

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is older than what the service needs by one version."""
    connection.ensure_connection()
    version = connection.connection.info.server_version // 10_000
    monkeypatch.setattr(postgresql, "OLDEST", version + 1)


def test_the_server_of_the_tests_will_do() -> None:
    assert postgresql.too_old() == ""


@pytest.mark.parametrize(
    "command", [["check", "--database", "default"], ["migrate", "--verbosity", "0"]]
)
def test_an_old_server_is_refused(old: None, command: list[str]) -> None:
    with pytest.raises(SystemCheckError, match="Cups Up needs PostgreSQL"):
        call_command(*command)
