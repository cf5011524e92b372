"""A host of workers tells what it has counted, to Prometheus alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from league.site.metrics.domain import JOBS
from league.site.metrics.web.worker import application

TOKEN = "the-token-of-prometheus"


@pytest.fixture(autouse=True)
def _token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


def answer(path: str, authorization: str) -> tuple[int, bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"authorization", authorization.encode())]
    scope: Any = {"type": "http", "path": path, "headers": headers}
    asyncio.run(application(scope, None, send))  # type: ignore[arg-type]
    return sent[0]["status"], sent[1]["body"]


def test_it_tells_what_this_host_has_counted_its_disk_and_nothing_of_the_whole_service() -> None:
    JOBS.labels("site.audit.tasks.audit_club", "success").inc()
    status, body = answer("/metrics", f"Bearer {TOKEN}")
    assert status == 200
    assert b"cups_up_jobs_total{" in body
    assert b"cups_up_disk_free_bytes " in body
    assert b"cups_up_up" not in body


@pytest.mark.parametrize(
    ("path", "authorization", "status"),
    [("/metrics", "", 401), ("/metrics", "Bearer wrong", 401), ("/", f"Bearer {TOKEN}", 404)],
)
def test_it_tells_nothing_else(path: str, authorization: str, status: int) -> None:
    assert answer(path, authorization) == (status, b"")
