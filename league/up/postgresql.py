"""The version of PostgreSQL that the service needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection

OLDEST: Final = 18


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


@register(Tags.database)
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
