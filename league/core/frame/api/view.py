"""The base of all views of the API: who looks, answers that need not be sent again, and pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NoReturn

from django.db.models import QuerySet
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, ListSerializer
from rest_framework.viewsets import GenericViewSet

from league.core.frame.api.access import Throttle
from league.core.frame.api.pagination import LazyRows
from league.core.frame.api.parameters import Parameters
from league.core.frame.api.problems import Problem
from league.core.frame.limits import Usage


class OneFormat(BaseContentNegotiation):
    """Every address has one format; what a client would rather have changes nothing (RFC 9110,
    12.5.1)."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """The parser of the body's content type, or None."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The one renderer that an address has, whatever the client accepts."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


@method_decorator(conditional_page, name="dispatch")
class ApiView(GenericViewSet[Any]):
    """A noun of the API. Its methods are operations (`reads`, `changes`), called as in the schema;
    `urls` says which of them are at which address. Here is what all of them have in common.

    `noun` is the attribute that holds what the address names, for the operation; empty where it
    names nothing. `limit` and `post_limit` name the limits (RATE_LIMITS) that requests count
    against, if the operation names no other: the second is that of requests that change something.
    """

    http_method_names = ["get", "head", "post", "patch"]
    content_negotiation_class = OneFormat
    throttle_classes = [Throttle]
    filter_backends = ()
    noun: ClassVar[str] = ""
    limit: ClassVar[str] = "read"
    post_limit: ClassVar[str] = "enter"
    usage: Usage | None = None
    query: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Speak English to programs whatever language they prefer, and check the query before
        anything is done."""
        translation.activate("en")
        vars(self).update(getattr(self.operation, "settings", {}))
        super().initial(request, *args, **kwargs)
        self.query = getattr(self.operation, "parameters", Parameters).of(request)

    @property
    def operation(self) -> Any:
        """The method that is asked for; None where the address has none for it."""
        return getattr(self, self.action or "", None)

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        """Raise a 429; the answer says when to ask again."""
        seconds = int(wait or 0)
        raise Problem(
            429,
            "throttled",
            f"Too many requests. Ask again in {seconds} seconds.",
            retry_after=seconds,
        )

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        """Say that an answer depends on who asks, has to be asked for again, and how often that may
        be."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(final, ["Authorization", "Cookie"])
        for name, value in self.usage.headers().items() if self.usage else ():
            final[name] = value
        return final

    def get_object(self) -> Any:
        """What the address names, given to the operation. Raises `ObjectDoesNotExist` for what the
        viewer may not see."""
        return getattr(self, self.noun) if self.noun else None

    def versions(self) -> Sequence[object] | None:
        """What the answer to a GET depends on, for its ETag; None: it has none."""
        return None

    def represent(self, serializer: Any, content: Any) -> Any:
        """The members of an answer; of one with many rows these are its `results`."""
        context = self.get_serializer_context()
        if isinstance(serializer, ListSerializer):
            row: Any = type(serializer.child)
            return {"results": row(many=True, context=context).to_representation(content)}
        return serializer(context=context).to_representation(content)

    def paged(
        self,
        rows: QuerySet[Any, Any] | Sequence[Any] | LazyRows[Any],
        serializer: type[BaseSerializer[Any]],
        **context: Any,
    ) -> Response:
        """One page of rows, as a serializer with this context makes them. Raises `NotFound` behind
        the last page."""
        page = self.paginate_queryset(rows) or []  # type: ignore[arg-type]  # the stubs know no `LazyRows`
        rows_serializer = serializer(
            page, many=True, context=context or self.get_serializer_context()
        )
        return self.get_paginated_response(rows_serializer.data)
