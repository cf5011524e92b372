"""Descriptions of operations in the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from json import dumps
from typing import Any, TypeAlias, TypeVar

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from engine.notation import text as notation
from games.domain.game import NotAsSealed
from league.frame.api.body import Serializer
from league.frame.api.parameters import OfEntry, Parameters
from league.frame.api.problems import MEDIA_TYPE, problem_json

F = TypeVar("F", bound=Callable[..., Any])
ProblemWords: TypeAlias = Mapping[int, tuple[str, str]]

ETAG = OpenApiParameter(
    "ETag", str, OpenApiParameter.HEADER, response=[200], description="Send it back in `If-None-Match` and get a 304."
)
IF_NONE_MATCH = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="An ETag got before.")
LIMIT = [
    OpenApiParameter(
        "RateLimit-Policy", str, OpenApiParameter.HEADER, response=[200, 429],
        description='The limit: `"read";q=600;w=60` are 600 requests in 60 seconds, by key or by address.',
    ),
    OpenApiParameter(
        "RateLimit", str, OpenApiParameter.HEADER, response=[200, 429],
        description='What is left of it: `"read";r=599;t=43` are 599 requests in the next 43 seconds.',
    ),
    OpenApiParameter(
        "Retry-After", int, OpenApiParameter.HEADER, response=[429], description="Seconds until one may ask again."
    ),
]  # fmt: skip
NOT_MODIFIED = OpenApiResponse(description="Nothing has changed since that ETag.")
WORDS: ProblemWords = {
    400: ("bad_parameter", "A parameter is not as it should be."),
    401: ("authentication_failed", "The key is unknown or has been revoked."),
    403: ("permission_denied", "You may not do this."),
    404: ("not_found", "There is nothing at this address, or it isn't for you to see."),
    409: ("in_progress", "A request with this key is still being worked on."),
    411: ("length_required", "Say in Content-Length how long the body is."),
    413: ("too_large", "The body has more than 16777216 bytes."),
    415: ("unsupported_media_type", 'Unsupported media type "text/plain" in request.'),
    422: ("not_a_raise", "3x2 doesn't raise 4x5."),
    429: ("throttled", "Too many requests. Ask again in 7 seconds."),
}
OF_GAMES: ProblemWords = {**WORDS, 409: (NotAsSealed.CODE, NotAsSealed.MESSAGE)}
"""The same for addresses that read one game."""
CHANGING: ProblemWords = {
    **WORDS,
    400: ("bad_value", "This field is required."),
    403: ("permission_denied", "Organisers of the club may do this."),
    409: ("busy", "Somebody else is changing this at this moment. Send the request again."),
    422: ("idempotency_key_reused", "This key was sent with another request."),
}
"""The same for addresses that change something of an event."""
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="A name of your choice for this request, with an API key only. The same request under the same "
    "name gets the same answer and is carried out once; another request under it is a 422.",
)
BYTES = OpenApiTypes.BINARY
"""The schema of many records, one a line: generated clients send and keep them as they are."""

RECORD = {
    "v": 1,
    "id": "herbst-0001",
    "game": "bluff",
    "rules": {"exact": "all", "reroll": False, "dice": 1, "scoring": "cntdice"},
    "season": "herbstliga-2026",
    "event": "night-1",
    "table": "1-1",
    "played_at": "2026-09-03T19:05:00+02:00",
    "seats": ["xenia", "ben"],
    "opener": 0,
    "rounds": [{"moves": ["1x4", "2x4", "!"], "revealed": ["4", "3"]}],
}
RESULT = {"line": 1, "id": "herbst-0001", "outcome": "created", "game": "/api/v1/games/k3xw9tq7vb/", "error": None}
ENTERED = {"read": 1, "created": 1, "unchanged": 0, "bad": 0, "new_players": ["xenia", "ben"], "results": [RESULT]}


class Description(AutoSchema):
    """The description of an operation: answers hold every member of their serializer."""

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "response" and isinstance(serializer, Serializer):
            schema["required"] = sorted(schema.get("properties", ()))
        return schema


class PlaceShape(serializers.Serializer[None]):
    """The place in a record where something is wrong. Rounds, turns and moves count from 0, as in `path`."""

    path = serializers.CharField(required=False, help_text="The key of the record, as in `rounds[3].moves[2]`.")
    round = serializers.IntegerField(required=False, help_text="From 0.")
    turn = serializers.IntegerField(required=False, help_text="From 0.")
    move = serializers.IntegerField(required=False, help_text="From 0.")


class ErrorShape(PlaceShape):
    """A fault of a record."""

    code = serializers.CharField()
    message = serializers.CharField()


class FaultShape(ErrorShape):
    """One fault of a request: of a parameter (`field`), of the body (`pointer`) or of a record (the rest)."""

    field = serializers.CharField(required=False, help_text="The parameter.")
    pointer = serializers.CharField(
        required=False, help_text="The member of the body, as a JSON pointer (RFC 6901); empty for all of it."
    )
    line = serializers.IntegerField(required=False, help_text="The line of the body, from 1.")
    id = serializers.CharField(required=False, allow_null=True, help_text="The record's id, if it can be read.")


class ProblemShape(PlaceShape):
    """An error (RFC 9457). Programs go by `code`; `type` is where the manual says more about it.

    Where the body was one record, its place, its line and its id stand beside `detail` too.
    """

    line = serializers.IntegerField(required=False, help_text="The line of the body, from 1.")
    id = serializers.CharField(required=False, allow_null=True, help_text="The record's id, if it can be read.")

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    retry_after = serializers.IntegerField(required=False, help_text="Of a 429: seconds until one may ask again.")
    errors = FaultShape(many=True, required=False)  # type: ignore[assignment]


class ResultShape(serializers.Serializer[None]):
    """The outcome of one record."""

    line = serializers.IntegerField()
    id = serializers.CharField(allow_null=True)
    outcome = serializers.ChoiceField(["created", "unchanged", "bad"])
    game = serializers.CharField(allow_null=True, help_text="The address of the game it became, or was before.")
    error = ErrorShape(allow_null=True)


class EnteredShape(serializers.Serializer[None]):
    """The outcome of the records. Of bad ones the first thousand are listed and the others counted."""

    read = serializers.IntegerField()
    created = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    bad = serializers.IntegerField()
    new_players = serializers.ListField(child=serializers.CharField())
    results = ResultShape(many=True)


NOTATION = """\
cups-up notation 1
Game: bluff
Id: evening-7
Seats: anna, ben
Opener: anna

