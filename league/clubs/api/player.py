"""A player as answers name them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.frame.api.links import player_link


class PlayerNamed(serializers.Serializer[None]):
    """Who a player is. Records name players by their handle."""

    id = serializers.CharField()
    handle = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()


def named(player: str, handle: str, name: str) -> dict[str, Any]:
    """A player as other rows name one."""
    return {"id": player, "handle": handle, "name": name, "url": player_link(player)}


NAMED = named("h7mzt3kd9q", "xenia", "Xenia")
