"""No text that comes in holds the character NUL: PostgreSQL stores none, and to ask it for one is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

API = "/api/"
"""Addresses below which each field says what is wrong with it."""


class NulMiddleware:
    """Answers 400 where NUL stands in an address, its query or a form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: dict[str, Any]
    ) -> None:
        """Refuse the request, or let it go on. Raises `BadRequest`."""
        if not request.path.startswith(API) and any("\0" in text for text in _texts(request, kwargs)):
            raise BadRequest("NUL")


def _texts(request: HttpRequest, kwargs: dict[str, Any]) -> Iterable[str]:
    """What somebody wrote: the parts of the address, and names and values of the query and of a form."""
    yield from (value for value in kwargs.values() if isinstance(value, str))
    for sent in (request.GET, request.POST):
        for name, values in sent.lists():
            yield from (name, *values)
