"""Photos of games' score sheets, for those who may see them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

from games.models import Game
from league.core.account.models import User
from league.core.frame.api.links import photo_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import (
    Body,
    FormattedField,
    LinkField,
    ModelSerializer,
    base64_bytes,
)
from league.core.log.services import Actor
from league.records.photo.models import Photo
from league.records.photo.queries import photo_for, photos_of
from league.records.photo.services.photo import photo_add
from league.standings.ranking.api.view import GameView, SeenView, WriteView, changes, named_by_id


class PhotoSerializer(ModelSerializer[Photo]):
    """A photo of a game's sheet. The picture is removed after a while, but its digest stays."""

    digest = FormattedField(
        lambda digest: bytes(digest).hex(),
        "digest",
        help_text="The picture's SHA-256, in hexadecimal.",
    )
    is_there = serializers.BooleanField(help_text="False once the picture is removed.")
    url = LinkField(photo_link, "public_id", help_text="The address of the picture.")

    class Meta:
        model = Photo
        fields = ["id", "added_at", "digest", "is_there", "url"]


class PhotoBody(Body):
    """A photo as a program sends it."""

    picture = serializers.CharField(help_text="The file, a JPEG, PNG or WebP, in base64.")

    def validate_picture(self, text: str) -> bytes:
        """Return the bytes of the file."""
        return base64_bytes(text)


class GamePhotos(GameView, WriteView):
    """The photos of a game."""

    right = "league.see_photos"
    ground = "game"
    refusal = "Only players of the game and helpers of its club may do this."

    @reads("A game's photos", PhotoSerializer(many=True), for_writers=True)
    def list_photos(self, game: Game) -> QuerySet[Photo]:
        """The photos of the sheet a game was written down on, in order of arrival."""
        return photos_of(game)

    @changes("Save a photo", PhotoBody, PhotoSerializer)
    def add_photo(self, game: Game, body: dict[str, Any], actor: Actor) -> Photo:
        """Save a photo of the sheet a game was written down on. It is made smaller, and the
        camera's data is removed. Sending the same photo again changes nothing."""
        account = self.request.user
        assert isinstance(account, User)
        if not account.has_perm("league.bear_witness", game):
            raise PermissionDenied(self.refusal)
        photo, _ = photo_add(game=game, file=body["picture"], account=account)
        return photos_of(game).get(pk=photo.pk)


class Photos(SeenView):
    """One photo, for users who may see those of its game."""

    noun = "photo"
    photo = named_by_id("photo", photo_for, "game.season_game.season.club")

    @reads("A photo", OpenApiTypes.BINARY, media_type="image/jpeg")
    def get_photo(self, photo: Photo) -> HttpResponse:
        """The saved JPEG, until it is removed."""
        return HttpResponse(bytes(photo.content), content_type="image/jpeg")
