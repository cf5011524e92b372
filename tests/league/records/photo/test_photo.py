"""Photos of sheets by the API: for who may see them, as on the pages."""

from base64 import b64encode

import pytest

from games.models import Game
from league.models import Photo, Role
from tests.factories.counted import counted_season
from tests.factories.photos import photo_of_sheet, picture
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import asker

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    counted_season(1)
    return Game.objects.select_related("season_game__season__club").get()


def test_a_program_keeps_a_photo_and_reads_it(game: Game) -> None:
    ask = asker(member_key(game.season_game.season.club, Role.SCORER)[0])
    kept = ask(f"/games/{game.public_id}/photos/", {"picture": b64encode(picture()).decode()})
    assert kept.status_code == 200
    photo = Photo.objects.get()
    assert kept.json()["digest"] == bytes(photo.digest).hex()
    assert ask(f"/games/{game.public_id}/photos/").json()["results"] == [kept.json()]
    answer = ask(kept.json()["url"].removeprefix("/api/v1"))
    assert (answer["Content-Type"], answer.content) == ("image/jpeg", bytes(photo.content))


def test_what_is_no_picture_is_a_problem(game: Game) -> None:
    ask = asker(member_key(game.season_game.season.club, Role.SCORER)[0])
    path = f"/games/{game.public_id}/photos/"
    assert code_of(ask(path, {"picture": "no base64!"})) == (400, "bad_value")
    assert code_of(ask(path, {"picture": b64encode(b"no picture").decode()})) == (422, "no_picture")


def test_who_may_not_see_a_photo_finds_none(game: Game) -> None:
    photo = photo_of_sheet(game)
    ask = asker(member_key(game.season_game.season.club, Role.PLAYER)[0])
    assert code_of(ask(f"/games/{game.public_id}/photos/")) == (403, "permission_denied")
    assert code_of(ask(f"/photos/{photo.public_id}/")) == (404, "not_found")
    assert asker("")(f"/photos/{photo.public_id}/").status_code == 404
