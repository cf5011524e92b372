"""Photos of score sheets: re-encoded, kept for a while, then reduced to their digest."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from itertools import groupby
from typing import Final

from django.conf import settings
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import Game
from league.core.account.models import User
from league.core.log.services import Actor, Journal, club_journal
from league.records.photo.actions import PhotoAction
from league.records.photo.models import PHOTO, Photo

PHOTOS: Final = 5
"""The most photos of one game."""
FORMATS: Final = ("JPEG", "PNG", "WEBP")
PIXELS: Final = 64_000_000
"""The largest picture that is opened."""
LONGEST: Final = 2000
"""Pixels of the longer side of a kept picture, enough to read handwriting."""
BYTES: Final = 1_000_000
QUALITIES: Final = (85, 70, 55)


def photo_add(*, game: Game, file: bytes, account: User) -> tuple[Photo, bool]:
    """Store a photo of a game's sheet; return it and whether it is new. Adding the same photo again
    changes nothing. The game must be loaded with its season.

    Raise `Refused`: `no_picture`, `picture_too_large`, or `too_many_photos`.
    """
    content = picture_of(file)
    digest = sha256(content).digest()
    with club_journal(
        game.season_game.season.club_id, Actor(account.pk), lock_at_once=True
    ) as journal:
        photos = Photo.objects.filter(game=game).defer("content")
        earlier = photos.filter(digest=digest).first()
        if earlier is not None:
            return earlier, False
        if photos.count() >= PHOTOS:
            message = say("a game has no more than {most} photos", most=PHOTOS)
            raise Refused(Illegal("too_many_photos", message))
        photo = Photo.objects.create(
            game=game, added_by=account, added_at=journal.at, digest=digest, content=content
        )
        payload = {"game": game.public_id, "digest": digest.hex(), "by": account.public_id}
        journal.add(PhotoAction.ADDED, photo.public_id, payload)
        journal.record(PHOTO, [photo])
    return photo, True


def photo_remove(*, photo: Photo, actor: Actor) -> None:
    """Remove a picture; its digest stays. Removing it again changes nothing. The photo must be
    loaded with its game and season."""
    with club_journal(photo.game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        pictures_drop(journal, [photo.pk])


def pictures_drop(journal: Journal, photos: list[int]) -> None:
    """Empty these photos, by row ids, under the lock of the log."""
    rows = Photo.objects.filter(pk__in=photos).exclude(content=b"")
    for photo, public_id in rows.order_by("pk").values_list("pk", "public_id"):
        journal.add(PhotoAction.REMOVED, public_id)
        journal.record(PHOTO, [photo], ["content"])
    rows.update(content=b"")


def photos_forget() -> None:
    """Remove the pictures that were added more than PHOTO_DAYS ago."""
    oldest = timezone.now() - timedelta(days=settings.PHOTO_DAYS)
    due = Photo.objects.filter(added_at__lt=oldest).exclude(content=b"")
    club = "game__season_game__season__club"
    rows = due.order_by(club).values_list(club, "pk")
    for club_id, photos in groupby(rows, key=lambda row: row[0]):
        with club_journal(club_id, lock_at_once=True) as journal:
            pictures_drop(journal, [pk for _, pk in photos])


def picture_of(file: bytes) -> bytes:
    """Return a picture in the form in which it is stored: an upright JPEG of at most `BYTES`,
    without metadata. Raise `Refused` if the file is no picture, or too large."""
    from PIL import Image, ImageOps  # heavy (60 ms, 10 MB), and rarely needed

    too_large = Refused(
        Illegal("picture_too_large", say("the picture has too many pixels: make it smaller"))
    )
    try:
        with Image.open(BytesIO(file), formats=FORMATS) as image:
            if image.width * image.height > PIXELS:
                raise too_large
            image.thumbnail((LONGEST, LONGEST))  # first of all, so that copies are small
            upright = ImageOps.exif_transpose(image).convert("RGB")
    except Image.DecompressionBombError:
        raise too_large from None
    except (OSError, ValueError, SyntaxError) as error:
        raise Refused(
            Illegal("no_picture", say("the file isn't a picture: use a JPEG, PNG or WebP"))
        ) from error
    picture = Image.new("RGB", upright.size)  # a new image, because Pillow keeps comments
    picture.paste(upright)
    longest = LONGEST
    while True:
        picture.thumbnail((longest, longest))
        for quality in QUALITIES:
            buffer = BytesIO()
            picture.save(buffer, "JPEG", quality=quality, optimize=True)
            if buffer.tell() <= BYTES:
                return buffer.getvalue()
        longest = longest * 3 // 4
