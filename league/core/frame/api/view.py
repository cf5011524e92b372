"""The base of all API views: who asks, answers that needn't be sent again, and pages."""

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
    """Every address has one format, whatever the client would prefer (RFC 9110, 12.5.1)."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return the parser of the body's content type, or None."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the only renderer of an address, whatever the client accepts."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


@method_decorator(conditional_page, name="dispatch")
class ApiView(GenericViewSet[Any]):
    """A noun of the API. Its methods are operations (`reads`, `changes`) with their names in the
    schema; `urls` says which of them an address has. This class has what all nouns share.

    `noun` is the attribute with the object of the address; empty if the address names none. `limit`
    and `post_limit` name the limits (RATE_LIMITS) that requests count against unless the operation
    names another: the second for requests that change something."""

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
        """Answer in English whatever language the client prefers, and check the query first."""
        translation.activate("en")
        vars(self).update(getattr(self.operation, "settings", {}))
        super().initial(request, *args, **kwargs)
        self.query = getattr(self.operation, "parameters", Parameters).of(request)

    @property
    def operation(self) -> Any:
        """The method that is called; None if the address has none for the request."""
        return getattr(self, self.action or "", None)

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        """Raise a problem 429 that says when to ask again."""
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
        """Add the headers of all answers: they depend on who asks, must be revalidated, and tell
        how much of the limit is left."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(final, ["Authorization", "Cookie"])
        if self.usage:
            for name, value in self.usage.headers().items():
                final[name] = value
        return final

    def get_object(self) -> Any:
        """Return the object of the address, for the operation. Raise `ObjectDoesNotExist` if the
        viewer may not see it."""
        if self.noun:
            return getattr(self, self.noun)
        return None

    def versions(self) -> Sequence[object] | None:
        """Return the values on which the answer to a GET depends, for its ETag, or None if it gets
        no ETag."""
        return None

    def represent(self, serializer: Any, content: Any) -> Any:
        """Return an answer's members as the serializer describes them; a list is sent as the member
        `results`."""
        context = self.get_serializer_context()
        if isinstance(serializer, ListSerializer):
            row_serializer: Any = type(serializer.child)
            return {
                "results": row_serializer(many=True, context=context).to_representation(content)
            }
        return serializer(context=context).to_representation(content)

    def paged(
        self,
        rows: QuerySet[Any, Any] | Sequence[Any] | LazyRows[Any],
        serializer: type[BaseSerializer[Any]],
        **context: Any,
    ) -> Response:
        """Return one page of rows, serialized with this context. Raise `NotFound` after the last
        page."""
        page = self.paginate_queryset(rows) or []  # type: ignore[arg-type]  # the stubs know no `LazyRows`
        rows_serializer = serializer(
            page, many=True, context=context or self.get_serializer_context()
        )
        return self.get_paginated_response(rows_serializer.data)
