"""Lists of games in pages that begin before or after a place in them."""

from __future__ import annotations

from rest_framework import serializers

from league.frame.api.parameters import PlacePaged
from league.rankings.domain.gameline import place_read


def is_place(text: str) -> None:
    """Refuse what is no place in a list of games."""
    if place_read(text) is None:
        raise serializers.ValidationError("This is no place in the list.")


class PagedByPlace(PlacePaged):
    """Of a list of games. `next` and `previous` name the places beside a page; nobody needs to make one up."""

    before = serializers.CharField(required=False, validators=[is_place], help_text="The games before this place.")
    after = serializers.CharField(required=False, validators=[is_place], help_text="The games after this place.")
