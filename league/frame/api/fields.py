"""Members of bodies and answers that no model has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.fields import get_attribute

from games.models.public_id import LENGTH


class IdsField(serializers.ListField):
    """A list of public ids, at most `most` of them."""

    child = serializers.CharField(max_length=LENGTH)

    def __init__(self, most: int, **kwargs: Any) -> None:
        super().__init__(max_length=most, **kwargs)


class LinkField(serializers.CharField):
    """An address made by a function of `links` from attributes of the row (`club.slug`), and what follows it (`tail`).

    With `allow_null` it is null where one of the attributes is missing or None.
    """

    def __init__(self, link: Callable[..., str], *attributes: str, tail: str = "", **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)
        self.link, self.attributes, self.tail = link, attributes, tail

    def get_attribute(self, instance: Any) -> str | None:
        """The address. Raises `AttributeError` where an attribute is missing that must be there."""
        try:
            values = [get_attribute(instance, name.split(".")) for name in self.attributes]
        except (AttributeError, KeyError):
            if self.allow_null:
                return None
            raise
        return None if self.allow_null and None in values else self.link(*values) + self.tail
