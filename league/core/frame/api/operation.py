"""Operations of the API: a view's method with its name, description, answer and parameters for the
schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeAlias, TypeVar

from django.http.response import HttpResponseBase
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from games.domain.game import NotAsSealed
from league.core.frame.api.pagination import Pagination, PlacePagination
from league.core.frame.api.parameters import Paged, PagedByPlace, Parameters, SeenBy
from league.core.frame.api.problems import MEDIA_TYPE, problem_json
from league.core.frame.api.serializers import Serializer
from league.core.frame.api.view import ApiView
from league.core.frame.unchanged import unless_unchanged

F = TypeVar("F", bound=Callable[..., Any])
ProblemWords: TypeAlias = dict[int, tuple[str, str]]
Operation: TypeAlias = Callable[..., HttpResponseBase]

ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description="Send it back in `If-None-Match` and get a 304.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="An ETag from an earlier answer."
)
LIMIT = [
    OpenApiParameter(
        "RateLimit-Policy",
        str,
        OpenApiParameter.HEADER,
        response=[200, 429],
        description=(
            'The limit: `"read";q=600;w=60` means 600 requests in 60 seconds, for each key or '
            "address."
        ),
    ),
    OpenApiParameter(
        "RateLimit",
        str,
        OpenApiParameter.HEADER,
        response=[200, 429],
        description=(
            'What is left of it: `"read";r=599;t=43` means 599 requests in the next 43 seconds.'
        ),
    ),
    OpenApiParameter(
        "Retry-After",
        int,
        OpenApiParameter.HEADER,
        response=[429, 503],
        description="Seconds until you can ask again.",
    ),
]
SIGNED_IN: Any = [{"key": []}, {"session": []}]
"""The security schemes of operations that aren't public, as the schema names them
(`league/site/openapi/api.py`)."""
NOT_MODIFIED = OpenApiResponse(description="Nothing has changed since that ETag.")
WORDS: ProblemWords = {
    400: ("bad_parameter", "A parameter isn't valid."),
    401: ("authentication_failed", "The key is unknown or has been revoked."),
    403: ("permission_denied", "You aren't allowed to do this."),
    404: ("not_found", "There's nothing at this address, or you aren't allowed to see it."),
    409: ("in_progress", "A request with this key is still being worked on."),
    411: ("length_required", "Say in Content-Length how long the body is."),
    413: ("too_large", "The body has more than 16777216 bytes."),
    415: ("unsupported_media_type", 'Unsupported media type "text/plain" in request.'),
    422: ("not_a_raise", "3x2 doesn't raise 4x5."),
    429: ("throttled", "Too many requests. Ask again in 7 seconds."),
    503: (
        "database_away",
        "The database isn't answering. Ask again in 10 seconds; it's safe to send the same request "
        "twice.",
    ),
}
EVERYWHERE: ProblemWords = {status: WORDS[status] for status in (400, 401, 429, 503)}
NOT_FOUND: ProblemWords = {404: WORDS[404]}
OF_GAMES: ProblemWords = {**NOT_FOUND, 409: (NotAsSealed.CODE, NotAsSealed.MESSAGE)}
"""The problems of addresses of one game."""
CHANGING: ProblemWords = {
    **WORDS,
    400: ("bad_value", "This field is required."),
    403: ("permission_denied", "Organisers of the club may do this."),
    409: ("busy", "Somebody else is changing this right now. Send the request again."),
    422: ("idempotency_key_reused", "This key was sent with another request."),
}
"""The problems of addresses that change something about an event."""
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="A name of your choice for this request, with an API key only. The same request with the same "
    "name gets the same answer and is carried out once; a different request with it gets a 422.",
)
LINES = "application/x-ndjson"
BYTES = OpenApiTypes.BINARY
"""The schema of `LINES`, many records, one a line: generated clients pass them on unparsed."""


class Description(AutoSchema):
    """The schema of an operation, with its method's name as the operation id. Answers have every
    member of their serializer; lists come in pages."""

    def get_operation_id(self) -> str:
        """Return the name of the view's method."""
        return str(self.view.action)  # type: ignore[attr-defined]

    def _get_paginator(self) -> BasePagination:
        is_by_place = issubclass(self.view.operation.parameters, PagedByPlace)  # type: ignore[attr-defined]
        return PlacePagination() if is_by_place else Pagination()

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "response" and isinstance(serializer, Serializer):
            schema["required"] = sorted(schema.get("properties", ()))
        return schema


class PlaceShape(serializers.Serializer[None]):
    """The place in a record where something is wrong. Rounds, turns and moves count from 0, as in
    `path`."""

    path = serializers.CharField(
        required=False, help_text="The key of the record, as in `rounds[3].moves[2]`."
    )
    round = serializers.IntegerField(required=False, help_text="From 0.")
    turn = serializers.IntegerField(required=False, help_text="From 0.")
    move = serializers.IntegerField(required=False, help_text="From 0.")


class LineShape(PlaceShape):
    """A place in one of the records of a body."""

    line = serializers.IntegerField(required=False, help_text="The line of the body, from 1.")
    id = serializers.CharField(
        required=False, allow_null=True, help_text="The record's id, if it can be read."
    )


class ErrorShape(PlaceShape):
    """A fault of a record."""

    code = serializers.CharField()
    message = serializers.CharField()


class FaultShape(ErrorShape, LineShape):
    """One fault of a request: of a parameter (`field`), of the body (`pointer`) or of a record (the
    rest)."""

    field = serializers.CharField(required=False, help_text="The parameter.")
    pointer = serializers.CharField(
        required=False,
        help_text="The member of the body, as a JSON pointer (RFC 6901); empty for all of it.",
    )


