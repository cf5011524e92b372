"""Sentences for players: in English, and as what other languages are made from."""

from __future__ import annotations

from rest_framework import serializers

from engine.messages import Message
from league.frame.api.body import Serializer


class MessageSerializer(Serializer):
    """A sentence in English, with its template and the values in it; a value may be such a pair itself."""

    text = serializers.CharField()
    template = serializers.CharField()
    values = serializers.DictField(child=serializers.JSONField(allow_null=True))

    def to_representation(self, instance: Message) -> dict[str, object]:
        """The sentence as it is sent."""
        return {"text": str(instance), **instance.as_json()}
