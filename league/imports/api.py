"""Entering games: one record as JSON, or many as JSON Lines or in the text notation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from io import BytesIO
from itertools import islice
from typing import IO, Any, ClassVar

from django.conf import settings
from rest_framework.exceptions import NotAuthenticated, PermissionDenied, UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from engine.notation.files import record_lines
from engine.notation.text import MEDIA_TYPE
from engine.record.lines import GZIP
from engine.record.record import parse
from league.clubs.models import ApiKey, Club, User
from league.clubs.queries.access import club_for
from league.clubs.services.idempotency import Answer, KeyReused, answer_once
from league.frame.api.document import entry_documented
from league.frame.api.links import game_link
from league.frame.api.parameters import OfEntry
from league.frame.api.problems import Problem, problem_json, problem_response
from league.imports.services.record import BAD_GAMES_REPORTED, Imported, Report, file_import, record_import
from league.locks import Busy, Collided, once_more
from league.rankings.api.game import GameList
from league.rankings.models import Season

KEY = re.compile(r"[ -~]{1,64}")
NAMING = 1000  # records that are asked which season they belong to
SLUG = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Entry:
    """The body of a request: one record, or many with one a line."""

    content: bytes
    many: bool


class RecordParser(BaseParser):
    """One record. The engine reads it; here only its size is looked at."""

    media_type = "application/json"
    many: ClassVar[bool] = False

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The members of an `Entry`. Raises a 413 for one that is too large, a 415 for one that is packed."""
        content = stream.read(settings.IMPORT_MAX_BYTES + 1)
        if len(content) > settings.IMPORT_MAX_BYTES:
            raise too_large()
        if content.startswith(GZIP):
            raise UnsupportedMediaType("gzip", "Send the body unpacked; packed files go through the club's pages.")
        return {"content": content, "many": self.many}


class RecordLinesParser(RecordParser):
    """Many records, one a line."""

    media_type = "application/x-ndjson"
    many = True


class NotationParser(RecordParser):
    """Games in the text notation."""

    media_type = MEDIA_TYPE
    many = True


class ClubGames(GameList):
    """A club's games, and where new ones are entered."""

    post_parameters = OfEntry
    parser_classes = (RecordParser, RecordLinesParser, NotationParser)

    @entry_documented
    def post(self, request: Request, club: str) -> Response:
        """Enter one record, or many, with one a line or in the text notation.

        One upload goes into one season: the one that `season` names, or else the one that the first record names.
        Good records go in and bad ones are reported, unless `all_or_nothing` is set. Sending records again changes
        nothing, so a request that got no answer can simply be repeated; with an `Idempotency-Key` it even gets the
        answer it missed.
        """
        found = club_for(self.viewer(club), club)
        account = self.scorer(found)
        entry = self.entry()
        give = partial(once_more, partial(self.enter, found, account, entry))
        key = request.headers.get("Idempotency-Key")
        try:
            if key is None:
                return _response(give())
            answer, replayed = answer_once(
                api_key=self.keyed(key), key=key, request_digest=self.digest(entry), give=give
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

    def scorer(self, club: Club) -> User:
        """The account that enters the games. Raises `NotAuthenticated` or `PermissionDenied`."""
        account = self.request.user
        if not isinstance(account, User):
            raise NotAuthenticated("Entering games needs a key of the club.")
        if self.is_foreign(club.slug):
            raise PermissionDenied("The key is for another club.", "wrong_club")
        if not account.has_perm("league.enter_games", club):
            raise PermissionDenied("Scorers and organisers of the club may enter games.")
        return account

    def entry(self) -> Entry:
        """The body. Raises problems 400, 411, 413 and 415."""
        headers = self.request.headers
        if "chunked" in headers.get("Transfer-Encoding", "").lower():
            raise Problem(HTTPStatus.LENGTH_REQUIRED, "length_required", "Say in Content-Length how long the body is.")
        if headers.get("Content-Encoding", "identity").lower() != "identity":
            raise UnsupportedMediaType(headers["Content-Encoding"], "Send the body unpacked.")
        length = headers.get("Content-Length", "")
        if length.isdecimal() and int(length) > settings.IMPORT_MAX_BYTES:
            raise too_large()
        sent: Any = self.request.data  # what the parser gave, or nothing where there is no body
        if not sent or not sent["content"].strip():
            raise Problem(HTTPStatus.BAD_REQUEST, "empty_body", "The body holds no record.")
        return Entry(**sent)

    def keyed(self, key: str) -> ApiKey:
        """The API key that an idempotency key belongs to. Raises problems 400."""
        if not KEY.fullmatch(key):
            detail = "An Idempotency-Key has 1 to 64 printable ASCII characters."
            raise Problem(HTTPStatus.BAD_REQUEST, "bad_idempotency_key", detail)
        if not isinstance(self.request.auth, ApiKey):
            detail = "An Idempotency-Key needs an API key. Without one, send the request again as it is: that is safe."
            raise Problem(HTTPStatus.BAD_REQUEST, "idempotency_needs_token", detail)
        return self.request.auth

    def digest(self, entry: Entry) -> str:
        """What tells this request from others: its address with the query, and its body."""
        address = (self.request.method, self.request.get_full_path(), entry.many, len(entry.content))
        return sha256(repr(address).encode() + entry.content).hexdigest()

    def enter(self, club: Club, account: User, entry: Entry) -> Answer:
        """Import the body and say what became of it."""
        season = self.season_of(club, entry)
        ends: list[Imported] = []
        bad: list[dict[str, Any]] = []

        def hear(imported: Imported) -> None:
            if imported.error is None:
                ends.append(imported)
            elif len(bad) < BAD_GAMES_REPORTED:
                ends.append(imported)
                bad.append(imported.bad_json())

        create_players = self.query["create_players"]
        if entry.many:
            report = file_import(
                stream=BytesIO(entry.content),
                season=season,
                entered_by=account,
                create_players=create_players,
                all_or_nothing=self.query["all_or_nothing"],
                ended=hear,
            )
        else:
            report = Report()
            imported = record_import(
                season=season, line=entry.content, entered_by=account, create_players=create_players
            )
            report.add(imported)
            hear(imported)
        return _answer(report, ends, bad, many=entry.many)

    def season_of(self, club: Club, entry: Entry) -> Season:
        """The season that the games go into. Raises problems 422."""
        slug = self.query.get("season") or _season_named(entry)
        if slug is None:
            detail = "Neither the address nor the first record names the season."
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "season_missing", detail)
        try:
            return self.season(club.slug, slug)
        except Season.DoesNotExist:
            detail = f"The club has no season {slug}."
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "no_such_season", detail) from None


