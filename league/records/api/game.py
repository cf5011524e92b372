"""Games."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.notation.text import MEDIA_TYPE
from engine.record.check import check
from engine.record.export import export
from games.domain.game import game_notation
from games.models import Game
from games.models.game import Kind
from games.models.public_id import LENGTH
from games.queries.game import game_correction, sealed_record
from league.clubs.api.player import PlayerNamed, named
from league.clubs.queries.access import club_for
from league.frame.api.document import OF_GAMES, RECORD, documented
from league.frame.api.links import game_link, season_link
from league.frame.api.pagination import PlacePagination
from league.frame.api.parameters import SeenBy
from league.rankings.api.place import PagedByPlace
from league.rankings.queries.game import SeatAtTable, seats_of
from league.seasons.api.view import SeenListView, SeenView
from league.seasons.queries.access import visible_seasons
from league.seasons.queries.listing import game_rows


class SeatShape(serializers.Serializer[None]):
    """A seat, clockwise from seat 0; rank and points (of the season's table) are null until the game counts."""

    player = PlayerNamed()
    rank = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)


class RatingChangeShape(serializers.Serializer[None]):
    """What a game did to a rating."""

    mu_before = serializers.FloatField()
    sigma_before = serializers.FloatField()
    mu = serializers.FloatField()
    sigma = serializers.FloatField()


RATING_CHANGE = ("mu_before", "sigma_before", "mu", "sigma")


class RatedSeatShape(SeatShape):
    """A seat with the dice that had left the game before it (Bluff), and what became of the rating."""

    cntdice = serializers.IntegerField(allow_null=True)
    rating = RatingChangeShape(allow_null=True)


class GameShape(serializers.Serializer[None]):
    """A game. `counted`: the season's table holds it. `event`, `table` and `played_at` may be unknown."""

    id = serializers.CharField()
    record_id = serializers.CharField(help_text="The id in its record, unique in the club.")
    revision = serializers.IntegerField(help_text="1, and one more with every correction.")
    game = serializers.ChoiceField(Kind.choices)
    club = serializers.CharField()
    season = serializers.CharField()
    event = serializers.CharField(allow_null=True)
    table = serializers.CharField(allow_null=True)
    played_at = serializers.DateTimeField(allow_null=True)
    over = serializers.BooleanField()
    counted = serializers.BooleanField()
    only_end = serializers.BooleanField(
        help_text="Only the end of the game is known: its record tells an outcome, and no round or turn."
    )
    rounds = serializers.IntegerField(help_text="How many rounds or turns are recorded.")
    seats = SeatShape(many=True)
    url = serializers.CharField()
    record = serializers.CharField(help_text="The address of its record.")
    notation = serializers.CharField(help_text="The address of the game as text.")
    analysis = serializers.CharField(help_text="The address of its analysis.")


class OneGameShape(GameShape):
    """A game. `head` stands for all its facts: the last link of the chain of digests, in hexadecimal."""

    seats = RatedSeatShape(many=True)
    rules = serializers.DictField()
    opener = serializers.IntegerField(help_text="The seat that opened the first round.")
    season_url = serializers.CharField()
    entered_at = serializers.DateTimeField()
    entered_by = serializers.CharField(
        allow_null=True, help_text="The id of the account that entered it; null where the service itself did."
    )
    head = serializers.CharField()
    corrects = serializers.CharField(allow_null=True, help_text="The address of the revision that this one corrects.")
    corrected_by = serializers.CharField(allow_null=True, help_text="The address of the revision that corrects it.")
    reason = serializers.CharField(allow_null=True, help_text="Why this revision corrects the one before.")
    difference = serializers.CharField(allow_null=True, help_text="The address of what this revision changed.")


def game_json(row: dict[str, Any]) -> dict[str, Any]:
    """A row of `game_rows` as it is sent."""
    game = row["game__public_id"]
    seats = [
        {
            "player": named(seat["player"], seat["handle"], seat["name"]),
            "rank": seat["rank"],
            "points": seat["points"],
        }
        for seat in row["seats"]
    ]
    return {
        "id": game,
        "record_id": row["game__external_id"],
        "revision": row["game__revision"],
        "game": row["game__kind"],
        "club": row["ranking__club__slug"],
        "season": row["ranking__season__slug"],
        "event": row["game__event"] or None,
        "table": row["game__table"] or None,
        "played_at": row["game__played_at"],
        "over": row["over"],
        "counted": row["over"],
        "only_end": row["only_end"],
        "rounds": 0 if row["only_end"] else row["rounds"],
        "seats": seats,
        "url": game_link(game),
        "record": f"{game_link(game)}record/",
        "notation": f"{game_link(game)}notation/",
        "analysis": f"{game_link(game)}analysis/",
    }


EXAMPLE = game_json(
    {
        "game__public_id": "k3xw9tq7vb", "game__external_id": "herbst-0001", "game__revision": 1, "game__kind": "bluff",
        "ranking__club__slug": "zum-stern", "ranking__season__slug": "herbstliga-2026", "game__event": "night-1",
        "game__table": "1-1", "game__played_at": "2026-09-03T17:05:00Z", "over": True, "only_end": False,
        "rounds": 10,
        "seats": [
            {"player": "h7mzt3kd9q", "handle": "xenia", "name": "Xenia", "rank": 1, "points": 20},
            {"player": "t2vnb8wx4r", "handle": "ben", "name": "Ben", "rank": 2, "points": 16},
        ],
    }
)  # fmt: skip
RATED = {"cntdice": 20, "rating": {"mu_before": 25.0, "sigma_before": 8.333, "mu": 27.1, "sigma": 8.05}}
ONE_EXAMPLE = EXAMPLE | {
    "seats": [seat | RATED for seat in EXAMPLE["seats"]],
    "rules": RECORD["rules"], "opener": 1, "season_url": season_link("zum-stern", "herbstliga-2026"),
    "entered_at": "2026-09-03T21:40:00Z", "entered_by": "z6qr3hjk8n", "head": "5e" * 32, "corrects": None,
    "corrected_by": None, "reason": None, "difference": None,
}  # fmt: skip