1. 3x2 5x2 ! = 6
"""


def documented(
    operation: str,
    summary: str,
    answer: Any,
    *,
    problems: Sequence[int] = (),
    parameters: Sequence[type[Parameters] | OpenApiParameter] = (),
    example: Any = None,
    media_type: str = "application/json",
    words: ProblemWords = WORDS,
) -> Callable[[F], F]:
    """Describe a GET: names for programs and for people, the serializer of the answer and perhaps an example of it (of
    a row, in lists), the ETag, and the problems there can be, by `words`."""
    examples = [OpenApiExample(summary, example, response_only=True, media_type=media_type)] if example else []
    responses = {(200, media_type): answer, 304: NOT_MODIFIED} | problem_answers(400, 401, 429, *problems, words=words)
    return extend_schema(
        operation_id=operation,
        summary=summary,
        responses=responses,
        parameters=[*parameters, IF_NONE_MATCH, ETAG, *LIMIT],
        examples=examples,
    )


def entry_documented(view: F) -> F:
    """Describe the POST that enters games."""
    json, lines = "application/json", "application/x-ndjson"
    text = notation.MEDIA_TYPE
    examples = [
        OpenApiExample("A record", RECORD, request_only=True, media_type=json),
        OpenApiExample("Records", dumps(RECORD) + "\n", request_only=True, media_type=lines),
        OpenApiExample("Games as text", NOTATION, request_only=True, media_type=text),
        OpenApiExample("Entered", ENTERED, response_only=True, status_codes=["201"]),
    ]
    answers: dict[Any, Any] = {
        201: OpenApiResponse(EnteredShape, description="At least one game is new."),
        200: OpenApiResponse(EnteredShape, description="All that is good was there before."),
    }
    return extend_schema(
        operation_id="enter_games",
        summary="Enter games",
        request={json: OpenApiTypes.OBJECT, lines: BYTES, text: OpenApiTypes.STR},
        responses=answers | problem_answers(400, 401, 403, 404, 409, 411, 413, 415, 422, 429),
        parameters=[OfEntry, KEY, replayed([200, 201]), location("The new game, where it is one."), *LIMIT],
        examples=examples,
    )(view)


def change_documented(
    operation: str,
    summary: str,
    request: Any,
    answer: Any,
    *,
    example: Any = None,
    answered: Any = None,
    created: bool = False,
) -> Callable[[F], F]:
    """Describe a POST or PATCH: names, the serializers of body and answer, examples where they help, and the problems.

    `created`: the answer is a 201 with the address of what is new.
    """
    status = 201 if created else 200
    examples = [OpenApiExample(summary, example, request_only=True)] if example else []
    if answered:
        examples.append(OpenApiExample(summary, answered, response_only=True, status_codes=[str(status)]))
    return extend_schema(
        operation_id=operation,
        summary=summary,
        request={"application/json": request},
        responses={status: answer} | problem_answers(400, 401, 403, 404, 409, 411, 413, 415, 422, 429, words=CHANGING),
        parameters=[KEY, replayed([status]), *([location("What is new.")] if created else []), *LIMIT],
        examples=examples,
    )


def record_documented(operation: str, summary: str, answer: Any, *, example: Any = None) -> Callable[[F], F]:
    """Describe the POST of one record, as JSON or in the text notation."""
    examples = [
        OpenApiExample("A record", RECORD, request_only=True, media_type="application/json"),
        OpenApiExample("A game as text", NOTATION, request_only=True, media_type=notation.MEDIA_TYPE),
    ]
    if example:
        examples.append(OpenApiExample(summary, example, response_only=True))
    return extend_schema(
        operation_id=operation,
        summary=summary,
        request={"application/json": OpenApiTypes.OBJECT, notation.MEDIA_TYPE: OpenApiTypes.STR},
        responses={200: answer} | problem_answers(400, 401, 403, 404, 409, 411, 413, 415, 422, 429),
        parameters=[KEY, replayed([200]), *LIMIT],
        examples=examples,
    )


def replayed(statuses: list[int]) -> OpenApiParameter:
    """The header that marks an answer as one given before."""
    return OpenApiParameter(
        "Idempotency-Replayed", str, OpenApiParameter.HEADER, response=statuses,
        description="`true` where this is the answer that an earlier request with the same key got.",
    )  # fmt: skip


def location(description: str) -> OpenApiParameter:
    """The header that names what is new."""
    return OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[201], description=description)


def problem_answers(*statuses: int, words: ProblemWords = WORDS) -> dict[tuple[int, str], OpenApiResponse]:
    """The problems an operation may answer with, each with an example."""
    return {
        (status, MEDIA_TYPE): OpenApiResponse(
            ProblemShape,
            description=HTTPStatus(status).phrase,
            examples=[_problem_example(status, *words[status])],
        )
        for status in statuses
    }


def _problem_example(status: int, code: str, detail: str) -> OpenApiExample:
    problem = problem_json(status, code, detail=detail)
    return OpenApiExample(code, problem, response_only=True, media_type=MEDIA_TYPE, status_codes=[str(status)])
