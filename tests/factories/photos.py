"""Photos of sheets."""

from io import BytesIO
from typing import Any

from PIL import Image

from games.models import Game
from league.models import Photo
from league.records.photo.services.photo import photo_add
from tests.factories.league import UserFactory


def picture(
    form: str = "JPEG", size: tuple[int, int] = (60, 40), colour: str = "white", **options: Any
) -> bytes:
    """The file of a picture of one colour."""
    buffer = BytesIO()
    Image.new("RGB", size, colour).save(buffer, form, **options)
    return buffer.getvalue()


def photo_of_sheet(game: Game) -> Photo:
    """A photo that somebody added to a game."""
    return photo_add(game=game, file=picture(), account=UserFactory.create())[0]
