"""Entering games: one record as JSON, or many as JSON Lines or in the text notation."""

from __future__ import annotations

from functools import partial
from json import dumps
from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.api.links import game_link
from league.core.frame.api.operation import BYTES, LINES, ErrorShape, change_documented
from league.core.frame.api.parameters import Parameters
from league.core.frame.api.problems import Problem, problem_json
from league.core.frame.api.serializers import LinkField, Serializer
from league.core.key.services.idempotency import Answer
from league.records.file.services import Imported, Report, content_import, season_named
from league.records.game.api import RECORD, GameList
from league.standings.ranking.api.view import BodyParser, NotationParser, SentBody, WriteView
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for

NOTATION: Final = """\
cups-up notation 1
Game: bluff
Id: evening-7
Seats: anna, ben
Opener: anna

1. 3x2 5x2 ! = 6
"""
RESULT: Final = {
    "line": 1,
    "id": "herbst-0001",
    "outcome": "created",
    "game": "/api/v1/games/k3xw9tq7vb/",
    "error": None,
}
ENTERED: Final = {
    "read": 1,
    "created": 1,
    "unchanged": 0,
    "bad": 0,
    "new_players": ["xenia", "ben"],
    "results": [RESULT],
}


class RecordLinesParser(BodyParser):
    """Many records, one per line."""

    media_type = LINES
    many = True


class ResultSerializer(Serializer):
    """The outcome of one record."""

    line = serializers.IntegerField()
    id_ = serializers.CharField(source="record_id", allow_null=True)
    outcome = serializers.ChoiceField(["created", "unchanged", "bad"])
    game = LinkField(
        game_link,
        "game.public_id",
        allow_null=True,
        help_text="The address of the game it became or already was.",
    )
    error = ErrorShape(source="error.as_json", allow_null=True)


class EnteredSerializer(Serializer):
    """The outcome of the records. Of bad ones the first thousand are listed and the others
    counted."""

    read = serializers.IntegerField()
    created = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    bad = serializers.IntegerField()
    new_players = serializers.ListField(child=serializers.CharField())
    results = ResultSerializer(many=True)


class OfEntry(Parameters):
    """Parameters of a request that enters games."""

    season = serializers.SlugField(
        required=False,
        max_length=64,
        help_text=(
            "The slug of the season. Without it, the first record that names a season decides."
        ),
    )
    create_players = serializers.BooleanField(
        default=True, help_text="Whether handles unknown to the club become players."
    )
    all_or_nothing = serializers.BooleanField(
        default=False, help_text="Whether one bad record makes all of them refused."
    )


entry_documented = change_documented(
    "Enter games",
    {
        "application/json": OpenApiTypes.OBJECT,
        RecordLinesParser.media_type: BYTES,
        NotationParser.media_type: str,
    },
    {
        201: OpenApiResponse(EnteredSerializer, description="At least one game is new."),
        200: OpenApiResponse(EnteredSerializer, description="All good records were already there."),
    },
    parameters=[OfEntry],
    location="The new game, where it is one.",
    examples=[
        OpenApiExample("A record", RECORD, request_only=True, media_type="application/json"),
        OpenApiExample(
            "Records",
            dumps(RECORD) + "\n",
            request_only=True,
            media_type=RecordLinesParser.media_type,
        ),
        OpenApiExample(
            "Games as text", NOTATION, request_only=True, media_type=NotationParser.media_type
        ),
        OpenApiExample("Entered", ENTERED, response_only=True, status_codes=["201"]),
    ],
)


class ClubGames(WriteView, GameList):
    """A club's games, and where new ones are entered."""

    right = "league.enter_games"
    refusal = "Scorers and organisers of the club may enter games."
    parser_classes = (BodyParser, RecordLinesParser, NotationParser)

    @entry_documented
    def enter_games(self, request: Request, club: str) -> Response:
        """Enter one record, or many, one per line or in text notation.

        One upload goes into one season: the one that `season` names, or else the first that a
        record names, of the first thousand. Good records go in and bad ones are reported, unless
        `all_or_nothing` is set. Sending records again changes nothing, so you can simply repeat a
        request that got no answer; with an `Idempotency-Key` it even gets the answer it missed.
        """
        account = self.writer()
        sent = self.sent()
        response = self.answered(sent, partial(self._import_and_answer, account, sent))
        if response.status_code < 400 and response.data["created"] == response.data["read"] == 1:
            response["Location"] = response.data["results"][0]["game"]
        return response

    enter_games.parameters = OfEntry  # type: ignore[attr-defined]

    def _import_and_answer(self, account: User, sent: SentBody) -> Answer:
        report, results = content_import(
            content=sent.content,
            many=sent.many,
            season=self._named_season(self.club, sent),
            entered_by=account,
            create_players=self.query["create_players"],
            all_or_nothing=self.query["all_or_nothing"],
        )
        return _answer(report, results, many=sent.many)

    def _named_season(self, club: Club, sent: SentBody) -> Season:
        slug = self.query.get("season") or season_named(sent.content, many=sent.many)
        if slug is None:
            raise Problem(
                422, "season_missing", "Neither the address nor a record names the season."
            )
        try:
            return season_for(self.viewer(club.slug), club.slug, slug)
        except Season.DoesNotExist:
            raise Problem(422, "no_such_season", f"The club has no season {slug}.") from None


def _answer(report: Report, results: list[Imported], *, many: bool) -> Answer:
    """Return the answer to a request that entered games: 201 if one is new, 200 if none is, or a
    problem if no record was taken."""
    if report.read == 0:
        raise Problem(400, "empty_body", "The body contains no record.")
    bad = [result.bad_json() for result in results if result.error]
    if report.bad and not many:
        fault = dict(bad[0])
        code = fault.pop("code")
        message = fault.pop("message")
        detail = message
        if "path" in fault:
            detail = f"{fault['path']}: {message}"
        return Answer(422, problem_json(422, code, detail=detail, **fault, errors=bad))
    if report.refused or report.bad == report.read:
        code = "refused" if report.refused else "all_bad"
        detail = f"Nothing was imported: {report.bad} of {report.read} records are bad."
        return Answer(422, problem_json(422, code, detail=detail, errors=bad))
    return Answer(
        201 if report.created else 200,
        EnteredSerializer({**report.as_json(), "results": results}).data,
    )
