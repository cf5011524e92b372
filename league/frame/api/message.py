"""Sentences for players: in English, and as what other languages are made from."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from engine.messages import Message


class MessageShape(serializers.Serializer[None]):
    """A sentence in English, with its template and the values in it; a value may be such a pair itself."""

    text = serializers.CharField()
    template = serializers.CharField()
    values = serializers.DictField(child=serializers.JSONField(allow_null=True))


def message_json(message: Message) -> dict[str, Any]:
    """A sentence as it is sent."""
    return {"text": str(message), **message.as_json()}


EXAMPLE = {
    "text": "anna has 3 points and rank 1",
    "template": "{name} has {points} and rank {rank}",
    "values": {"name": "anna", "points": {"template": "{points} points", "values": {"points": "3"}}, "rank": 1},
}
