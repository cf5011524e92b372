"""Photos of sheets, for those who may see them."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import Game
from league.core.viewer.queries.access import Viewer, with_right
from league.records.photo.models import Photo
from league.standings.season.queries.access import game_of_case_for


def game_for_photos(viewer: Viewer, game_id: str) -> Game:
    """Return a game whose photos the viewer may see. Raise `ObjectDoesNotExist` otherwise."""
    return with_right(viewer, game_of_case_for(viewer, game_id), "league.see_photos")


def photo_for(viewer: Viewer, photo_id: str) -> Photo:
    """Return a photo that still has its picture, with its game, if the viewer may see it; the
    picture itself is loaded on access. Raise `DoesNotExist` otherwise."""
    photo = Photo.objects.exclude(content=b"").defer("content").get(public_id=photo_id)
    game_id = Game.objects.values_list("public_id", flat=True).get(pk=photo.game_id)
    photo.game = game_for_photos(viewer, game_id)
    return photo


def photos_of(game: Game) -> QuerySet[Photo]:
    """Return the photos of a game in the order they were added, without their pictures; `is_there`:
    the picture isn't removed."""
    return without_pictures(Photo.objects.filter(game=game))


def without_pictures(photos: QuerySet[Photo]) -> QuerySet[Photo]:
    """Return photos in the order they were added, without their pictures, with the accounts that
    added them; `is_there`: the picture isn't removed."""
    rows = photos.defer("content").select_related("added_by")
    return rows.annotate(is_there=~Q(content=b"")).order_by("pk")
