"""PostgreSQL stores no text with the character NUL. Forms say so at the field; what else holds it is a bad request."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.db import DataError
from django.http import HttpRequest, HttpResponse

from league.frame.errors import bad_request


class NulMiddleware:
    """Answers 400 where the database was asked for NUL, because it stands in an address, its query or a form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page that says so, None for any other error."""
        asked = isinstance(error, DataError | ValueError) and any("\0" in text for text in _texts(request))
        return bad_request(request, error) if asked else None


def _texts(request: HttpRequest) -> Iterable[str]:
    """What somebody wrote: the address, and names and values of its query and of a form."""
    yield request.path
    for sent in (request.GET, request.POST):
        for name, values in sent.lists():
            yield from (name, *values)
