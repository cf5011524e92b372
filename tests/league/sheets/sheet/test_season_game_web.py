"""Who may enter games writes one down without a table: who sits there, and a key for this phone or
for another one."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, OpenGame
from league.core.frame.letter_link import digest_of
from league.core.log.services import Actor
from league.models import Club, GameDevice, Player, Role, Season, SeasonOpenGame, Visibility
from league.sheets.device.services.device import device_make
from league.standings.ranking.services.counting import ranking_count
from tests.factories.league import ClubFactory, MembershipFactory, PlayerFactory, SeasonFactory
from tests.factories.sheets import SeasonScorer

pytestmark = pytest.mark.django_db

TOKEN = "a" * 10


@pytest.fixture(autouse=True)
def people(club: Club) -> list[Player]:
    return [
        PlayerFactory.create(club=club, handle=name.lower(), name=name)
        for name in ("Anna", "Ben", "Carla")
    ]


def page(season: Season) -> str:
    return f"/clubs/{season.club.slug}/{season.slug}/write/"


def seats(*names: str, **more: str) -> dict[str, str]:
    return {
        "token": TOKEN,
        **{f"seat{number}": name for number, name in enumerate(names, start=1)},
        **more,
    }


def handles() -> list[str]:
    row = SeasonOpenGame.objects.get()
    return list(row.open_game.seats.order_by("number").values_list("handle", flat=True))


def test_who_sits_there_is_told_by_name_or_handle_and_this_phone_writes(
    desk: Client, season: Season
) -> None:
    answer = desk.post(page(season), seats("Carla", " ANNA ", "", "ben", here=""))
    row = SeasonOpenGame.objects.select_related("open_game__opened_by").get()
    path, _, key = answer["Location"].partition("#")
    assert path == f"/score/games/{row.open_game.public_id}/"
    assert GameDevice.objects.select_related("device").get(
        open_game=row
    ).device.key_digest == digest_of(key)
    assert handles() == ["carla", "anna", "ben"]
    assert row.open_game.opened_by is not None
    content = desk.get(page(season)).content.decode()
    assert f"/open-games/{row.open_game.public_id}/" in content
    assert key not in content


def test_another_phone_reads_a_code_that_is_shown_once(desk: Client, season: Season) -> None:
    shown = desk.post(page(season), seats("Anna", "Ben", other=""))
    public_id = OpenGame.objects.get().public_id
    (key,) = set(re.findall(rf"/score/games/{public_id}/#([\w-]+)", shown.content.decode()))
    assert 'class="qr"' in shown.content.decode()
    assert f'href="/open-games/{public_id}/write/"' in shown.content.decode()
    assert GameDevice.objects.get().device.key_digest == digest_of(key)
    assert shown["Cache-Control"].count("no-store")


def test_a_double_tap_opens_one_game(desk: Client, season: Season) -> None:
    tokens = re.findall(r'name="token" value="(\w{10})"', desk.get(page(season)).content.decode())
    assert len(tokens) == 1
    for _ in range(2):
        assert (
            desk.post(
                page(season), seats("Anna", "Ben", here="") | {"token": tokens[0]}
            ).status_code
            == 302
        )
    assert OpenGame.objects.count() == 1
    assert (
        "sent with other players"
        in desk.post(
            page(season), seats("Ben", "Anna", here="") | {"token": tokens[0]}
        ).content.decode()
    )
    assert OpenGame.objects.count() == 1


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("Anna",), "This field is required."),
        (("Anna", "Nobody"), "No player in the club is called Nobody."),
        (("Anna", "anna"), "two seats are the same player"),
        (("Anna", "Twin"), "Several people in the club have that name. Enter the handle instead."),
        (("Anna", "B" * 65), "Ensure this value has at most 64 characters"),
    ],
)
def test_names_that_cannot_sit_there_are_said(
    desk: Client, season: Season, names: tuple[str, ...], words: str
) -> None:
    for handle in ("one", "two"):
        PlayerFactory.create(club=season.club, handle=handle, name="Twin")
    content = desk.post(page(season), seats(*names, here="")).content.decode()
    assert words in content
    assert TOKEN not in content, "what is sent next is another try"
    assert not OpenGame.objects.exists()


def test_who_may_not_enter_games_is_shown_nothing(
    client: Client, season: Season, club: Club
) -> None:
    row = SeasonScorer(season).row
    keys = f"/open-games/{row.open_game.public_id}/write/"
    device, _ = device_make(subject=row, actor=Actor())
    end = f"{keys}{device.public_id}/end/"
    for path in (page(season), keys):
        assert client.get(path)["Location"].startswith("/accounts/login/")
    strangers: list[Any] = [
        MembershipFactory.create(club=club, role=Role.PLAYER).user,
        MembershipFactory.create(club=club, role=Role.ARBITER).user,
        MembershipFactory.create(club=ClubFactory.create(), role=Role.ORGANISER).user,
    ]
    for user in strangers:
        client.force_login(user)
        assert client.post(page(season), seats("Anna", "Ben", here="")).status_code == 404
        assert client.post(keys, {"here": ""}).status_code == 404
        assert client.post(end).status_code == 404
        assert (
            client.post(
                f"/open-games/{row.open_game.public_id}/confirm/", {"length": 0}
            ).status_code
            == 404
        )
        assert "/write/" not in client.get(f"/clubs/{club.slug}/{season.slug}/").content.decode()
    assert OpenGame.objects.count() == GameDevice.objects.count() == 1


def test_a_season_of_another_club_is_not_found(desk: Client, club: Club) -> None:
    other = SeasonFactory.create(club=ClubFactory.create())
    assert desk.get(page(other)).status_code == 404
    assert desk.get(page(other).replace(other.club.slug, club.slug)).status_code == 404


def test_keys_are_listed_and_end_by_a_tap(desk: Client, season: Season) -> None:
    scorer = SeasonScorer(season)
    keys = f"/open-games/{scorer.row.open_game.public_id}/write/"
    device, _ = device_make(subject=scorer.row, actor=Actor())
    end = f"{keys}{device.public_id}/end/"
    assert end in desk.get(keys).content.decode()
    assert desk.get(end).status_code == 405
    assert desk.post(end)["Location"] == keys
    assert end not in desk.get(keys).content.decode()
    other, _ = device_make(subject=SeasonScorer(season).row, actor=Actor())
    assert desk.post(f"{keys}{other.public_id}/end/").status_code == 404
    assert desk.post(keys, {"here": ""})["Location"].startswith(
        f"/score/games/{scorer.row.open_game.public_id}/#"
    )


def test_the_sheet_is_sealed_by_one_tap_and_leads_to_another_game(
    desk: Client, season: Season
) -> None:
    scorer = SeasonScorer(season)
    path = f"/open-games/{scorer.row.open_game.public_id}/"
    scorer.lose(1)
    content = desk.get(path).content.decode()
    assert f"{path}write/" in content
    assert "Confirm and seal" not in content
    scorer.finish()
    assert "whoever writes it down, alone" in desk.get(path).content.decode()
    assert desk.post(f"{path}confirm/", {"length": 0}).status_code == 302
    assert not Game.objects.exists(), "somebody wrote meanwhile"
    for _ in range(2):
        assert desk.post(f"{path}confirm/", {"length": scorer.length})["Location"] == path
    sealed = Game.objects.get()
    content = desk.get(path).content.decode()
    assert f"/games/{sealed.public_id}/" in content
    (again,) = re.findall(r'href="([^"]+/write/\?[^"]+)"', content)
    prefilled = desk.get(again.replace("&amp;", "&")).content.decode()
    assert re.findall(r'name="seat\d" value="(\w+)"', prefilled) == ["Anna", "Ben", "Carla"]
    assert desk.get(f"{path}write/")["Location"] == path
    assert path in desk.get(f"/games/{sealed.public_id}/").content.decode()


def test_who_sees_the_season_watches_and_others_do_not(client: Client, season: Season) -> None:
    path = f"/open-games/{SeasonScorer(season).row.open_game.public_id}/"
    content = client.get(path).content.decode()
    assert "write/" not in content
    Season.objects.update(visibility=Visibility.LINK)
    assert client.get(path).status_code == 404
    assert (
        client.get(f"{path}?key={Season.objects.get(pk=season.pk).link_token}").status_code == 200
    )
    client.session.flush()
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert client.get(path).status_code == 404


def test_the_scorer_tells_nothing_of_a_game_that_one_may_not_see(
    client: Client, season: Season
) -> None:
    path = f"/score/games/{SeasonScorer(season).row.open_game.public_id}/"
    content = client.get(path).content.decode()
    assert season.name in content
    assert "Anna" not in content or 'data-avatar="anna"' in content
    assert '"open_game"' in content
    Season.objects.update(visibility=Visibility.MEMBERS)
    hidden = client.get(path).content.decode()
    assert season.name not in hidden
    assert "anna" not in hidden
    assert client.get("/score/games/bbbbbbbbbb/").status_code == 200, "nor whether there is one"


def test_the_ways_to_it_are_where_games_are_entered(desk: Client, season: Season) -> None:
    for path in (f"/clubs/{season.club.slug}/{season.slug}/", f"/clubs/{season.club.slug}/desk/"):
        assert page(season) in desk.get(path).content.decode()


def test_faces_come_with_who_played_last_first(desk: Client, season: Season) -> None:
    scorer = SeasonScorer(season, "carla", "ben")
    scorer.finish()
    scorer.seal()
    ranking_count(ranking_id=season.ranking_id)
    content = desk.get(page(season)).content.decode()
    assert re.findall(r'data-face="(\w+)"', content)[:3] == ["carla", "ben", "anna"]


def test_further_seats_wait_behind_the_one_before(desk: Client, season: Season) -> None:
    content = " ".join(desk.get(page(season)).content.decode().split())
    assert content.count('<details class="one-more"') == 4
    assert "open>" not in content[content.index("one-more") : content.index("datalist")]
    refused = " ".join(
        desk.post(page(season), seats("Anna", "Ben", "Nobody", here="")).content.decode().split()
    )
    assert refused.count('<details class="one-more" open>') == 1


def test_writers_are_led_to_their_season_and_others_read_what_is_needed(
    desk: Client, season: Season
) -> None:
    Season.objects.update(starts_on=timezone.now(), ends_on=None)
    assert desk.get("/write/")["Location"] == page(season)
    second = SeasonFactory.create(club=season.club, starts_on=timezone.now().date())
    content = desk.get("/write/").content.decode()
    assert page(season) in content
    assert page(second) in content
    client = Client()
    visitor = client.get("/write/").content.decode()
    assert "If you don’t have one, an organiser of your club can invite you." in visitor
    assert "/accounts/login/?next=/write/" in visitor
    client.force_login(MembershipFactory.create(club=season.club, role=Role.PLAYER).user)
    assert (
        "an organiser of your club can make you a scorer" in client.get("/write/").content.decode()
    )


def test_the_home_page_leads_to_writing_a_game_down(desk: Client, season: Season) -> None:
    Season.objects.update(starts_on=timezone.now(), ends_on=None)
    for reader in (Client(), desk):
        assert 'href="/write/"' in reader.get("/").content.decode()


def test_the_scorer_offers_another_game_with_the_same_players_to_writers(
    desk: Client, season: Season
) -> None:
    scorer = SeasonScorer(season, "carla", "ben")
    address = f"/score/games/{scorer.row.open_game.public_id}/"
    assert f'"again": "{page(season)}?seat=Carla' in desk.get(address).content.decode()
    assert '"again": "/write/"' in Client().get(address).content.decode()
