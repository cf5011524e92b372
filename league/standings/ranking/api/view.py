"""Base classes of API views: who asks, who writes (once only), and the clubs, seasons, rankings and
games that the address names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial, wraps
from hashlib import sha256
from operator import attrgetter
from typing import IO, Any, ClassVar, Final, TypeVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, PermissionDenied, UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from engine.notation.text import MEDIA_TYPE
from engine.record.lines import GZIP
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.api.operation import CHANGING, Operation, change_documented
from league.core.frame.api.problems import Problem, problem_response, refused_value
from league.core.frame.api.serializers import Body, Serializer
from league.core.frame.api.view import ApiView
from league.core.key.models import ApiKey
from league.core.key.services.idempotency import Answer, KeyReused, answer_once
from league.core.locks import Busy, Collided, once_more
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer, club_for
from league.standings.ranking.queries.board import Board
from league.standings.season.models import AllTime, Season
from league.standings.season.queries.access import (
    board_for,
    game_for,
    season_for,
    season_for_organiser,
)

R = TypeVar("R")
KEY: Final = re.compile(r"[ -~]{1,64}")


class SeenView(ApiView):
    """A view that anybody may call; its answer depends on the account, because it loads everything
    by `…_for`."""

    permission_classes = [AllowAny]
    for_organisers: bool = False
    """Only organisers may read this; for everybody else the address doesn't exist."""
    club_path: ClassVar[str] = ""
    """The attribute path to the view's club; empty if the address names it."""
    scope: ClassVar[str] = ApiKey.Scope.CLUB
    """The scope of API keys that the view accepts."""

    def viewer(self, club: str | None = None) -> Viewer:
        """Return the viewer of this request to a club, given by slug. An API key stands for its
        account in its own club only; in another one, the viewer is anonymous."""
        link_token = self.query.get("key")
        user = AnonymousUser() if self.is_foreign(club) else self.request.user
        return Viewer(user, frozenset([link_token] if link_token else []))

    def by_id(
        self, row_for: Callable[[Viewer, str], R], public_id: str, club_of: Callable[[R], Club]
    ) -> R:
        """Return the row with this public id, for addresses that don't name its club. `row_for`
        loads it if the viewer may see it, and raises `ObjectDoesNotExist` otherwise.

        An API key gives no rights in other clubs. The club is only known once the row is loaded; if
        the key is for another club, the row is loaded again for an anonymous viewer."""
        row = row_for(self.viewer(), public_id)
        club_slug = club_of(row).slug
        if self.is_foreign(club_slug):
            return row_for(self.viewer(club_slug), public_id)
        return row

    def is_foreign(self, club: str | None) -> bool:
        """Return True if the request's API key is for another club or another scope."""
        key = self.request.auth
        if not isinstance(key, ApiKey):
            return False
        return key.scope != self.scope or (club is not None and key.club.slug != club)

    @cached_property
    def club(self) -> Club:
        """Return the club, whose time zone holds for all times. Raise `ObjectDoesNotExist` if the
        viewer may not see it."""
        if self.club_path:
            return attrgetter(self.club_path)(self)  # type: ignore[no-any-return]
        return club_for(self.viewer(self.kwargs["club"]), self.kwargs["club"])


def named_by_id(name: str, row_for: Callable[[Viewer, str], R], club: str) -> cached_property[R]:
    """Return a cached property for the row that a view's address names by id alone; `club` is the
    path to its club. It raises `ObjectDoesNotExist` if the viewer may not see the row."""
    return cached_property(lambda view: view.by_id(row_for, view.kwargs[name], attrgetter(club)))


class SeasonView(SeenView):
    """A view of a season, or of something in it."""

    noun = "season"
    club_path = "season.club"

    @cached_property
    def season(self) -> Season:
        """Return the season of the address. Raise `Season.DoesNotExist` if the viewer may not see
        it."""
        club = self.kwargs["club"]
        row_for = season_for_organiser if self.for_organisers else season_for
        return row_for(self.viewer(club), club, self.kwargs["season"])


class BoardView(SeenView):
    """A view of a season's ranking; without a season in the address, of the club's all-time
    ranking."""

    noun = "board"
    club_path = "board.club"

    @cached_property
    def board(self) -> Board:
        """Return the ranking with everything its answers depend on. Raise `ObjectDoesNotExist`."""
        club = self.kwargs["club"]
        return board_for(self.viewer(club), club, self.kwargs.get("season", AllTime.SLUG))

    def versions(self) -> tuple[object, ...] | None:
        """Return the version of the ranking and of the names in it."""
        return self.board.versions


