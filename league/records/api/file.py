"""Entering games: one record as JSON, or many as JSON Lines or in the text notation."""

from __future__ import annotations

import re
from functools import partial
from http import HTTPStatus
from io import BytesIO
from itertools import islice
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from engine.notation.files import record_lines
from engine.record.record import parse
from league.clubs.models import Club, User
from league.clubs.queries.access import club_for
from league.clubs.services.idempotency import Answer
from league.frame.api.document import entry_documented
from league.frame.api.links import game_link
from league.frame.api.parameters import OfEntry
from league.frame.api.problems import Problem, problem_json
from league.records.api.game import GameList
from league.records.services.file import BAD_GAMES_REPORTED, Imported, Report, file_import, record_import
from league.seasons.api.writing import BodyParser, NotationParser, SentBody, WriteView
from league.seasons.models import Season

NAMING = 1000  # records that are asked which season they belong to
SLUG = re.compile(r"[A-Za-z0-9_-]{1,64}")


class RecordLinesParser(BodyParser):
    """Many records, one a line."""

    media_type = "application/x-ndjson"
    many = True


class ClubGames(WriteView, GameList):
    """A club's games, and where new ones are entered."""

    post_parameters = OfEntry
    parser_classes = (BodyParser, RecordLinesParser, NotationParser)

    @entry_documented
    def post(self, request: Request, club: str) -> Response:
        """Enter one record, or many, with one a line or in the text notation.

        One upload goes into one season: the one that `season` names, or else the first that a record names,
        of the first thousand.
        Good records go in and bad ones are reported, unless `all_or_nothing` is set. Sending records again changes
        nothing, so a request that got no answer can simply be repeated; with an `Idempotency-Key` it even gets the
        answer it missed.
        """
        owner = club_for(self.viewer(club), club)
        account = self.account(owner, "league.enter_games", "Scorers and organisers of the club may enter games.")
        entry = self.sent()
        response = self.answered(entry, partial(self.enter, owner, account, entry))
        if response.status_code < HTTPStatus.BAD_REQUEST and response.data["created"] == response.data["read"] == 1:
            response["Location"] = response.data["results"][0]["game"]
        return response

    def enter(self, club: Club, account: User, entry: SentBody) -> Answer:
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
                stream=BytesIO(entry.content), season=season, entered_by=account, create_players=create_players,
                all_or_nothing=self.query["all_or_nothing"], ended=hear,
            )  # fmt: skip
        else:
            report = Report()
            imported = record_import(
                season=season, line=entry.content, entered_by=account, create_players=create_players
            )
            report.add(imported)
            hear(imported)
        return _answer(report, ends, bad, many=entry.many)

    def season_of(self, club: Club, entry: SentBody) -> Season:
        """The season that the games go into. Raises problems 422."""
        slug = self.query.get("season") or _season_named(entry)
        if slug is None:
            detail = "Neither the address nor a record names the season."
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "season_missing", detail)
        try:
            return self.season(club.slug, slug)
        except Season.DoesNotExist:
            detail = f"The club has no season {slug}."
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "no_such_season", detail) from None


def _season_named(entry: SentBody) -> str | None:
    """The season that the first record with one names, of those that are asked."""
    lines = islice(record_lines(BytesIO(entry.content), settings.IMPORT_LIMITS), NAMING) if entry.many else ()
    contents = (line.content for line in lines) if entry.many else [entry.content]
    values = (parse(content) for content in contents if isinstance(content, bytes))
    slugs = (value["season"] for value in values if isinstance(value, dict) and "season" in value)
    slug = next(slugs, None)
    return slug if isinstance(slug, str) and SLUG.fullmatch(slug) else None


def _answer(report: Report, ends: list[Imported], bad: list[dict[str, Any]], *, many: bool) -> Answer:
    """Answer 201 if something is new, 200 if all was there before, 422 if nothing went in."""
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
    members = ("read", "created", "unchanged", "bad", "new_players")
    answer = {name: getattr(report, name) for name in members} | {"results": [_result(end) for end in ends]}
    return Answer(HTTPStatus.CREATED if report.created else HTTPStatus.OK, answer)


def _result(end: Imported) -> dict[str, Any]:
    """One record's end as it is sent."""
    return {
        "line": end.line,
        "id": end.game_id,
        "outcome": str(end.outcome),
        "game": game_link(end.game.public_id) if end.game else None,
        "error": end.error.as_json() if end.error else None,
    }