class OfGames(PagedByPlace):
    """Of the list of a club's games."""

    season = serializers.SlugField(required=False, max_length=64, help_text="The slug of a season.")
    player = serializers.SlugField(
        required=False, max_length=LENGTH, help_text="The id of a player who sat at the table."
    )
    event = serializers.SlugField(required=False, max_length=64, help_text="The slug of an event, as records name it.")
    played_after = serializers.DateTimeField(
        required=False, help_text="Played at this time or later (RFC 3339; without offset it is UTC)."
    )
    played_before = serializers.DateTimeField(required=False, help_text="Played before this time.")


class GameList(SeenListView):
    """The games of a club in one list, narrowed by parameters."""

    parameters = OfGames
    pagination_class = PlacePagination

    @documented(
        "list_games", "A club's games", GameShape(many=True), problems=[404], parameters=[OfGames], example=EXAMPLE
    )
    def get(self, request: Request, club: str) -> Response:
        """The games of the seasons that you may see, the latest first; corrected ones in their newest revision."""
        viewer = self.viewer(club)
        asked = {name: value for name, value in self.query.items() if name not in ("key", "page_size")}
        page = game_rows(visible_seasons(viewer), club_for(viewer, club), self.query["page_size"], **asked)
        rows = [game_json(row) for row in page.games]
        return PlacePagination.answer(request, rows, before=page.older, after=page.newer, latest_first=True)


class OneGame(SeenView):
    """One game, by its public id."""

    @documented(
        "get_game", "A game", OneGameShape, problems=[404, 409], parameters=[SeenBy], example=ONE_EXAMPLE,
        words=OF_GAMES,
    )  # fmt: skip
    def get(self, request: Request, game: str) -> Response:
        """A game with what it did to the ratings. Every revision has its own address."""
        return Response(_one_game_json(self.game(game)))


class GameRecord(SeenView):
    """The record of one game, as it was sealed."""

    @documented(
        "get_game_record", "A game's record", OpenApiTypes.OBJECT, problems=[404, 409], parameters=[SeenBy],
        example=RECORD, words=OF_GAMES,
    )  # fmt: skip
    def get(self, request: Request, game: str) -> HttpResponse:
        """The record as it was sealed, with result, digests and seal: `python -m engine verify` proves it."""
        return HttpResponse(export(sealed_record(self.game(game))[0]), content_type="application/json")


class GameNotation(SeenView):
    """A game as text."""

    @documented(
        "get_game_notation",
        "A game as text",
        OpenApiTypes.STR,
        problems=[404, 409],
        parameters=[SeenBy],
        media_type=MEDIA_TYPE,
        words=OF_GAMES,
    )
    def get(self, request: Request, game: str) -> HttpResponse:
        """The game in the text notation, to be read aloud or typed."""
        found = self.game(game)
        return HttpResponse(game_notation(found, sealed_record(found)[0]), content_type=f"{MEDIA_TYPE}; charset=utf-8")


def _one_game_json(game: Game) -> dict[str, Any]:
    season = game.season_game.season
    seats = seats_of(game)
    record, head = sealed_record(game)
    ending = check(record).ending
    row = {
        "game__public_id": game.public_id,
        "game__external_id": game.external_id,
        "game__revision": game.revision,
        "game__kind": game.kind,
        "ranking__club__slug": season.club.slug,
        "ranking__season__slug": season.slug,
        "game__event": game.event,
        "game__table": game.table,
        "game__played_at": game.played_at,
        "over": ending.over,
        "only_end": record.outcome is not None,
        "rounds": len(record.rounds),
        "seats": [asdict(seat) for seat in seats],
    }
    answer = game_json(row)
    dice = ending.cntdice or [None] * len(seats)
    for shown, seat, cntdice in zip(answer["seats"], seats, dice, strict=True):
        shown |= {"cntdice": cntdice, "rating": _rating_change(seat)}
    header = json.loads(game.header)
    correction = game_correction(game)
    return answer | {
        "counted": all(seat.rank is not None for seat in seats),
        "rules": header["rules"],
        "opener": header["opener"],
        "season_url": season_link(season.club.slug, season.slug),
        "entered_at": game.entered_at,
        "entered_by": game.entered_by.public_id if game.entered_by else None,
        "head": head.hex(),
        "corrects": game_link(game.replaces.public_id) if game.replaces else None,
        "corrected_by": game_link(correction.public_id) if correction else None,
        "reason": game.reason or None,
        "difference": f"{game_link(game.public_id)}difference/" if game.replaces else None,
    }


def _rating_change(seat: SeatAtTable) -> dict[str, float | None] | None:
    """What the game did to the rating of who sat there; None where the ranking isn't rated, or the game not yet."""
    return None if seat.mu is None else {name: getattr(seat, name) for name in RATING_CHANGE}
