"""A phone without network shows a code: whoever enters results reads it, and it is as if the phone
had sent it."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Device, SheetBranch, SheetEntry
from league.core.log.services import Actor
from league.models import Role, Season, Table
from league.sheets.device.domain.code import BYTES, ENTRIES
from league.sheets.device.services.device import device_make
from tests.factories.codes import code_of, packed, signed, waiting
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.sheets import SeasonScorer
from tests.league.sheets.confirmation.test_confirmation import setting
from tests.league.sheets.conftest import first_table
from tests.league.sheets.sheet.test_open_game import by_key, opened, whole_game, write

pytestmark = pytest.mark.django_db


class Phone:
    """A phone that opened the table's game and lost its network."""

    def __init__(self, table: Table) -> None:
        self.device, self.key = device_make(subject=table, actor=Actor())
        self.ask = by_key(self.key)
        self.game: Any = opened(self.ask, table)

    def code(self, entries: Any, after: int = 0) -> str:
        return code_of(self.game["id"], entries, self.key, after)


@pytest.fixture
def phone(table: Table) -> Phone:
    return Phone(table)


def address(table: Table) -> str:
    event = table.stage_round.stage.event
    return reverse("desk-codes", args=[event.club.slug, event.slug])


def send(desk: Client, table: Table, code: str) -> str:
    """The words of the page to which one comes."""
    answer = desk.post(address(table), {"code": code}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_whole_game_comes_in_by_a_code_once_and_can_be_sealed(
    desk: Client, table: Table, phone: Phone
) -> None:
    entries = waiting(whole_game(table))
    code = phone.code(entries)
    assert len(code) < 1_200, "it is read from a screen"
    page = send(desk, table, code)
    assert f"{len(entries)} entries read from the code." in page
    assert "Confirm and seal" in page
    assert "All of this is already on the sheet." in send(
        desk, table, f" {code[:80]}\n{code[80:]} "
    )
    rows = SheetEntry.objects.order_by("number")
    assert [row.key.hex for row in rows] == [key for key, *_ in entries]
    assert {row.device_id for row in rows} == {phone.device.pk}
    body = {"key": entries[0][0], "length": 0, "act": "close", "value": entries[0][2]}
    assert phone.ask(f"/open-games/{phone.game['id']}/entries/", body).status_code == 200, (
        "its network is back"
    )
    assert rows.count() == len(entries)


def test_what_came_in_by_network_before_comes_first(
    desk: Client, table: Table, phone: Phone
) -> None:
    assert write(phone.ask, phone.game, 0, value=whole_game(table)[0]).status_code == 201
    assert "14 entries read from the code" in send(
        desk, table, phone.code(waiting(whole_game(table)[1:]), after=1)
    )


def test_what_doesn_t_fit_any_more_is_kept_beside_the_sheet_once(
    desk: Client, table: Table, phone: Phone
) -> None:
    other = by_key(device_make(subject=table, actor=Actor())[1])
    assert write(other, phone.game, 0, value={"void": True}).status_code == 201
    code = phone.code(waiting(whole_game(table)[:2]))
    for _ in range(2):
        assert "kept beside their sheet" in send(desk, table, code)
    branch = SheetBranch.objects.get()
    assert [entry["value"] for entry in json.loads(branch.entries)] == whole_game(table)[:2]
    assert branch.device_id == phone.device.pk


AT: Final = "2026-11-25T20:14:03Z"
KEY: Final = "0" * 32
STRANGE: Final[list[Any]] = [
    [],
    {"game": "x", "after": -1, "entries": []},
    {"game": "x", "after": "0", "entries": []},
    {"game": "x", "after": 0.5, "entries": []},
    {"game": "\0", "after": 0, "entries": []},
    {"game": 1, "after": 0, "entries": []},
    {"game": "x", "after": 0, "entries": [[1]]},
    {"game": "x", "after": 0, "entries": [[KEY, "close", [], AT]]},
    {"game": "x", "after": 0, "entries": [[KEY, "drop", {}, AT]]},
    {"game": "x", "after": 0, "entries": [[KEY, "note", {"bid": "\ud800"}, AT]]},
    {"game": "x", "after": 0, "entries": [[KEY, "note", {"bid": float("nan")}, AT]]},
    {"game": "x", "after": 0, "entries": [[KEY, "close", {}, AT]] * (ENTRIES + 1)},
    "x" * BYTES,
]
"""All that a code can hold and no scorer makes."""
TEXTS: Final = [
    "CUPS2",
    "CUPS2.x.y",
    "CUPS3.x.y",
    "CUPS2..",
    "https://example.org/",
    f"CUPS2.{'A' * 7_000}.AAAA",
    ".ä.",
]


CODES: Final = [*TEXTS, *(f"CUPS2.{packed(content)}.AAAA" for content in STRANGE)]


@pytest.mark.parametrize("code", CODES, ids=range(len(CODES)))
def test_what_is_no_code_is_said(desk: Client, table: Table, code: str) -> None:
    assert "the code of a game: read the one that the scorer shows" in send(desk, table, code)


@pytest.mark.parametrize("code", ["", "x" * 8_001, "CUPS2.\0.x"])
def test_what_no_camera_reads_is_said_beside_the_form(
    desk: Client, table: Table, code: str
) -> None:
    answer = desk.post(address(table), {"code": code})
    assert answer.status_code == 200
    assert answer.context["form"].errors["code"]


def test_a_forged_code_is_refused(desk: Client, table: Table, phone: Phone) -> None:
    entries = waiting(whole_game(table))
    code = phone.code(entries)
    text, _, mac = code.rpartition(".")
    changed = packed({"game": phone.game["id"], "after": 0, "entries": waiting([{"void": True}])})
    for forged in (
        f"CUPS2.{changed}.{mac}",
        f"{text}.",
        f"{text}.{mac[:-4]}",
        signed(text, "another key"),
    ):
        assert "no phone with a key of this game" in send(desk, table, forged).lower()
    assert not SheetEntry.objects.exists()


def test_a_code_of_an_older_form_says_what_to_do(desk: Client, table: Table, phone: Phone) -> None:
    older = phone.code(waiting(whole_game(table))).replace("CUPS2.", "CUPS1.")
    assert "open the scorer where you have network" in send(desk, table, older)


def test_a_code_of_another_event_is_refused(desk: Client, table: Table, season: Season) -> None:
    other = Phone(first_table(season, "q", "night-2"))
    assert "of another event" in send(desk, table, other.code(waiting(whole_game(table))))


def test_what_a_phone_shows_whose_key_was_revoked_is_kept_beside_the_sheet(
    desk: Client, table: Table, phone: Phone
) -> None:
    Device.objects.update(revoked_at=timezone.now())
    for at in (AT, "1999-01-01T00:00:00Z"):
        page = send(desk, table, phone.code(waiting(whole_game(table)[:1], at=at)))
        assert "This phone’s key is no longer valid." in page
    assert not SheetEntry.objects.exists()
    assert SheetBranch.objects.count() == 2


def test_where_two_write_unseen_a_code_goes_to_the_phone_s_own_sheet(
    desk: Client, table: Table
) -> None:
    setting(table, confirmation="double")
    phone, rival = Phone(table), Phone(table)
    answer = desk.post(address(table), {"code": phone.code(waiting(whole_game(table)))})
    assert answer.status_code == 302
    assert phone.ask(f"/open-games/{phone.game['id']}/").json()["length"] == 15
    assert rival.ask(f"/open-games/{rival.game['id']}/").json()["length"] == 0


@pytest.mark.parametrize(
    ("role", "status"), [(Role.SCORER, 200), (Role.ORGANISER, 200), (Role.PLAYER, 404)]
)
def test_codes_are_read_by_who_enters_results(
    client: Client, table: Table, role: Role, status: int
) -> None:
    assert client.get(address(table)).status_code == 302
    client.force_login(
        MembershipFactory.create(club=table.stage_round.stage.event.club, role=role).user
    )
    assert client.get(address(table)).status_code == status


def alone(season: Season, table: Table) -> tuple[SeasonScorer, str]:
    """A game without a table, of two who sit at one as well, and the key of a phone for it."""
    players = table.stage_round.stage.event.entries.order_by("number")[:2]
    scorer = SeasonScorer(season, *players.values_list("player__handle", flat=True))
    return scorer, device_make(subject=scorer.row, actor=Actor())[1]


def test_the_code_of_a_game_without_a_table_is_read_at_its_season(
    desk: Client, table: Table
) -> None:
    season = table.stage_round.stage.event.season
    scorer, key = alone(season, table)
    game = scorer.row.open_game.public_id
    code = code_of(game, waiting([{"losses": [0, 1]}] * 2), key, after=0)
    page = reverse("season-codes", args=[season.club.slug, season.slug])
    assert (
        f'href="{page}"'
        in desk.get(reverse("season-write", args=[season.club.slug, season.slug])).content.decode()
    )
    answer = desk.post(page, {"code": code}, follow=True)
    assert answer.redirect_chain == [(f"/open-games/{game}/", 302)]
    assert "2 entries read from the code." in answer.content.decode()
    assert (
        "All of this is already on the sheet."
        in desk.post(page, {"code": code}, follow=True).content.decode()
    )
    assert SheetEntry.objects.count() == 2
    assert "this code is of a game of another event" in send(desk, table, code)
    _, key_elsewhere = device_make(subject=table, actor=Actor())
    forged = code_of(game, waiting([{"losses": [1, 0]}]), key_elsewhere, after=2)
    assert (
        "no phone with a key of this game"
        in desk.post(page, {"code": forged}, follow=True).content.decode()
    )


def test_the_code_of_a_table_or_of_another_season_is_not_read_at_a_season(
    desk: Client, table: Table, phone: Phone
) -> None:
    season = table.stage_round.stage.event.season
    page = reverse("season-codes", args=[season.club.slug, season.slug])
    elsewhere = SeasonFactory.create(club=season.club, slug="elsewhere")
    scorer = SeasonScorer(
        elsewhere,
        *[entry.player.handle for entry in table.stage_round.stage.event.entries.all()[:2]],
    )
    _, key = device_make(subject=scorer.row, actor=Actor())
    for code in (
        phone.code(waiting(whole_game(table))),
        code_of(scorer.row.open_game.public_id, waiting([{"losses": [0, 1]}]), key, after=0),
    ):
        answer = desk.post(page, {"code": code}, follow=True)
        assert answer.redirect_chain == [(page, 302)]
        assert "of an event, or of another season" in answer.content.decode()
    assert not SheetEntry.objects.exists()


@pytest.mark.parametrize(
    ("role", "status"), [(Role.SCORER, 200), (Role.ORGANISER, 200), (Role.PLAYER, 404)]
)
def test_who_may_enter_games_reads_codes_of_a_season(
    season: Season, role: Role, status: int
) -> None:
    client = Client()
    client.force_login(MembershipFactory.create(club=season.club, role=role).user)
    assert (
        client.get(reverse("season-codes", args=[season.club.slug, season.slug])).status_code
        == status
    )
