"""What corrections changed."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.record.changes import FieldChange, RoundChange, record_changes
from games.models import Game
from games.queries.game import sealed_record
from league.frame.api.document import OF_GAMES, documented
from league.frame.api.links import game_link
from league.frame.api.parameters import SeenBy
from league.seasons.api.view import SeenView


class FieldChangeShape(serializers.Serializer[None]):
    """A value that differs, by its path in the record (within a round: in the round); null for what isn't there."""

    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class RoundChangeShape(serializers.Serializer[None]):
    """A round or turn that differs, as in the record. Numbers count from 1; null where a record hasn't this round."""

    number_before = serializers.IntegerField(allow_null=True)
    number_after = serializers.IntegerField(allow_null=True)
    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)
    changes = FieldChangeShape(many=True)


class DifferenceShape(serializers.Serializer[None]):
    """What a correction changed: values of the header and the result, and rounds or turns."""

    game = serializers.CharField(help_text="The address of the revision that corrects.")
    corrects = serializers.CharField(help_text="The address of the revision that it corrects.")
    header = FieldChangeShape(many=True)
    rounds = RoundChangeShape(many=True)


def difference_json(game: Game, corrected: Game) -> dict[str, Any]:
    """What a game changed in the one that it corrects, as it is sent."""
    changes = record_changes(sealed_record(corrected)[0], sealed_record(game)[0])
    return {
        "game": game_link(game.public_id),
        "corrects": game_link(corrected.public_id),
        "header": [_field(change) for change in changes.header],
        "rounds": [_round(change) for change in changes.rounds],
    }


def _field(change: FieldChange) -> dict[str, Any]:
    return {"path": change.path, "before": change.before, "after": change.after}


def _round(change: RoundChange) -> dict[str, Any]:
    return {
        "number_before": change.number_before,
        "number_after": change.number_after,
        "before": change.before,
        "after": change.after,
        "changes": [_field(field) for field in change.fields],
    }


EXAMPLE = {
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


class GameDifference(SeenView):
    """What one correction changed."""

    @documented(
        "get_game_difference",
        "What a correction changed",
        DifferenceShape,
        problems=[404, 409],
        words=OF_GAMES,
        parameters=[SeenBy],
        example=EXAMPLE,
    )
    def get(self, request: Request, game: str) -> Response:
        """What this revision of a game changed in the one that it corrects; 404 for a game that corrects none."""
        found = self.game(game)
        if found.replaces is None:
            raise Game.DoesNotExist
        return Response(difference_json(found, found.replaces))
