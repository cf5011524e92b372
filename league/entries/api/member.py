"""Somebody who takes part, as answers name them."""

from __future__ import annotations

from typing import Final

from rest_framework import serializers

from league.clubs.api.player import PlayerSerializer
from league.frame.api.serializers import Serializer

PLAYER: Final = ("current.public_id", "current.handle", "current.name")
"""The attributes of a player of the models that tell who it is by now."""


class EntrantSerializer(Serializer):
    """Somebody who entered: the id of the entry, and the player."""

    entry = serializers.CharField(source="public_id")
    player = PlayerSerializer(columns=PLAYER)
