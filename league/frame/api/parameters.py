"""Parameters of queries: what isn't known or isn't in order is an error, never passed over in silence."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from games.models.public_id import LENGTH
from league.frame.api.pagination import MAX_PAGE_SIZE, PAGE_SIZE


class Parameters(serializers.Serializer[None]):
    """The parameters that an address knows."""

    @classmethod
    def of(cls, request: Request) -> dict[str, Any]:
        """The parameters of a request, defaults filled in. Raises `ValidationError`."""
        given = cls(data=request.query_params.dict())
        given.is_valid(raise_exception=True)
        unknown = [name for name in request.query_params if name not in given.fields]
        if unknown:
            message = serializers.ErrorDetail("This address knows no such parameter.", "unknown_parameter")
            raise serializers.ValidationError({name: [message] for name in unknown})
        return dict(given.validated_data)


class SeenBy(Parameters):
    """Of all that hangs on seasons."""

    key = serializers.CharField(
        required=False, max_length=32, help_text="The key in the link of a season that is seen by link only."
    )


class Paged(SeenBy):
    """The parameters of a list that comes in pages."""

    page = serializers.IntegerField(default=1, min_value=1, help_text="Counted from 1.")
    page_size = serializers.IntegerField(
        default=PAGE_SIZE, min_value=1, max_value=MAX_PAGE_SIZE, help_text="Rows on a page."
    )


class OfGames(Paged):
    """Of a list of games."""

    season = serializers.SlugField(required=False, max_length=64, help_text="The slug of a season.")
    player = serializers.SlugField(
        required=False, max_length=LENGTH, help_text="The id of a player who sat at the table."
    )
    event = serializers.SlugField(required=False, max_length=64, help_text="The slug of an event, as records name it.")
    played_after = serializers.DateTimeField(
        required=False, help_text="Played at this time or later (RFC 3339; without offset it is UTC)."
    )
    played_before = serializers.DateTimeField(required=False, help_text="Played before this time.")


class OfEntry(Parameters):
    """Of a request that enters games."""

    season = serializers.SlugField(
        required=False,
        max_length=64,
        help_text="The slug of the season. Without it the first record names the season.",
    )
    create_players = serializers.BooleanField(
        default=True, help_text="Whether handles that the club doesn't know become players."
    )
    all_or_nothing = serializers.BooleanField(default=False, help_text="Whether one bad record refuses them all.")
