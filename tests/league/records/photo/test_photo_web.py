"""A photo of the paper of a game: seen by those who may, made ours, gone after a while; its digest
stays."""

import struct
import zlib
from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from random import Random
from typing import Any

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo
from psycopg.rows import TupleRow

from engine.illegal import Refused
from games.models import Game
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.models import Photo, Player, Role, Season, User
from league.records.photo.actions import PhotoAction
from league.records.photo.models import PHOTO
from league.records.photo.services import photo as photos
from league.records.photo.services.photo import photo_add, photo_remove, photos_forget, picture_of
from league.site.erasure.services.erasure import player_erase
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.logged import stated_rows
from tests.factories.photos import picture

pytestmark = pytest.mark.django_db


def png_of(side: int) -> bytes:
    """A small PNG that says it has so many pixels a side."""
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", b""))
    lines = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(lines)


GPS = 0x8825
OF_PIXELS = {0xE0, 0xDB, 0xC0, 0xC4, 0xDA}
"""The segments that a JPEG needs: what JFIF is, tables, the frame, the scan (ITU-T T.81, table
B.1)."""


def segments(jpeg: bytes) -> list[int]:
    """The markers of the segments before the pixels of a JPEG."""
    markers: list[int] = []
    at = 2
    while not markers or markers[-1] != 0xDA:
        assert jpeg[at] == 0xFF
        markers.append(jpeg[at + 1])
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return markers


def told_by_its_file() -> list[bytes]:
    """The same picture in each format, with all that its file can tell beside the pixels."""
    exif = Image.Exif()
    exif[0x9286] = "Karla’s cellar"
    xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>Karla</x:xmpmeta>"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    chunks = PngInfo()
    chunks.add_text("Comment", "Karla")
    chunks.add_itxt("XML:com.adobe.xmp", xmp.decode())
    shared: dict[str, Any] = {"exif": exif, "icc_profile": profile}
    return [
        picture("JPEG", comment=b"Karla", xmp=xmp, dpi=(72, 72), **shared),
        picture("PNG", pnginfo=chunks, **shared),
        picture("WEBP", xmp=xmp, **shared),
    ]


def noise(side: int) -> bytes:
    """A picture that no JPEG makes small."""
    buffer = BytesIO()
    Image.frombytes("RGB", (side, side), Random(1).randbytes(3 * side * side)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def game() -> Game:
    season = counted_season(1)
    game = Game.objects.select_related("season_game__season__club").get()
    assert game.season_game.season == season
    return game


def member(game: Game, role: Role) -> User:
    user: User = MembershipFactory.create(club=game.season_game.season.club, role=role).user
    return user


def address(game: Game) -> str:
    return reverse("game-photos", args=[game.public_id])


def send(client: Client, game: Game, content: bytes) -> str:
    file = SimpleUploadedFile("sheet.jpg", content, "image/jpeg")
    answer = client.post(address(game), {"file": file}, follow=True)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


class TestPicture:
    """What is kept of a file."""

    @pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
    def test_it_becomes_a_jpeg_of_ours(self, form: str) -> None:
        with Image.open(BytesIO(picture_of(picture(form)))) as kept:
            assert (kept.format, kept.size) == ("JPEG", (60, 40))

    def test_it_stands_upright_and_tells_neither_place_nor_camera(self) -> None:
        exif = Image.Exif()
        exif[0x0112] = 6  # turned by a quarter
        exif[0x010F] = "Phone"
        exif.get_ifd(GPS)[1] = "N"
        with Image.open(BytesIO(picture_of(picture(exif=exif)))) as kept:
            assert kept.size == (40, 60)
            assert not dict(kept.getexif())
            assert set(kept.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}

    def test_nothing_but_its_pixels_is_kept_of_a_file(self) -> None:
        for file in told_by_its_file():
            assert b"Karla" in file
            kept = picture_of(file)
            assert set(segments(kept)) <= OF_PIXELS
            assert b"Karla" not in kept

    def test_it_is_no_larger_than_a_megabyte(self) -> None:
        content = picture_of(noise(2400))
        assert len(content) <= photos.BYTES
        with Image.open(BytesIO(content)) as kept:
            assert max(kept.size) <= photos.LONGEST

    @pytest.mark.parametrize(
        "file",
        [
            b"",
            b"no picture",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            picture()[:300],
            picture("GIF"),
            b"\xff\xd8",
        ],
    )
    def test_what_is_no_picture_is_refused(self, file: bytes) -> None:
        with pytest.raises(Refused) as refused:
            picture_of(file)
        assert refused.value.illegal.code == "no_picture"

    @pytest.mark.parametrize("side", [9000, 24_000])
    def test_a_bomb_is_not_opened_and_told_that_it_has_too_many_pixels(self, side: int) -> None:
        with pytest.raises(Refused) as refused:
            picture_of(png_of(side))
        assert refused.value.illegal.code == "picture_too_large"


def test_who_sat_there_keeps_a_photo_that_the_log_seals(client: Client, game: Game) -> None:
    user = UserFactory.create()
    Player.objects.filter(handle=game.seats.get(number=0).handle).update(user=user)
    client.force_login(user)
    assert address(game) in client.get(reverse("game", args=[game.public_id])).content.decode()
    assert "No photos yet" in client.get(address(game)).content.decode()
    assert "The photo is saved." in send(client, game, picture())
    photo = Photo.objects.get()
    entry = LogEntry.objects.get(action=PhotoAction.ADDED)
    assert sha256(photo.content).hexdigest() in entry.payload
    answer = client.get(reverse("photo", args=[photo.public_id]))
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("image/jpeg", "private, no-store")
    assert answer.content == bytes(photo.content)
    assert "already been added" in send(client, game, picture()), "twice is once"
    assert Photo.objects.count() == 1


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.ORGANISER, 200), (Role.ARBITER, 200), (Role.SCORER, 200), (Role.PLAYER, 404)],
)
def test_who_works_for_the_club_sees_it_and_nobody_else(
    client: Client, game: Game, role: Role, status: int
) -> None:
    photo, _ = photo_add(game=game, file=picture(), account=member(game, Role.ORGANISER))
    addresses = [address(game), reverse("photo", args=[photo.public_id])]
    for one in addresses:
        assert client.get(one).status_code == 302, "nobody is asked to sign in first"
    client.force_login(member(game, role))
    for one in addresses:
        assert client.get(one).status_code == status


