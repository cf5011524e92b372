"""Lists of games in pages that begin before or after a place in them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.frame.api.parameters import PageSize, SeenBy
from league.rankings.domain.gameline import place_read


def is_place(text: str) -> None:
    """Refuse what is no place in a list of games."""
    if place_read(text) is None:
        raise serializers.ValidationError("This is no place in the list.")


class PagedByPlace(SeenBy):
    """Of a list of games. `next` and `previous` name the places beside a page; nobody needs to make one up."""

    page_size = PageSize()
    before = serializers.CharField(required=False, validators=[is_place], help_text="The games before this place.")
    after = serializers.CharField(required=False, validators=[is_place], help_text="The games after this place.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse two places at once."""
        if "before" in attrs and "after" in attrs:
            raise serializers.ValidationError({"after": "Name one place, before or after which."})
        return attrs
