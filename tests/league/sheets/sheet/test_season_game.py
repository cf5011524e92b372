"""A game that belongs to no event is written down at no table: opened for its season, and the key
is that game's."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Game, OpenGame, SheetBranch, SheetEntry
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.models import (
    Club,
    GameDevice,
    LogEntry,
    Player,
    Role,
    Season,
    SeasonOpenGame,
    Table,
    Visibility,
)
from league.sheets.device.services.device import device_make, device_revoke
from league.standings.ranking.services.counting import ranking_count
from tests.factories.codes import code_of as code_signed
from tests.factories.codes import waiting
from tests.factories.league import ClubFactory, PlayerFactory, SeasonFactory
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker
from tests.league.sheets.sheet.test_open_game import by_key, late, phone, write, written

pytestmark = pytest.mark.django_db

PEOPLE = ("anna", "ben", "carla")
GAME = [{"losses": [0, 1, 0]}] * 5 + [{"losses": [0, 0, 1]}] * 5


@pytest.fixture(autouse=True)
def people(club: Club) -> list[Player]:
    return [
        PlayerFactory.create(club=club, handle=handle, name=handle.title()) for handle in PEOPLE
    ]


@pytest.fixture
def score(club: Club) -> Ask:
    """Ask as a scorer of the club."""
    return asker(member_key(club, Role.SCORER)[0])


def path_of(season: Season) -> str:
    return f"/clubs/{season.club.slug}/seasons/{season.slug}/open-games/"


def opened(ask: Ask, season: Season, seats: Sequence[str] = PEOPLE) -> Any:
    answer = ask(path_of(season), {"seats": [*seats]})
    assert answer.status_code == 201, answer.content
    return answer.json()


def row_of(game: Any) -> SeasonOpenGame:
    return SeasonOpenGame.objects.select_related("open_game", "season__club").get(
        open_game__public_id=game["id"]
    )


def phone_of(game: Any) -> Ask:
    """Ask as a phone with a key of this game."""
    return by_key(device_make(subject=row_of(game), actor=Actor())[1])


def test_a_program_makes_and_revokes_the_key_of_a_phone_for_this_game_alone(
    season: Season, score: Ask, look: Ask
) -> None:
    game = opened(score, season)
    phones = f"/open-games/{game['id']}/devices/"
    made = score(phones, {}).json()
    page, _, key = made["address"].partition("#")
    assert page.endswith(f"/score/games/{game['id']}/")
    assert write(by_key(key), game, 0, value=GAME[0]).status_code == 201
    assert [phone["id"] for phone in score(phones).json()["results"]] == [made["id"]]
    player = asker(member_key(season.club, Role.PLAYER)[0])
    assert [
        code_of(player(phones))[0],
        code_of(look(phones))[0],
        code_of(by_key(key)(phones))[0],
    ] == [403, 401, 401]
    other = opened(score, season, PEOPLE[:2])
    end = f"devices/{made['id']}/status/"
    assert code_of(score(f"/open-games/{other['id']}/{end}", {"status": "revoked"})) == (
        404,
        "not_found",
    )
    assert score(f"/open-games/{game['id']}/{end}", {"status": "revoked"}).json()["revoked_at"]
    assert code_of(write(by_key(key), game, 1, value=GAME[1])) == (403, "key_ended")


def test_a_program_sends_on_what_a_phone_shows_of_such_a_game(season: Season, score: Ask) -> None:
    game = opened(score, season)
    _, key = device_make(subject=row_of(game), actor=Actor())
    code = code_signed(game["id"], waiting(GAME), key, 0)
    address = f"/clubs/{season.club.slug}/seasons/{season.slug}/codes/"
    first = score(address, {"code": code}).json()
    address_of_game = f"/api/v1/open-games/{game['id']}/"
    assert first == {
        "url": address_of_game,
        "added": len(GAME),
        "is_late": False,
        "waits_until": None,
    }
    assert score(address, {"code": code}).json() == first | {"added": 0}
    player = asker(member_key(season.club, Role.PLAYER)[0])
    assert code_of(player(address, {"code": code})) == (403, "permission_denied")
    elsewhere = SeasonFactory.create(club=season.club, slug="elsewhere")
    away = f"/clubs/{season.club.slug}/seasons/{elsewhere.slug}/codes/"
    assert code_of(score(away, {"code": code})) == (422, "other_event")


def test_a_game_is_opened_written_sealed_and_counts(season: Season, score: Ask, look: Ask) -> None:
    game = opened(score, season)
    assert (game["table"], game["number"], game["confirmation"], game["length"]) == (
        None,
        None,
        "alone",
        0,
    )
    assert game["season"] == f"/api/v1/clubs/{season.club.slug}/seasons/autumn/"
    assert game["seats"] == [{"handle": handle, "name": handle.title()} for handle in PEOPLE]
    assert [one["id"] for one in look(path_of(season)).json()["results"]] == [game["id"]]
    ask = phone_of(game)
    assert code_of(ask(f"/open-games/{game['id']}/seal/", {"length": 0})) == (422, "not_over")
    length = written(ask, game, *GAME)
    answers = [ask(f"/open-games/{game['id']}/seal/", {"length": length}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    sealed = Game.objects.get()
    assert answers[0].json()["sealed"] == f"/api/v1/games/{sealed.public_id}/"
    entry = LogEntry.objects.get(subject=sealed.public_id)
    assert f'"open_game":"{game["id"]}"' in entry.payload.replace(" ", "")
    assert '"by":{"device":' in entry.payload.replace(" ", "")
    assert look(path_of(season)).json()["results"] == []
    ranking_count(ranking_id=season.ranking_id)
    assert len(look(path_of(season).replace("open-games", "standings")).json()["results"]) == 3
    assert code_of(write(ask, game, length)) == (422, "sealed")
    assert late(ask, game, 0, "1x5").status_code == 200, "what comes too late is kept all the same"


def test_who_opened_it_may_write_and_seal_without_a_phone(season: Season, score: Ask) -> None:
    game = opened(score, season)
    length = written(score, game, *GAME)
    assert score(f"/open-games/{game['id']}/seal/", {"length": length}).status_code == 200
    assert '"by"' not in LogEntry.objects.get(subject=Game.objects.get().public_id).payload


@pytest.mark.parametrize(
    ("seats", "status", "code"),
    [
        (["anna"], 400, "bad_value"),
        (["anna", "nobody"], 422, "unknown_player"),
        (["anna", "Anna"], 422, "same_player_twice"),
        ([*PEOPLE, "d", "e", "f", "g"], 422, "bad_record"),
        ([*"abcdefghi"], 400, "bad_value"),
        ("anna", 400, "bad_value"),
        ([["anna"], "ben"], 400, "bad_value"),
        (["anna", "ben" * 30], 400, "bad_value"),
    ],
)
def test_seats_that_cannot_be_are_refused(
    season: Season, score: Ask, seats: Any, status: int, code: str
) -> None:
    for handle in "defg":
        PlayerFactory.create(club=season.club, handle=handle)
    answer = score(path_of(season), {"seats": seats})
    assert code_of(answer) == (status, code)
    if code == "unknown_player":
        assert answer.json()["errors"][0]["path"] == "seats[1]"
    assert not OpenGame.objects.exists()


def test_eight_sit_at_luegen_kniffel(club: Club, score: Ask) -> None:
    season = SeasonFactory.create(club=club, kind="luegen-kniffel", scoring="totals", rules={})
    for handle in "defgh":
        PlayerFactory.create(club=club, handle=handle)
    game = opened(score, season, [*PEOPLE, *"defgh"])
    assert (game["game"], len(game["seats"])) == ("luegen-kniffel", 8)
    assert write(score, game, 0, value={"void": True}).status_code == 201


def test_a_handle_finds_who_it_was_before_and_in_any_capitals(season: Season, score: Ask) -> None:
    player_rename(
        player=Player.objects.get(handle="anna"), name="Anna B.", handle="anna-b", actor=Actor()
    )
    game = opened(score, season, ["ANNA", "ben"])
    assert game["seats"][0] == {"handle": "anna-b", "name": "Anna B."}


def test_who_may_not_enter_games_opens_and_writes_nothing(
    season: Season, score: Ask, look: Ask, club: Club
) -> None:
    game = opened(score, season)
    arbiter = asker(member_key(club, Role.ARBITER)[0])
    stranger = asker(member_key(ClubFactory.create(), Role.ORGANISER)[0])
    assert code_of(look(path_of(season), {"seats": [*PEOPLE]})) == (401, "not_authenticated")
    assert code_of(arbiter(path_of(season), {"seats": [*PEOPLE]})) == (403, "permission_denied")
    assert code_of(stranger(path_of(season), {"seats": [*PEOPLE]})) == (403, "wrong_club")
    for ask, status in ((look, 401), (arbiter, 403), (stranger, 403)):
        assert write(ask, game, 0).status_code == status
        assert ask(f"/open-games/{game['id']}/seal/", {"length": 0}).status_code == status
    assert not SheetEntry.objects.exists()


def test_a_key_is_good_for_its_own_game_alone(season: Season, score: Ask, table: Table) -> None:
    game, second = opened(score, season), opened(score, season, ["ben", "anna"])
    ask = phone_of(game)
    assert code_of(write(ask, second, 0)) == (403, "wrong_game")
    assert code_of(ask(f"/tables/{table.public_id}/open-game/", {})) == (403, "wrong_game")
    assert code_of(write(phone(table), game, 0)) == (403, "other_table")
    assert code_of(ask(path_of(season), {"seats": [*PEOPLE]})) == (401, "not_authenticated")
    assert write(ask, game, 0).status_code == 201


def test_a_phone_writes_a_game_that_members_alone_see(
    season: Season, score: Ask, look: Ask
) -> None:
    game = opened(score, season)
    ask, other = phone_of(game), phone_of(opened(score, season, ["ben", "anna"]))
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert write(ask, game, 0).status_code == 201
    path = f"/open-games/{game['id']}/"
    assert [reader(path).status_code for reader in (ask, score, look, other)] == [
        200,
        200,
        404,
        404,
    ]
    assert look(path_of(season)).status_code == 404
    Season.objects.update(visibility=Visibility.LINK)
    key = Season.objects.get(pk=season.pk).link_token
    assert [look(path).status_code, look(f"{path}?key={key}").status_code] == [404, 200]


def test_a_key_that_was_revoked_writes_no_more(season: Season, score: Ask) -> None:
    game = opened(score, season)
    ask = phone_of(game)
    row = GameDevice.objects.select_related(
        "device", "open_game__open_game", "open_game__season__club"
    ).get()
    assert device_revoke(device=row, actor=Actor())
    assert not device_revoke(device=row, actor=Actor())
    assert code_of(write(ask, game, 0)) == (403, "key_ended")
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert ask(f"/open-games/{game['id']}/").status_code == 404, (
        "a key that has ended shows nothing"
    )
    before = (timezone.now() - timedelta(minutes=5)).isoformat()
    assert code_of(write(ask, game, 0, at=before)) == (403, "key_ended")
    assert [branch.waits_until is None for branch in SheetBranch.objects.all()] == [False, False]


def test_the_same_request_twice_opens_one_game(season: Season, score: Ask) -> None:
    headers = {"Idempotency-Key": "tonight"}
    answers = [score(path_of(season), {"seats": [*PEOPLE]}, **headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert answers[0]["Location"] == answers[0].json()["url"]
    assert OpenGame.objects.count() == 1


def test_who_looks_again_gets_nothing_new_until_something_is(
    season: Season, score: Ask, look: Ask
) -> None:
    game = opened(score, season)
    path = f"/open-games/{game['id']}/"
    tag = look(path)["ETag"]
    assert asker("")(path, **{"If-None-Match": tag}).status_code == 304
    assert write(score, game, 0).status_code == 201
    assert asker("")(path, **{"If-None-Match": tag}).status_code == 200
