"""The PostgreSQL that the service needs: its version, and a database that knows all letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection

from league.core import sql

OLDEST: Final = 16
"""The oldest version that gets all our SQL right: what 17 or 18 added isn't used."""
SERVER: Final = "server"
"""The tag of the checks of the server, which come before the first migration."""
KNOWS_LETTERS: Final = "SELECT getdatabaseencoding() = 'UTF8' AND lower('Ä') = 'ä'"
"""True in a database that stores every name and compares it in small letters as Python does. One in
the locale C, which a server without any locale has, only knows those of English."""


def too_old() -> str:
    """Return an error message if the server of DATABASE_URL is too old, otherwise an empty text."""
    connection.ensure_connection()
    version = connection.connection.info.server_version // 10_000
    if version >= OLDEST:
        return ""
    return (
        f"Cups Up needs PostgreSQL {OLDEST} or newer; "
        f"the server of DATABASE_URL is PostgreSQL {version}."
    )


@register(Tags.database, SERVER)
def check_version(
    *,
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **kwargs: Any,
) -> list[CheckMessage]:
    """Report a server that is too old as an error: pages would break."""
    sentence = too_old() if databases else ""
    if sentence:
        return [Error(sentence, id="league.postgresql")]
    return []


@register(Tags.database, SERVER)
def check_letters(
    *,
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **kwargs: Any,
) -> list[CheckMessage]:
    """Report a database that only knows English letters as an error: it would sort and find other
    names than Python does."""
    if not databases:
        return []
    ((knows_letters,),) = sql.rows(KNOWS_LETTERS)
    if knows_letters:
        return []
    return [
        Error(
            f"The database {connection.settings_dict['NAME']} only knows English letters.",
            hint="Create it as docker/README.md, “Two roles”, does: with UTF8 and a locale.",
            id="league.letters",
        )
    ]
