"""A player in the API's answers."""

from __future__ import annotations

from operator import attrgetter, itemgetter
from typing import Any, Final

from rest_framework import serializers

from league.core.frame.api.links import player_link
from league.core.frame.api.serializers import Serializer

COLUMNS: Final = ("public_id", "handle", "name")


class PlayerSerializer(Serializer):
    """A player, by id, handle and name. Records name players by their handle."""

    id_ = serializers.CharField()
    handle = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()

    def __init__(self, *args: Any, columns: tuple[str, str, str] = COLUMNS, **options: Any) -> None:
        """Set the columns or attributes of a row that hold the player's id, handle and name."""
        super().__init__(*args, **options)
        self.read_columns = itemgetter(*columns)
        self.read_object = attrgetter(*columns)

    def to_representation(self, instance: Any) -> Any:
        """Return the player in a row; None if the row has none."""
        if isinstance(instance, dict):
            player, handle, name = self.read_columns(instance)
        else:
            player, handle, name = self.read_object(instance)
        if player:
            return player_json(player, handle, name)
        return None


def player_json(public_id: str, handle: str, name: str) -> dict[str, Any]:
    """Return a player as answers of the API have it."""
    return {"id": public_id, "handle": handle, "name": name, "url": player_link(public_id)}
