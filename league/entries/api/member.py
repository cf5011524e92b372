"""Somebody who takes part, as answers name them."""

from __future__ import annotations

from typing import Final

from rest_framework import serializers

from league.clubs.api.player import NAMED, PlayerNamed


class MemberShape(serializers.Serializer[None]):
    """Somebody in a stage: the id of the entry, and the player."""

    entry = serializers.CharField()
    player = PlayerNamed()


MEMBER: Final = {"entry": "m6tz2kq9xr", "player": NAMED}