class GameView(SeenView):
    """A view of one revision of a game."""

    noun = "game"
    club_path = "game.season_game.season.club"
    game = named_by_id("game", game_for, "season_game.season.club")


@dataclass(frozen=True, slots=True)
class SentBody:
    """The raw body of a request, and whether it holds many records."""

    content: bytes
    many: bool


class ReasonBody(Body):
    """A body that may give a reason, for the club's log."""

    reason = serializers.CharField(
        required=False, allow_blank=True, max_length=LogEntry._meta.get_field("reason").max_length
    )


class BodyParser(BaseParser):
    """A parser that leaves the JSON body as it is, and only checks its size; serializers read
    it."""

    media_type = "application/json"
    many: ClassVar[bool] = False

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return a `SentBody`. Raise a problem 413 if the body is too large, and a 415 if it is
        compressed."""
        content = stream.read(settings.IMPORT_MAX_BYTES + 1)
        if len(content) > settings.IMPORT_MAX_BYTES:
            raise too_large()
        if content.startswith(GZIP):
            raise UnsupportedMediaType(
                "gzip", "Send the body unpacked; packed files go through the club's pages."
            )
        return SentBody(content, self.many)


class NotationParser(BodyParser):
    """Games in the text notation."""

    media_type = MEDIA_TYPE
    many = True


class WriteView(SeenView):
    """A view that changes something for an account with a right in the club."""

    parser_classes: tuple[type[BodyParser], ...] = (BodyParser,)
    right: ClassVar[str | None] = "league.manage_club"
    """The right that the account needs; None: any account may do it."""
    ground: ClassVar[str] = "club"
    """The attribute with the object that the right is checked on."""
    refusal: ClassVar[str] = "Organisers of the club may do this."

    def writer(self) -> User:
        """Return the acting account. Raise `NotAuthenticated`, or `PermissionDenied` without the
        right."""
        account = self.known_account(self.club)
        if not self.is_allowed(account):
            raise PermissionDenied(self.refusal)
        return account

    def is_allowed(self, account: User) -> bool:
        """Return True if the account has the right."""
        return self.right is None or account.has_perm(self.right, getattr(self, self.ground))

    def known_account(self, club: Club) -> User:
        """Return the requesting account. Raise `NotAuthenticated`, or `PermissionDenied` for a key
        of another club or scope."""
        account = self.request.user
        if not isinstance(account, User):
            raise NotAuthenticated("This needs a key of the club.")
        if isinstance(self.request.auth, ApiKey) and self.request.auth.scope != self.scope:
            raise PermissionDenied(f"This needs a key of the scope “{self.scope}”.", "wrong_scope")
        if self.is_foreign(club.slug):
            raise PermissionDenied("The key is for another club.", "wrong_club")
        return account

    def sent(self) -> SentBody:
        """Return the body. Raise problems 400, 411, 413 and 415."""
        headers = self.request.headers
        if "chunked" in headers.get("Transfer-Encoding", "").lower():
            raise Problem(411, "length_required", "Say in Content-Length how long the body is.")
        if headers.get("Content-Encoding", "identity").lower() != "identity":
            raise UnsupportedMediaType(headers["Content-Encoding"], "Send the body unpacked.")
        length = headers.get("Content-Length", "")
        if length.isdecimal() and int(length) > settings.IMPORT_MAX_BYTES:
            raise too_large()
        request_body: Any = self.request.data  # a `SentBody`, or empty without a body
        if not request_body or not request_body.content.strip():
            raise Problem(400, "empty_body", "The body is empty.")
        return request_body  # type: ignore[no-any-return]

    def done(
        self, request_body: SentBody, work: Callable[[], Mapping[str, Any]], *, status: int = 200
    ) -> Response:
        """Answer with the result of `work`, carried out once for each `Idempotency-Key`. The
        `Location` of a 201 is the `url` of the result. If a service refuses the values, raise a
        problem 400 that points to them."""

        def give_answer() -> Answer:
            try:
                # plain JSON, because an answer for an `Idempotency-Key` is stored
                result = json.loads(json.dumps(work(), cls=JSONEncoder))
                return Answer(status, result)
            except ValidationError as error:
                raise refused_value(error) from error
            except Busy:
                raise Problem(409, *CHANGING[409]) from None

        response = self.answered(request_body, give_answer)
        if response.status_code == 201:
            response["Location"] = response.data["url"]
        return response

    def answered(self, request_body: SentBody, give_answer: Callable[[], Answer]) -> Response:
        """Answer with the result of `give_answer`, which is called a second time after a collision.
        A request with an `Idempotency-Key` that was used before gets the first answer again."""
        give_answer = partial(once_more, give_answer)
        key = self.request.headers.get("Idempotency-Key")
        try:
            if key is None:
                answer = give_answer()
                replayed = False
            else:
                answer, replayed = answer_once(
                    api_key=self._api_key_for(key),
                    key=key,
                    request_digest=self._request_digest(request_body),
                    give=give_answer,
                )
        except KeyReused:
            raise Problem(422, *CHANGING[422]) from None
        except Collided:
            detail = (
                "Twice somebody else's changes came in the way. What went in before stays; send "
                "the request again."
            )
            raise Problem(409, "collided", detail) from None
        except Busy:
            detail = "A request with this key is still being worked on. Ask again."
            raise Problem(409, "in_progress", detail) from None
        if answer.status >= 400:
            response = problem_response(answer.body)
        else:
            response = Response(answer.body, status=answer.status)
        if replayed:
            response["Idempotency-Replayed"] = "true"
        return response

    def _api_key_for(self, idempotency_key: str) -> ApiKey:
        if not KEY.fullmatch(idempotency_key):
            raise Problem(
                400,
                "bad_idempotency_key",
                "An Idempotency-Key must have 1 to 64 printable ASCII characters.",
            )
        if not isinstance(self.request.auth, ApiKey):
            raise Problem(400, "idempotency_needs_token", "An Idempotency-Key needs an API key.")
        return self.request.auth

    def _request_digest(self, request_body: SentBody) -> str:
        """Return a digest by which a repeated request is recognised."""
        head = (
            self.request.method,
            self.request.get_full_path(),
            request_body.many,
            len(request_body.content),
        )
        return sha256(repr(head).encode() + request_body.content).hexdigest()


def changes(
    summary: str,
    body: type[Serializer] | Serializer,
    answer: Any,
    *,
    created: bool = False,
    example: Any = None,
) -> Callable[[Callable[[Any, Any, dict[str, Any], Actor], Any]], Operation]:
    """Decorate a method as an operation that changes something. The method gets the object of the
    address (`get_object`), the members of the body, and the actor with the body's `reason`. It
    returns the object for the serializer `answer`; if that is a serializer of `many`, it returns
    rows, which become the `results`.

    With a partial `body`, omitted members stay as they are. `created`: the answer is a 201 with the
    address of the new object. The method's name is the operation's id in the schema."""
    status = 201 if created else 200
    body_type = type(body) if isinstance(body, Serializer) else body
    partial_body = isinstance(body, Serializer) and bool(body.partial)

    def operation(method: Callable[[Any, Any, dict[str, Any], Actor], Any]) -> Operation:
        @wraps(method)
        def change(view: WriteView, request: Request, *args: Any, **kwargs: Any) -> Response:
            account = view.writer()
            named_object = view.get_object()
            sent = view.sent()
            members = body_type.of(sent.content, partial=partial_body)
            actor = Actor(account.pk, members.pop("reason", ""))
            return view.done(
                sent,
                lambda: view.represent(answer, method(view, named_object, {**members}, actor)),
                status=status,
            )

        examples = [OpenApiExample(summary, example, request_only=True)] if example else []
        documented = change_documented(
            summary,
            {"application/json": body},
            {int(status): _described(answer)},
            examples=examples,
            words=CHANGING,
        )
        return documented(change)

    return operation


def _described(answer: Any) -> Any:
    """Return the schema of an answer; for many rows, that of an object with them as `results`."""
    if not isinstance(answer, serializers.ListSerializer):
        return answer
    row: Any = type(answer.child)
    return _list_described(row)


@cache
def _list_described(row: type[Serializer]) -> Any:
    """Return the schema of a list of rows, cached so that all operations share one object."""
    return inline_serializer(
        f"{row.__name__.removesuffix('Serializer')}List", {"results": row(many=True)}
    )


def too_large() -> Problem:
    """Return a problem 413 that states the limit."""
    return Problem(413, "too_large", f"The body has more than {settings.IMPORT_MAX_BYTES} bytes.")
