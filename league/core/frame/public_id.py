"""Public ids in addresses: what can't be one is an address that doesn't exist, and asks the database nothing."""

from django.urls import register_converter
from django.urls.converters import StringConverter

from games.models.public_id import ALPHABET, LENGTH


class PublicIdConverter(StringConverter):
    """`<public_id:player>`: ten characters of the alphabet of public ids."""

    regex = f"[{ALPHABET}]{{{LENGTH}}}"


register_converter(PublicIdConverter, "public_id")
