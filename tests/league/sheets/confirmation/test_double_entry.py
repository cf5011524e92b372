"""Two write one game down, neither sees the other's sheet before both are done; if they agree, the
game is sealed."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.core.log.services import Actor
from league.models import Club, LogEntry, Role, Table, TableDevice, TableOpenGame
from league.sheets.device.services.device import device_revoke
from tests.league.core.frame.api.programs import code_of
from tests.league.floor.api.conftest import Ask
from tests.league.sheets.confirmation.test_confirmation import (
    finished,
    member,
    outcome,
    phone_of,
    seal,
    setting,
    sitter,
)
from tests.league.sheets.sheet.test_open_game import (
    opened,
    phone,
    scorer,
    whole_game,
    write,
    written,
)
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db
SIGNATURE = re.compile(rb'(?<=/live/)[^?"]*(?=\?)')


@pytest.fixture(autouse=True)
def _double(table: Table) -> None:
    setting(table, confirmation="double")


def bid_game(table: Table, bid: str) -> list[dict[str, Any]]:
    """The game of `whole_game`, whose first round tells the bid, which changes nothing of what was
    lost."""
    return [{"moves": [f"3x{bid}", "!"], "count": 5}, *whole_game(table)[2:]]


def differing(table: Table) -> tuple[list[Ask], list[tuple[Any, int]]]:
    """Two who handed in sheets that differ in the first round, and the game of each, with its
    length."""
    asks = [phone(table), phone(table)]
    games = [wrote(ask, table, bid_game(table, bid)) for ask, bid in zip(asks, "45", strict=True)]
    for ask, game in zip(asks, games, strict=True):
        seal(ask, *game)
    return asks, games


def wrote(ask: Ask, table: Table, rounds: Sequence[dict[str, Any]]) -> tuple[Any, int]:
    game = opened(ask, table)
    return game, written(ask, game, *rounds)


def test_two_who_agree_seal_the_game_with_the_second_who_is_done(table: Table) -> None:
    ask, other = phone(table), phone(table)
    (game, length), (second, _) = finished(ask, table), finished(other, table)
    assert game["id"] != second["id"]
    answer = seal(ask, game, length).json()
    assert (answer["handed_in"], answer["comparison"], answer["sealed"]) == (True, None, None)
    assert not Game.objects.exists()
    answer = seal(other, second, length).json()
    assert answer["sealed"], answer
    assert ask(f"/open-games/{game['id']}/").json()["sealed"] == answer["sealed"], (
        "the first one learns of it"
    )
    payload = json.loads(LogEntry.objects.get(action="game.sealed").payload)
    assert payload["sheet"]["open_game"] == second["id"]
    assert payload["compared"]["open_game"] == game["id"]
    assert payload["compared"]["differing"] == []
    assert [
        json.loads(entry.payload)["length"]
        for entry in LogEntry.objects.filter(action="sheet.submitted")
    ] == [
        length,
        length,
    ]
    false = club_differences(Club.objects.get().pk)
    assert [one for one in false if one.column != "confirmation"] == [], (
        "but for the setting of this test"
    )


def test_where_they_differ_nothing_is_sealed_until_one_gives_way(table: Table) -> None:
    (ask, other), ((game, length), (second, _)) = differing(table)
    (first,) = ask(f"/open-games/{game['id']}/").json()["comparison"]["rounds"]
    rounds = [{"moves": [f"3x{face}", "!"], "count": 5} for face in "45"]
    assert first == {"number": 1, "this_sheet": rounds[0], "other_sheet": rounds[1]}
    assert not Game.objects.exists()
    assert seal(ask, game, length).json()["sealed"] is None, "asked once more, they still differ"
    amendment = {"number": 1, "reason": "misheard", "round": rounds[0]}
    assert write(other, second, length, "amend", amendment).status_code == 201
    answer = seal(ask, game, length).json()
    assert answer["sealed"]
    payload = json.loads(LogEntry.objects.get(action="game.sealed").payload)
    assert payload["compared"] | {"link": ""} == {
        "open_game": second["id"],
        "length": length + 1,
        "link": "",
        "differing": [],
    }


def test_losses_and_bids_of_one_game_agree(table: Table) -> None:
    ask, other = phone(table), phone(table)
    losses = [{"losses": [0, 2, 0, 0]}, *whole_game(table)[2:]]
    (game, length), (second, _) = (
        wrote(ask, table, losses),
        wrote(other, table, bid_game(table, "4")),
    )
    seal(ask, game, length)
    assert seal(other, second, length).json()["sealed"]


def test_nobody_but_its_writer_sees_a_sheet_before_both_are_done(table: Table, look: Ask) -> None:
    ask, other = phone(table), phone(table)
    game, length = finished(ask, table)
    second = opened(other, table)
    arbiter, _ = member(table, Role.ARBITER)
    for reader in (other, look, scorer(table), arbiter, sitter(table, 1)[0]):
        for path in ("", "entries/"):
            assert reader(f"/open-games/{game['id']}/{path}").status_code == 404
    assert write(other, game, length, "undo", {}).status_code == 404
    assert code_of(seal(arbiter, game, length)) == (404, "not_found")
    seal(ask, game, length)
    assert other(f"/open-games/{game['id']}/").status_code == 404, "not even once it is handed in"
    written(other, second, *whole_game(table))
    seal(other, second, length)
    assert (
        other(f"/open-games/{game['id']}/").status_code
        == look(f"/open-games/{game['id']}/").status_code
        == 200
    )


def public_pages(table: Table) -> list[bytes]:
    """All that shows to who looks on, but for the signatures of streams, which hold the time."""
    event = table.stage_round.stage.event
    where = [event.club.slug, event.slug]
    pages = [reverse("table-live", args=[table.public_id]), reverse("event-live", args=where)]
    pages += [reverse("table", args=[table.public_id]), reverse("event", args=where)]
    return [SIGNATURE.sub(b"", Client().get(page).content) for page in pages]


def test_pages_of_watchers_are_the_same_whatever_is_written(table: Table) -> None:
    ask, other = phone(table), phone(table)
    game, second = opened(ask, table), opened(other, table)
    before, own = public_pages(table), other(f"/open-games/{second['id']}/").content
    written(ask, game, *whole_game(table)[:3])
    assert public_pages(table) == before
    written_so_far = 3
    for value in whole_game(table)[3:]:
        assert write(ask, game, written_so_far, value=value).status_code == 201
        written_so_far += 1
    seal(ask, game, written_so_far)
    assert public_pages(table) == before
    assert other(f"/open-games/{second['id']}/").content == own
    assert b"independently" in before[0]
    assert b"independently" in before[1]


def test_a_sheet_that_is_handed_in_stays_as_it_is_until_it_is_compared(table: Table) -> None:
    ask, other = phone(table), phone(table)
    game, length = wrote(ask, table, bid_game(table, "4"))
    second, longer = wrote(other, table, bid_game(table, "5"))
    seal(ask, game, length)
    assert code_of(write(ask, game, length, "undo", {})) == (422, "handed_in")
    assert seal(ask, game, length).status_code == 200, "once more is once"
    assert LogEntry.objects.filter(action="sheet.submitted").count() == 1
    seal(other, second, longer)
    assert write(ask, game, length, "undo", {}).status_code == 201
    assert code_of(write(other, game, length + 1, "undo", {})) == (422, "other_sheet")
    assert code_of(write(scorer(table), game, length + 1, "undo", {})) == (422, "other_sheet")


def test_a_player_and_the_phones_whose_keys_they_made_write_one_sheet(table: Table) -> None:
    own, player = sitter(table, 1)
    game = opened(own, table)
    assert opened(phone_of(table, player), table)["id"] == game["id"]
    assert opened(sitter(table, 2)[0], table)["id"] != game["id"]


def test_a_third_one_writes_nothing_unless_a_key_is_taken_back(table: Table) -> None:
    ask, other, third = phone(table), phone(table), phone(table)
    game, second = opened(ask, table), opened(other, table)
    path = f"/tables/{table.public_id}/open-game/"
    assert code_of(third(path, {})) == (422, "two_writers")
    device_revoke(device=TableDevice.objects.order_by("pk")[1], actor=Actor())
    assert opened(third, table)["id"] not in (game["id"], second["id"])
    assert opened(ask, table)["id"] == game["id"]


def test_what_is_handed_in_counts_whatever_becomes_of_its_key(table: Table) -> None:
    ask, other, third = phone(table), phone(table), phone(table)
    (game, length), (second, _) = finished(ask, table), finished(other, table)
    seal(ask, game, length)
    device_revoke(device=TableDevice.objects.order_by("pk")[0], actor=Actor())
    assert code_of(third(f"/tables/{table.public_id}/open-game/", {})) == (422, "two_writers")
    assert seal(other, second, length).json()["sealed"]


def test_an_arbiter_who_wrote_neither_chooses_one_of_two(table: Table) -> None:
    _, ((game, length), _) = differing(table)
    stranger, _ = member(table, Role.PLAYER)
    assert code_of(seal(stranger, game, length)) == (403, "permission_denied")
    assert code_of(seal(scorer(table), game, length)) == (422, "other_sheet")
    arbiter, account = member(table, Role.ARBITER)
    assert seal(arbiter, game, length).json()["sealed"]
    entry = LogEntry.objects.get(action="game.sealed")
    assert entry.actor_id == account.pk
    assert json.loads(entry.payload)["compared"]["differing"]


def test_an_arbiter_who_wrote_one_doesn_t_choose_it(table: Table) -> None:
    organiser, _ = member(table, Role.ORGANISER)
    other = phone(table)
    game, length = wrote(organiser, table, bid_game(table, "4"))
    second, longer = wrote(other, table, bid_game(table, "5"))
    seal(organiser, game, length)
    seal(other, second, longer)
    assert seal(organiser, game, length).json()["sealed"] is None
    assert code_of(seal(organiser, second, longer)) == (422, "other_sheet")


def test_a_result_that_was_entered_by_hand_shows_what_was_written_by_then(
    table: Table, look: Ask
) -> None:
    ask = phone(table)
    game, length = finished(ask, table)
    assert scorer(table)(f"/tables/{table.public_id}/outcome/", outcome(table)).status_code == 200
    assert look(f"/open-games/{game['id']}/entries/").status_code == 200
    assert seal(ask, game, length).json()["sealed"] is None


def test_where_the_setting_ends_each_sheet_is_sealed_as_before(table: Table) -> None:
    ask = phone(table)
    game, length = finished(ask, table)
    setting(table, confirmation="alone")
    assert seal(ask, game, length).json()["sealed"]


@pytest.mark.django_db(transaction=True)
def test_two_who_hand_in_at_once_seal_one_game(table: Table) -> None:
    asks = [phone(table), phone(table)]
    games = [finished(ask, table) for ask in asks]

    def hand_in(place: int) -> None:
        seal(asks[place], *games[place])
        connection.close()

    threads = [threading.Thread(target=hand_in, args=[place]) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Game.objects.count() == 1
    assert not TableOpenGame.objects.filter(concealed=True).exists()


def test_the_page_of_a_sheet_shows_both_side_by_side(table: Table) -> None:
    _, ((game, _), (second, _)) = differing(table)
    page = Client().get(reverse("open-game", args=[game["id"]])).content.decode()
    assert "The two sheets differ" in page
    assert page.index("3x4") < page.index("3x5")
    assert reverse("open-game", args=[second["id"]]) in page
