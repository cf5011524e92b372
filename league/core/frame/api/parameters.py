"""Query parameters of the API. Unknown and malformed ones are errors; none is ignored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from league.core.frame.api.pagination import MAX_PAGE_SIZE, PAGE_SIZE


class Parameters(serializers.Serializer[None]):
    """The query parameters of an address."""

    @classmethod
    def of(cls, request: Request) -> dict[str, Any]:
        """Return a request's parameters with defaults. Raise `ValidationError`."""
        parameters = cls(data=request.query_params.dict())
        parameters.is_valid(raise_exception=True)
        unknown = [name for name in request.query_params if name not in parameters.fields]
        if unknown:
            fault = serializers.ErrorDetail(
                "This address has no such parameter.", "unknown_parameter"
            )
            raise serializers.ValidationError({name: [fault] for name in unknown})
        return dict(parameters.validated_data)


class SeenBy(Parameters):
    """The parameters of addresses that depend on seasons."""

    key = serializers.CharField(
        required=False,
        max_length=32,
        help_text="The key in the link of a season that can only be seen by link.",
    )


class PageSize(serializers.IntegerField):
    """The number of rows on a page."""

    def __init__(self) -> None:
        super().__init__(
            default=PAGE_SIZE, min_value=1, max_value=MAX_PAGE_SIZE, help_text="Rows on a page."
        )


class PagedByPlace(SeenBy):
    """The parameters of a list whose pages begin `before` or `after` a place; `next` and `previous`
    link to the neighbours. `place_read` parses a place; None if it isn't one."""

    page_size = PageSize()
    place_read: Callable[[str], object]

    def validate_before(self, text: str) -> str:
        """Raise `ValidationError` if the text isn't a place in the list."""
        if self.place_read(text) is None:
            raise serializers.ValidationError("This isn't a place in the list.")
        return text

    validate_after = validate_before

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raise `ValidationError` for two places at once."""
        if "before" in attrs and "after" in attrs:
            raise serializers.ValidationError({"after": "Name one place, before or after which."})
        return attrs


class Paged(SeenBy):
    """The parameters of a list in numbered pages."""

    page = serializers.IntegerField(default=1, min_value=1, help_text="Counted from 1.")
    page_size = PageSize()
