"""Converters of what stands in addresses: what can't be one is an address that doesn't exist, and
asks the database nothing."""

from typing import ClassVar

from django.urls import register_converter
from django.urls.converters import SlugConverter, StringConverter

from games.models.public_id import ALPHABET, LENGTH


class PublicIdConverter(StringConverter):
    """`<public_id:player>`: ten characters of the alphabet of public ids."""

    regex = f"[{ALPHABET}]{{{LENGTH}}}"


register_converter(PublicIdConverter, "public_id")


class FreeSlugConverter(SlugConverter):
    """A chosen address that stands beside fixed ones: it is none of those `taken`.

    So it doesn't matter which of the pages is listed first.
    """

    taken: ClassVar[frozenset[str]]

    def to_python(self, value: str) -> str:
        """Return the address; raise `ValueError`, with which Django looks further, for one that is
        taken."""
        if value in self.taken:
            raise ValueError(value)
        return value