def too_large() -> Problem:
    """A 413 that tells the limit."""
    detail = f"The body has more than {settings.IMPORT_MAX_BYTES} bytes."
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", detail)


def _season_named(entry: Entry) -> str | None:
    """The season that the first record with one names, of those that are asked."""
    lines = islice(record_lines(BytesIO(entry.content), settings.IMPORT_LIMITS), NAMING) if entry.many else ()
    contents = (line.content for line in lines) if entry.many else [entry.content]
    values = (parse(content) for content in contents if isinstance(content, bytes))
    named = (value["season"] for value in values if isinstance(value, dict) and "season" in value)
    slug = next(named, None)
    return slug if isinstance(slug, str) and SLUG.fullmatch(slug) else None


def _answer(report: Report, ends: list[Imported], bad: list[dict[str, Any]], *, many: bool) -> Answer:
    """What is answered: 201 if something is new, 200 if all was there before, 422 if nothing went in."""
    if report.read == 0:
        raise Problem(HTTPStatus.BAD_REQUEST, "empty_body", "The body holds no record.")
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    if report.bad and not many:
        fault = dict(bad[0])
        code, message = fault.pop("code"), fault.pop("message")
        detail = f"{fault['path']}: {message}" if "path" in fault else message
        return Answer(status, problem_json(status, code, detail=detail, **fault, errors=bad))
    if report.refused or report.bad == report.read:
        code = "refused" if report.refused else "all_bad"
        detail = f"Nothing was imported: {report.bad} of {report.read} records are bad."
        return Answer(status, problem_json(status, code, detail=detail, errors=bad))
    body = {
        "read": report.read,
        "created": report.created,
        "unchanged": report.unchanged,
        "bad": report.bad,
        "new_players": report.new_players,
        "results": [_result(end) for end in ends],
    }
    return Answer(HTTPStatus.CREATED if report.created else HTTPStatus.OK, body)


def _result(end: Imported) -> dict[str, Any]:
    """One record's end as it is sent."""
    return {
        "line": end.line,
        "id": end.id,
        "outcome": str(end.outcome),
        "game": game_link(end.game.public_id) if end.game else None,
        "error": end.error.as_json() if end.error else None,
    }


def _response(answer: Answer) -> Response:
    """An answer, fresh or stored."""
    if answer.status >= HTTPStatus.BAD_REQUEST:
        return problem_response(answer.body)
    response = Response(answer.body, status=answer.status)
    if answer.body["created"] == answer.body["read"] == 1:
        response["Location"] = answer.body["results"][0]["game"]
    return response
