"""The web process: `/live/…` is a plain ASGI stream, everything else goes through WSGI to Django.

Django through ASGI cost 3–4 ms CPU a request against 0.2–0.8 ms by WSGI, and held one thread per open stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from a2wsgi import WSGIMiddleware

from league.wsgi import application as django_application

if TYPE_CHECKING:
    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope

from league.rankings.live import LiveStreams

THREADS = 12

pages: Any = WSGIMiddleware(cast(Any, django_application), workers=THREADS)  # its types aren't asgiref's
live = LiveStreams()


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Dispatch one connection.

    A header with an underscore goes: WSGI couldn't tell it from the one with a hyphen that a trusted proxy wrote.
    """
    if scope["type"] == "http":
        scope["headers"] = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    if scope["type"] == "lifespan":
        await live.lifespan(receive, send)
    elif scope["type"] == "http" and scope["path"].startswith("/live/"):
        await live(scope, receive, send)
    else:
        await pages(scope, receive, send)
