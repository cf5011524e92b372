"""What the web process passes on to Django."""

import asyncio
from typing import Any

import pytest

from league import asgi


def test_a_header_with_an_underscore_passes_for_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[Any] = []

    async def pages(scope: Any, receive: Any, send: Any) -> None:
        passed.append(scope["headers"])

    monkeypatch.setattr(asgi, "pages", pages)
    headers = [(b"x-forwarded-for", b"203.0.113.7"), (b"x_forwarded_for", b"1.1.1.1")]
    scope: Any = {"type": "http", "path": "/", "headers": headers}
    asyncio.run(asgi.application(scope, None, None))  # type: ignore[arg-type]
    assert passed == [headers[:1]]
