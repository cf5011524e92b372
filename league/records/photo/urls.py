"""Addresses of photos."""

from django.urls import path

from league.records.game.urls import GAME, GAME_API
from league.records.photo.api import GamePhotos, Photos
from league.records.photo.web import photo_file, photo_remove_step, photos_page

pages = [
    path(f"{GAME}/photos/", photos_page, name="game-photos"),
    path("photos/<public_id:photo_id>/", photo_file, name="photo"),
    path("photos/<public_id:photo_id>/remove/", photo_remove_step, name="photo-remove"),
]

api = [
    path(f"{GAME_API}/photos/", GamePhotos.as_view({"get": "list_photos", "post": "add_photo"})),
    path("v1/photos/<public_id:photo>/", Photos.as_view({"get": "get_photo"})),
]
