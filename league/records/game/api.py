"""Games: a list of them, one, its record, its analysis, and the changes of a correction."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.response import Response

from engine.analysis.belief import FITTED, PLAIN
from engine.notation.text import MEDIA_TYPE
from engine.record.changes import record_changes
from games.domain.analysis import analysis_json
from games.domain.game import game_notation
from games.models import Game
from games.models.game import Kind
from games.models.public_id import LENGTH
from games.queries.game import game_export, sealed_record
from league.core.frame.api.links import game_link, season_link
from league.core.frame.api.operation import OF_GAMES, reads
from league.core.frame.api.pagination import PlacePagination
from league.core.frame.api.parameters import SeenBy
from league.core.frame.api.serializers import (
    FormattedField,
    LinkField,
    RowSerializer,
    Serializer,
    TimeField,
    none_if_empty,
)
from league.core.player.api import PlayerSerializer
from league.records.game.queries.game import game_row
from league.standings.ranking.api.ranking import OfGameList
from league.standings.ranking.api.view import GameView, SeenView
from league.standings.season.queries.access import visible_seasons
from league.standings.season.queries.listing import game_rows

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


class SeatSerializer(RowSerializer):
    """A seat, clockwise from seat 0; rank and points (of the season's table) are null until the
    game counts. If an arbiter has set an order, they follow it."""

    player = PlayerSerializer(source="*", columns=("player", "handle", "name"))
    rank = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    penalty = serializers.IntegerField(help_text="The further points an arbiter takes off.")
    counts_for = PlayerSerializer(
        source="*",
        columns=("counts_for", "counts_for_handle", "counts_for_name"),
        read_only=True,
        allow_null=True,
        help_text=(
            "The player in whose row of the season's table it counts: a substitute's counts in "
            "another player's row. Null for a guest."
        ),
    )


class RatingChangeSerializer(RowSerializer):
    """How a game changed a rating."""

    mu_before = serializers.FloatField()
    sigma_before = serializers.FloatField()
    mu = serializers.FloatField()
    sigma = serializers.FloatField()


class RatedSeatSerializer(SeatSerializer):
    """A seat with the dice that had left the game before it did (Bluff), and the change of its
    rating: null if the ranking isn't rated, or the game not yet."""

    cntdice = serializers.IntegerField(allow_null=True)
    rating = RatingChangeSerializer(allow_null=True)


class VoidSerializer(RowSerializer):
    """When and why a game was voided, and by which role. It counts for nothing."""

    at = TimeField()
    reason = serializers.CharField(help_text="Empty if it was removed because it named somebody.")
    role = serializers.CharField(help_text="organiser, arbiter, or operator.")


class PenaltySerializer(Serializer):
    """Points an arbiter takes off a seat of a game."""

    id_ = serializers.CharField(source="public_id")
    seat = serializers.IntegerField()
    points = serializers.IntegerField()
    role = serializers.CharField(help_text="organiser, arbiter, or operator.")
    at = TimeField(source="made_at")


class SetOrderSerializer(Serializer):
    """The order an arbiter has set for a game's seats, as ranks by seat; `played`: the ranks of the
    game itself."""

    ranks = serializers.ListField(child=serializers.IntegerField())
    played = serializers.ListField(child=serializers.IntegerField())
    role = serializers.CharField(help_text="organiser, arbiter, or operator.")
    at = TimeField(source="made_at")


class GameSerializer(RowSerializer):
    """A game, from a row of `game_rows`. `counted`: whether the season's table includes it.
    `event`, `table` and `played_at` may be unknown."""

    id_ = serializers.CharField(source="game__public_id")
    record_id = serializers.CharField(
        source="game__external_id", help_text="The id in its record, unique in the club."
    )
    revision = serializers.IntegerField(
        source="game__revision", help_text="Starts at 1 and goes up with every correction."
    )
    game = serializers.ChoiceField(Kind.choices, source="game__kind")
    club = serializers.CharField(source="ranking__club__slug")
    season = serializers.CharField(source="ranking__season__slug")
    event = FormattedField(
        none_if_empty, "game__event", allow_null=True, help_text="The event the record names."
    )
    table = FormattedField(
        none_if_empty, "game__table", allow_null=True, help_text="The table the record names."
    )
    played_at = TimeField(source="game__played_at", allow_null=True)
    over = serializers.BooleanField(help_text="False for a voided game, too.")
    counted = serializers.BooleanField(source="over")
    voided = VoidSerializer(
        source="void", allow_null=True, help_text="Null for a game that isn't void."
    )
    provisional = serializers.BooleanField(
        help_text="True while a player objects to the result, which counts in the meantime."
    )
    only_end = serializers.BooleanField(
        help_text=(
            "Only the end of the game is known: its record has an outcome, but no rounds or turns."
        )
    )
    rounds = serializers.SerializerMethodField(help_text="How many rounds or turns are recorded.")
    seats = SeatSerializer(many=True)
    url = LinkField(game_link, "game__public_id")
    record = LinkField(
        game_link, "game__public_id", tail="record/", help_text="The address of its record."
    )
    notation = LinkField(
        game_link, "game__public_id", tail="notation/", help_text="The address of the game as text."
    )
    analysis = LinkField(
        game_link, "game__public_id", tail="analysis/", help_text="The address of its analysis."
    )

    def get_rounds(self, row: dict[str, Any]) -> int:
        """Return the number of rounds; a stored outcome alone isn't one."""
        return 0 if row["only_end"] else row["rounds"]


class OneGameSerializer(GameSerializer):
    """A game. `head` identifies all its facts: the last link of the chain of digests, in
    hexadecimal."""

    counted = serializers.BooleanField()
    seats = RatedSeatSerializer(many=True)
    rules = serializers.DictField()
    opener = serializers.IntegerField(help_text="The seat that opened the first round.")
    penalties = PenaltySerializer(many=True, help_text="The penalties still in force.")
    order = SetOrderSerializer(
        allow_null=True, help_text="Null if the seats count as they finished."
    )
    season_url = LinkField(season_link, "ranking__club__slug", "ranking__season__slug")
    entered_at = TimeField()
    entered_by = serializers.CharField(
        allow_null=True,
        help_text="The id of the account that entered it; null if the service itself did.",
    )
    head = serializers.CharField()
    receipts = serializers.ListField(
        child=serializers.CharField(),
        help_text=(
            "Receipts for the log entries that sealed it and ruled on it, the oldest first. Keep "
            "them: `verify --receipt` checks them."
        ),
    )
    corrects = LinkField(
        game_link,
        "corrects",
        allow_null=True,
        help_text="The address of the revision this one corrects.",
    )
    corrected_by = LinkField(
        game_link,
        "corrected_by",
        allow_null=True,
        help_text="The address of the revision that corrects it.",
    )
    reason = serializers.CharField(
        allow_null=True, help_text="Why this revision corrects the one before."
    )
    reason_removed = serializers.BooleanField(
        help_text="Whether the reason was removed because it named somebody."
    )
    difference = LinkField(
        game_link,
        "difference",
        tail="difference/",
        allow_null=True,
        help_text="The address of what this revision changed.",
    )


class OfGames(OfGameList):
    """The parameters of the list of a club's games."""

    season = serializers.SlugField(required=False, max_length=64, help_text="The slug of a season.")
    player = serializers.SlugField(
        required=False, max_length=LENGTH, help_text="The id of a player who sat at the table."
    )
    event = serializers.SlugField(
        required=False, max_length=64, help_text="The slug of an event, as records name it."
    )
    played_after = TimeField(
        required=False,
        help_text="Played at this time or later (RFC 3339; UTC if there is no offset).",
    )
    played_before = TimeField(required=False, help_text="Played before this time.")


class GameList(SeenView):
    """The games of a club in one list, narrowed by parameters."""

    @reads("A club's games", GameSerializer(many=True), parameters=OfGames)
    def list_games(self, _: None) -> Response:
        """The games of the seasons you may see, the latest first; corrected games in their newest
        revision."""
        seasons = visible_seasons(self.viewer(self.club.slug))
        narrowing = {
            name: value for name, value in self.query.items() if name not in ("key", "page_size")
        }
        page = game_rows(seasons, self.club, self.query["page_size"], **narrowing)
        rows: Any = GameSerializer(page.games, many=True).data
        return PlacePagination.answer(
            self.request, rows, before=page.older, after=page.newer, latest_first=True
        )


class FieldChangeSerializer(Serializer):
    """A value that differs, by its path in the record (within a round: in the round); null if it is
    missing."""

    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class RoundChangeSerializer(Serializer):
    """A round or turn that differs, as in the record. Numbers count from 1; null if a record lacks
    this round."""

    number_before = serializers.IntegerField(allow_null=True)
    number_after = serializers.IntegerField(allow_null=True)
    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)
    changes = FieldChangeSerializer(many=True, source="fields")