def test_a_form_says_what_is_wrong_with_a_file(
    client: Client, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(member(game, Role.SCORER))
    assert "a picture: use a JPEG, PNG or WebP" in send(client, game, b"no picture")
    assert "The file is empty" in send(client, game, b"")
    assert "Choose a photo first" in client.post(address(game)).content.decode()
    monkeypatch.setattr(photos, "PHOTOS", 1)
    send(client, game, picture())
    assert "no more than 1 photos" in send(client, game, picture(colour="black"))


def test_who_added_it_or_rules_on_the_game_removes_it_and_the_digest_stays(
    client: Client, game: Game
) -> None:
    scorer = member(game, Role.SCORER)
    photo, _ = photo_add(game=game, file=picture(), account=scorer)
    step = reverse("photo-remove", args=[photo.public_id])
    client.force_login(member(game, Role.SCORER))
    client.post(step)
    assert Photo.objects.get().content, "another scorer doesn't"
    client.force_login(scorer)
    for _ in range(2):
        client.post(step)
    photo.refresh_from_db()
    assert (bytes(photo.content), len(photo.digest)) == (b"", 32)
    assert LogEntry.objects.filter(action=PhotoAction.REMOVED).count() == 1
    assert "The picture is removed" in client.get(address(game)).content.decode()
    assert client.get(reverse("photo", args=[photo.public_id])).status_code == 404


def test_pictures_go_after_a_while(game: Game, forger: psycopg.Connection[TupleRow]) -> None:
    account = member(game, Role.SCORER)
    old, _ = photo_add(game=game, file=picture(), account=account)
    young, _ = photo_add(game=game, file=picture(colour="black"), account=account)
    forger.execute(
        "UPDATE league_photo SET added_at = %s WHERE id = %s",
        [timezone.now() - timedelta(days=61), old.pk],
    )
    forger.commit()
    for _ in range(2):
        photos_forget()
    assert list(Photo.objects.exclude(content=b"")) == [young]
    assert LogEntry.objects.filter(action=PhotoAction.REMOVED).count() == 1


def test_nobody_puts_another_picture_in_its_place(
    game: Game, owner: psycopg.Connection[TupleRow]
) -> None:
    photo, _ = photo_add(game=game, file=picture(), account=member(game, Role.SCORER))
    with pytest.raises(psycopg.errors.RaiseException, match="can only be removed"):
        owner.execute("UPDATE league_photo SET content = 'other' WHERE id = %s", [photo.pk])


def test_erasing_a_player_removes_the_pictures_of_their_games(game: Game) -> None:
    photo_add(game=game, file=picture(), account=member(game, Role.SCORER))
    player = Player.objects.get(handle=game.seats.get(number=0).handle)
    player_erase(player=player, actor=Actor())
    assert not Photo.objects.exclude(content=b"").exists()


def test_a_picture_is_removed_in_the_log_of_its_club(game: Game) -> None:
    photo, _ = photo_add(game=game, file=picture(), account=member(game, Role.SCORER))
    photo_remove(photo=photo, actor=Actor())
    (entry,) = LogEntry.objects.filter(action=PhotoAction.REMOVED)
    assert (entry.club_id, entry.subject) == (Season.objects.get().club_id, photo.public_id)


def test_the_log_states_the_digest_of_a_picture_and_that_it_is_gone(game: Game) -> None:
    photo, _ = photo_add(game=game, file=picture(), account=member(game, Role.SCORER))
    club_id = Season.objects.get().club_id
    digest = sha256(photo.content).hexdigest()
    (cells,) = stated_rows(club_id, PHOTO).values()
    assert (cells["digest"], cells["content"]) == (digest, digest)
    photo_remove(photo=photo, actor=Actor())
    (cells,) = stated_rows(club_id, PHOTO).values()
    assert (cells["digest"], cells["content"]) == (digest, None)
