"""Addresses that change something: who may, the body that came, and one answer for one request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from hashlib import sha256
from http import HTTPStatus
from typing import IO, Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, PermissionDenied, UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from engine.notation.text import MEDIA_TYPE
from engine.record.lines import GZIP
from league.clubs.models import ApiKey, Club, User
from league.clubs.services.idempotency import Answer, KeyReused, answer_once
from league.frame.api.operation import CHANGING, Operation, change_documented
from league.frame.api.problems import Problem, problem_response, refused_value
from league.frame.api.serializers import Body, Serializer
from league.locks import Busy, Collided, once_more
from league.log.models import LogEntry
from league.log.services import Actor
from league.seasons.api.view import SeenView

KEY = re.compile(r"[ -~]{1,64}")


@dataclass(frozen=True, slots=True)
class SentBody:
    """The body of a request as it came, and whether it holds many records."""

    content: bytes
    many: bool


class ReasonBody(Body):
    """A body that may give a reason, for the club's log."""

    reason = serializers.CharField(
        required=False, allow_blank=True, max_length=LogEntry._meta.get_field("reason").max_length
    )


class BodyParser(BaseParser):
    """A body as it came, JSON. Serializers read it; the parser looks at its size alone."""

    media_type = "application/json"
    many: ClassVar[bool] = False

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The members of a `SentBody`. Raises a 413 for one that is too large, a 415 for one that is packed."""
        content = stream.read(settings.IMPORT_MAX_BYTES + 1)
        if len(content) > settings.IMPORT_MAX_BYTES:
            raise too_large()
        if content.startswith(GZIP):
            raise UnsupportedMediaType("gzip", "Send the body unpacked; packed files go through the club's pages.")
        return {"content": content, "many": self.many}


class NotationParser(BodyParser):
    """Games in the text notation."""

    media_type = MEDIA_TYPE
    many = True


class WriteView(SeenView):
    """A view that changes something for an account with a right in the club."""

    parser_classes: tuple[type[BodyParser], ...] = (BodyParser,)
    right: ClassVar[str] = "league.manage_club"
    refusal: ClassVar[str] = "Organisers of the club may do this."

    def writer(self) -> User:
        """The account that acts. Raises `NotAuthenticated`, or `PermissionDenied` without the right to do so."""
        account = self.known_account(self.club)
        if not account.has_perm(self.right, self.ground()):
            raise PermissionDenied(self.refusal)
        return account

    def ground(self) -> Any:
        """Tell where the right has to be: in the club."""
        return self.club

    def known_account(self, club: Club) -> User:
        """The account that asks. Raises `NotAuthenticated`, or `PermissionDenied` for a key of another club."""
        account = self.request.user
        if not isinstance(account, User):
            raise NotAuthenticated("This needs a key of the club.")
        if self.is_foreign(club.slug):
            raise PermissionDenied("The key is for another club.", "wrong_club")
        return account

    def sent(self) -> SentBody:
        """The body. Raises problems 400, 411, 413 and 415."""
        headers = self.request.headers
        if "chunked" in headers.get("Transfer-Encoding", "").lower():
            raise Problem(HTTPStatus.LENGTH_REQUIRED, "length_required", "Say in Content-Length how long the body is.")
        if headers.get("Content-Encoding", "identity").lower() != "identity":
            raise UnsupportedMediaType(headers["Content-Encoding"], "Send the body unpacked.")
        length = headers.get("Content-Length", "")
        if length.isdecimal() and int(length) > settings.IMPORT_MAX_BYTES:
            raise too_large()
        request_body: Any = self.request.data  # what the parser gave, or nothing where there is no body
        if not request_body or not request_body["content"].strip():
            raise Problem(HTTPStatus.BAD_REQUEST, "empty_body", "The body holds nothing.")
        return SentBody(**request_body)

    def done(
        self, request_body: SentBody, work: Callable[[], Mapping[str, Any]], *, status: int = HTTPStatus.OK
    ) -> Response:
        """Answer with what the work gives, `Location` from its `url` where something is new; done once for one
        `Idempotency-Key`. What a service refuses is a problem 400 with pointers."""

        def give() -> Answer:
            try:
                body = work()
            except ValidationError as error:
                raise refused_value(error) from error
            except Busy:
                detail = "Somebody else is changing this at this moment. Send the request again."
                raise Problem(HTTPStatus.CONFLICT, "busy", detail) from None
            return Answer(status, json.loads(json.dumps(body, cls=JSONEncoder)))

        response = self.answered(request_body, give)
        if response.status_code == HTTPStatus.CREATED:
            response["Location"] = response.data["url"]
        return response

    def answered(self, request_body: SentBody, give: Callable[[], Answer]) -> Response:
        """Answer with what `give` gives; with an `Idempotency-Key` it is what it gave the first time."""
        give = partial(once_more, give)
        key = self.request.headers.get("Idempotency-Key")
        try:
            if key is None:
                return _response(give())
            answer, replayed = answer_once(
                api_key=self._keyed(key), key=key, request_digest=self._digest(request_body), give=give
            )
        except KeyReused:
            raise Problem(
                HTTPStatus.UNPROCESSABLE_ENTITY, "idempotency_key_reused", "This key was sent with another request."
            ) from None
        except Collided:
            detail = "Twice somebody else's changes came in the way. What went in before stays; send the request again."
            raise Problem(HTTPStatus.CONFLICT, "collided", detail) from None
        except Busy:
            raise Problem(
                HTTPStatus.CONFLICT, "in_progress", "A request with this key is still being worked on. Ask again."
            ) from None
        response = _response(answer)
        if replayed:
            response["Idempotency-Replayed"] = "true"
        return response

    def _keyed(self, key: str) -> ApiKey:
        """The API key that an idempotency key belongs to. Raises problems 400."""
        if not KEY.fullmatch(key):
            detail = "An Idempotency-Key has 1 to 64 printable ASCII characters."
            raise Problem(HTTPStatus.BAD_REQUEST, "bad_idempotency_key", detail)
        if not isinstance(self.request.auth, ApiKey):
            detail = "An Idempotency-Key needs an API key."
            raise Problem(HTTPStatus.BAD_REQUEST, "idempotency_needs_token", detail)
        return self.request.auth

    def _digest(self, request_body: SentBody) -> str:
        """The digest that tells this request from others: of its address with the query, and its body."""
        address = (self.request.method, self.request.get_full_path(), request_body.many, len(request_body.content))
        return sha256(repr(address).encode() + request_body.content).hexdigest()


def changes(
    summary: str,
    body: type[Serializer] | Serializer,
    answer: type[Serializer],
    *,
    created: bool = False,
    example: Any = None,
) -> Callable[[Callable[[Any, Any, dict[str, Any], Actor], Any]], Operation]:
    """Make a method an operation that changes something. It gets what the address names (`get_object`), the members of
    the body and who acts, with the body's `reason`, and gives what the serializer `answer` sends.

    A `body` may be partial: then what is left out stays. `created`: the answer is a 201 with the address of what is
    new. In the schema the operation is called as the method.
    """
    status = HTTPStatus.CREATED if created else HTTPStatus.OK
    reader, partial_body = (type(body), bool(body.partial)) if isinstance(body, Serializer) else (body, False)

    def operation(method: Callable[[Any, Any, dict[str, Any], Actor], Any]) -> Operation:
        @wraps(method)
        def change(view: WriteView, request: Request, *args: Any, **kwargs: Any) -> Response:
            account = view.writer()
            target = view.get_object()
            sent = view.sent()
            members = reader.of(sent.content, partial=partial_body)
            actor = Actor(account.pk, members.pop("reason", ""))
            return view.done(
                sent,
                lambda: view.represent(answer, method(view, target, {**members}, actor)),
                status=status,
            )

        examples = [OpenApiExample(summary, example, request_only=True)] if example else []
        bodies, answers = {"application/json": body}, {int(status): answer}
        return change_documented(method.__name__, summary, bodies, answers, examples=examples, words=CHANGING)(change)

    return operation


def too_large() -> Problem:
    """A 413 that tells the limit."""
    detail = f"The body has more than {settings.IMPORT_MAX_BYTES} bytes."
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", detail)


def _response(answer: Answer) -> Response:
    """An answer, fresh or stored."""
    if answer.status >= HTTPStatus.BAD_REQUEST:
        return problem_response(answer.body)
    return Response(answer.body, status=answer.status)
