"""The service's ASGI application with short deadlines and two views of the tests, served by a real
web process."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path

from league import asgi, urls
from league.core.frame import slots
from league.up import connection

slots.BODY_SECONDS = 4.0  # type: ignore[misc]
connection.HEAD_SECONDS = 4.0
connection.READER_SECONDS = 1.0
made = 0


def endless(request: HttpRequest) -> StreamingHttpResponse:
    """A download without an end."""

    def chunks() -> Iterator[bytes]:
        global made
        made += 1
        try:
            while True:
                yield b"x" * 65536
        finally:
            made -= 1

    return StreamingHttpResponse(chunks())


def being_made(request: HttpRequest) -> HttpResponse:
    """How many downloads are being made."""
    return HttpResponse(str(made))


urls.urlpatterns += [path("endless.ndjson", endless), path("being-made/", being_made)]
application = asgi.application
