"""Path converters. An address that doesn't match needs no query."""

from typing import ClassVar

from django.urls import register_converter
from django.urls.converters import SlugConverter, StringConverter

from games.models.public_id import ALPHABET, LENGTH


class PublicIdConverter(StringConverter):
    """`<public_id:player>`: ten characters of the alphabet of public ids."""

    regex = f"[{ALPHABET}]{{{LENGTH}}}"


register_converter(PublicIdConverter, "public_id")


class FreeSlugConverter(SlugConverter):
    """A slug that people choose, at a place where some fixed addresses begin, too: it matches none
    of those in `taken`, so the order of the addresses doesn't matter."""

    taken: ClassVar[frozenset[str]]

    def to_python(self, value: str) -> str:
        """Return the slug. Raise `ValueError` if a fixed address has it, so that Django tries the
        next pattern."""
        if value in self.taken:
            raise ValueError(value)
        return value
