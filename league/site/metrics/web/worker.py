"""`/metrics` of a host without web processes: what its workers have counted, and its disk.

It needs no Django: `manage.py up` serves it on METRICS_PORT."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from league.core.frame.live import end
from league.site.metrics.queries import HostCollector
from league.site.metrics.web.scrape import PATH, figures, is_authorized
from league.up.heartbeat import beat_on


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Serve one connection."""
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    elif scope["type"] == "http":
        await scrape(scope, send)


async def lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Give heartbeats for as long as the process serves."""
    await receive()
    beating = asyncio.create_task(beat_on())
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await end(beating)
    await send({"type": "lifespan.shutdown.complete"})


async def scrape(scope: HTTPScope, send: ASGISendCallable) -> None:
    """Answer a scrape with the token by the figures, anything else by 401 or 404."""
    authorization = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
    body = b""
    if scope["path"] != PATH:
        status = HTTPStatus.NOT_FOUND
    elif not is_authorized(authorization):
        status = HTTPStatus.UNAUTHORIZED
    else:
        status = HTTPStatus.OK
        body = figures(HostCollector())
    headers = [(b"content-type", CONTENT_TYPE_PLAIN_0_0_4.encode())]
    await send(
        {"type": "http.response.start", "status": status, "headers": headers, "trailers": False}
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})