class DifferenceSerializer(Serializer):
    """The changes of a correction: values of the header and the result, and rounds or turns."""

    game = LinkField(game_link, "game", help_text="The address of the revision that corrects.")
    corrects = LinkField(
        game_link, "corrects", help_text="The address of the revision it corrects."
    )
    header = FieldChangeSerializer(many=True)
    rounds = RoundChangeSerializer(many=True)


DIFFERENCE: Final = {
    "game": game_link("k3xw9tq7vb"),
    "corrects": game_link("d5rw2zk8mn"),
    "header": [{"path": "result.points[0]", "before": 16, "after": 20}],
    "rounds": [
        {
            "number_before": 4,
            "number_after": 4,
            "before": {"moves": ["3x4", "!"], "revealed": ["244", "1*", "55"]},
            "after": {"moves": ["3x4", "!"], "revealed": ["224", "1*", "55"]},
            "changes": [{"path": "revealed[0]", "before": "244", "after": "224"}],
        }
    ],
}


class OfAnalysis(SeenBy):
    """The parameters of the analysis of a game."""

    light = serializers.ChoiceField(
        choices=["belief"],
        required=False,
        help_text=(
            "`belief`: chances in Bluff also take the bids into account. Without it, only the dice."
        ),
    )


class Games(GameView):
    """Games, by their public ids."""

    @reads("A game", OneGameSerializer, problems=OF_GAMES)
    def get_game(self, game: Game) -> dict[str, Any]:
        """A game with its effect on the ratings. Every revision has its own address."""
        return game_row(game)

    @reads("A game's record", OpenApiTypes.OBJECT, problems=OF_GAMES, example=RECORD)
    def get_game_record(self, game: Game) -> HttpResponse:
        """The record as it was sealed, with result, digests and seal: `python -m engine verify`
        proves it. The record of a voided game says that it is void."""
        return HttpResponse(game_export(game), content_type="application/json")

    @reads("A game as text", OpenApiTypes.STR, problems=OF_GAMES, media_type=MEDIA_TYPE)
    def get_game_notation(self, game: Game) -> HttpResponse:
        """The game in text notation, for reading aloud or typing."""
        record, _ = sealed_record(game)
        return HttpResponse(
            game_notation(game, record), content_type=f"{MEDIA_TYPE}; charset=utf-8"
        )

    @reads("A game's analysis", OpenApiTypes.OBJECT, problems=OF_GAMES, parameters=OfAnalysis)
    def get_game_analysis(self, game: Game) -> Response:
        """Every decision of the game with its chances and its cost, and in Bluff the luck of each
        roll.

        This is what `python -m engine analyse` prints for the record. If only the end of the game
        is known, it says that there is nothing to analyse. Seats, rounds, turns and moves count
        from 0."""
        record, head = sealed_record(game)
        weight = FITTED if "light" in self.query else PLAIN  # how much bids reveal about dice
        return Response(analysis_json(game.kind, record, head, weight))

    @reads("What a correction changed", DifferenceSerializer, problems=OF_GAMES, example=DIFFERENCE)
    def get_game_difference(self, revision: Game) -> dict[str, Any]:
        """What this revision of a game changed in the one it corrects; 404 for a game that corrects
        none."""
        if revision.replaces is None:
            raise Game.DoesNotExist
        record_before, _ = sealed_record(revision.replaces)
        record_after, _ = sealed_record(revision)
        changes = record_changes(record_before, record_after)
        ids = {"game": revision.public_id, "corrects": revision.replaces.public_id}
        return {"header": changes.header, "rounds": changes.rounds, **ids}
