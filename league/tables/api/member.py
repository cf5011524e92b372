"""Somebody in a stage, as answers name them."""

from __future__ import annotations

from typing import Final

from rest_framework import serializers

from league.clubs.api.player import PlayerSerializer
from league.frame.api.serializers import Serializer

PLAYER: Final = ("player", "handle", "name")
"""The attributes of a member that tell who the player is."""


class MemberSerializer(Serializer):
    """Somebody in a stage: the id of the entry, and the player."""

    entry = serializers.CharField(source="entry_id")
    player = PlayerSerializer(source="*", columns=PLAYER)