class ProblemShape(LineShape):
    """An error (RFC 9457). Programs go by `code`; `type` is where the manual says more about it.

    Where the body was one record, its place, its line and its id stand beside `detail` too.
    """

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    retry_after = serializers.IntegerField(
        required=False, help_text="For a 429: seconds until you can ask again."
    )
    errors = FaultShape(many=True, required=False)  # type: ignore[assignment]
    length = serializers.IntegerField(
        required=False, help_text="Of `overtaken`: how many entries the sheet has."
    )
    entries = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="Of `overtaken`: those that came in between.",
    )
    table = serializers.DictField(
        required=False, help_text="Of `overtaken` at an online table: the table as you see it now."
    )
    branch = serializers.DictField(
        required=False,
        help_text=(
            "Of `key_ended`: what is kept beside the sheet, until when it waits (`waits_until`)."
        ),
    )


def reads(
    summary: str,
    answer: Any,
    *,
    parameters: type[Parameters] | None = None,
    problems: ProblemWords = NOT_FOUND,
    for_writers: bool = False,
    for_organisers: bool = False,
    limit: str = "read",
    example: Any = None,
    media_type: str = "application/json",
) -> Callable[[Callable[[Any, Any], Any]], Operation]:
    """Make a method the operation for a GET. The method gets the object of the address
    (`get_object`), and returns what the serializer `answer` sends: an object, rows (sent in pages
    if the serializer has `many`), or a response.

    In the schema the method's name is the operation id and its docstring the description. `summary`
    is its title; `example` is an example of the answer, in lists of a row; `problems` are those
    that not every operation has. The answer has an ETag of the view's `versions`. `for_writers`:
    only viewers who may change something there may read it; others get a 403. `for_organisers`:
    only organisers may read it; others get a 404. `limit` names the limit (RATE_LIMITS) that it
    counts against."""
    is_list = isinstance(answer, serializers.ListSerializer)
    refusals = {403: WORDS[403]} if for_writers else {}
    query = parameters or (Paged if is_list else SeenBy)

    def operation(method: Callable[[Any, Any], Any]) -> Operation:
        @wraps(method)
        def get(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if for_writers:
                view.writer()  # type: ignore[attr-defined]  # it is a view that changes something, too
            target = view.get_object()  # before the ETag: a missing object has no unchanged answer

            def response() -> HttpResponseBase:
                content = method(view, target)
                if isinstance(content, HttpResponseBase):
                    return content
                if is_list:
                    return view.paged(content, type(answer.child))
                return Response(view.represent(answer, content))

            versions = view.versions()
            if versions is None:
                return response()
            return unless_unchanged(request._request, versions, response)

        settings = {"for_organisers": for_organisers, "limit": limit}
        vars(get).update(parameters=query, settings=settings)

        problem_words = {**EVERYWHERE, **refusals, **problems}
        own_parameters = [query] if query().fields else []
        examples = []
        if example:
            examples = [OpenApiExample(summary, example, response_only=True, media_type=media_type)]
        return extend_schema(
            summary=summary,
            auth=SIGNED_IN if for_writers or for_organisers else None,
            responses={
                (200, media_type): answer,
                304: NOT_MODIFIED,
                **problem_answers(problem_words),
            },
            parameters=[*own_parameters, IF_NONE_MATCH, ETAG, *LIMIT],
            examples=examples,
        )(get)

    return operation


def again(operation: Operation, summary: str) -> Operation:
    """Return the same operation for another address, under another name and with its own
    `summary`."""

    @wraps(operation)
    def operation_again(
        view: ApiView, request: Request, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        return operation(view, request, *args, **kwargs)

    operation_again.kwargs = dict(operation.kwargs)  # type: ignore[attr-defined]  # set by `extend_schema`
    return extend_schema(summary=summary)(operation_again)


def change_documented(
    summary: str,
    bodies: Mapping[str, Any],
    answers: Mapping[int, Any],
    *,
    parameters: Sequence[type[Parameters]] = (),
    location: str = "What is new.",
    examples: Sequence[OpenApiExample] = (),
    words: ProblemWords = WORDS,
) -> Callable[[F], F]:
    """Describe a POST or PATCH: its title, bodies by media type, answers by status (a 201 has a
    `Location`), examples, and the problems in `words`."""
    statuses = sorted(answers)
    headers = [
        OpenApiParameter(
            "Idempotency-Replayed",
            str,
            OpenApiParameter.HEADER,
            response=statuses,
            description=(
                "`true` where this is the answer that an earlier request with the same key got."
            ),
        )
    ]
    if 201 in answers:
        headers.append(
            OpenApiParameter(
                "Location", str, OpenApiParameter.HEADER, response=[201], description=location
            )
        )
    return extend_schema(
        summary=summary,
        request=dict(bodies),
        responses={**answers, **problem_answers(words)},
        parameters=[*parameters, KEY, *headers, *LIMIT],
        examples=list(examples),
    )


def problem_answers(words: ProblemWords) -> dict[tuple[int, str], OpenApiResponse]:
    """Return the responses, each with an example, for problems by status (`words`: code and
    detail)."""
    return {
        (status, MEDIA_TYPE): OpenApiResponse(
            ProblemShape,
            description=HTTPStatus(status).phrase,
            examples=[
                OpenApiExample(
                    code,
                    problem_json(status, code, detail=detail),
                    response_only=True,
                    media_type=MEDIA_TYPE,
                    status_codes=[str(status)],
                )
            ],
        )
        for status, (code, detail) in words.items()
    }
