"""Changes that corrections made."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from engine.record.changes import record_changes
from games.models import Game
from games.queries.game import sealed_record
from league.frame.api.links import game_link
from league.frame.api.operation import OF_GAMES, reads
from league.frame.api.serializers import LinkField, Serializer
from league.seasons.api.view import GameView


class FieldChangeSerializer(Serializer):
    """A value that differs, by its path in the record (within a round: in the round); null for what isn't there."""

    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class RoundChangeSerializer(Serializer):
    """A round or turn that differs, as in the record. Numbers count from 1; null where a record hasn't this round."""

    number_before = serializers.IntegerField(allow_null=True)
    number_after = serializers.IntegerField(allow_null=True)
    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)
    changes = FieldChangeSerializer(many=True, source="fields")


class DifferenceSerializer(Serializer):
    """The changes of a correction: values of the header and the result, and rounds or turns."""

    game = LinkField(game_link, "game", help_text="The address of the revision that corrects.")
    corrects = LinkField(game_link, "corrects", help_text="The address of the revision that it corrects.")
    header = FieldChangeSerializer(many=True)
    rounds = RoundChangeSerializer(many=True)


EXAMPLE: Final = {
    "game": game_link("k3xw9tq7vb"), "corrects": game_link("d5rw2zk8mn"),
    "header": [{"path": "result.points[0]", "before": 16, "after": 20}],
    "rounds": [
        {
            "number_before": 4, "number_after": 4,
            "before": {"moves": ["3x4", "!"], "revealed": ["244", "1*", "55"]},
            "after": {"moves": ["3x4", "!"], "revealed": ["224", "1*", "55"]},
            "changes": [{"path": "revealed[0]", "before": "244", "after": "224"}],
        }
    ],
}  # fmt: skip


class GameDifferences(GameView):
    """The changes of corrections."""

    @reads("What a correction changed", DifferenceSerializer, problems=OF_GAMES, example=EXAMPLE)
    def get_game_difference(self, revision: Game) -> dict[str, Any]:
        """The changes of this revision of a game in the one that it corrects; 404 for a game that corrects none."""
        if revision.replaces is None:
            raise Game.DoesNotExist
        changes = record_changes(sealed_record(revision.replaces)[0], sealed_record(revision)[0])
        ids = {"game": revision.public_id, "corrects": revision.replaces.public_id}
        return {"header": changes.header, "rounds": changes.rounds, **ids}
