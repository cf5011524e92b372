"""Phones by program: keys with which they write for a table, and the codes that they show without
network."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Device
from league.models import LogEntry, Role, Table
from tests.factories.codes import code_of, waiting
from tests.league.core.frame.api.programs import code_of as problem_of
from tests.league.core.frame.api.programs import member_key
from tests.league.floor.api.conftest import Ask, asker
from tests.league.sheets.confirmation.test_confirmation import sitter
from tests.league.sheets.sheet.test_open_game import by_key, opened, scorer, whole_game, write

pytestmark = pytest.mark.django_db


def key_for(table: Table) -> tuple[Any, str]:
    """What a program is told of a new phone, and its key."""
    answer = scorer(table)(f"/tables/{table.public_id}/devices/", {})
    assert answer.status_code == 200, answer.content
    made = answer.json()
    page, _, key = made["address"].partition("#")
    assert page.endswith(f"/score/{table.public_id}/")
    return made, key


def test_a_phone_writes_with_the_key_that_a_program_made_until_it_is_revoked(table: Table) -> None:
    made, key = key_for(table)
    game = opened(by_key(key), table)
    assert write(by_key(key), game, 0).status_code == 201
    (shown,) = scorer(table)(f"/tables/{table.public_id}/devices/").json()["results"]
    assert shown == {
        name: made[name] for name in ("id", "player", "made_at", "ends_at", "revoked_at")
    }
    assert shown["player"] is None, "it is a scorer's"
    assert key not in str(LogEntry.objects.values_list("payload", flat=True))
    end = f"/tables/{table.public_id}/devices/{made['id']}/status/"
    assert scorer(table)(end, {"status": "revoked"}).json()["revoked_at"]
    assert problem_of(write(by_key(key), game, 1)) == (403, "key_ended")
    assert scorer(table)(f"/tables/{table.public_id}/devices/").json()["results"] == []
    assert LogEntry.objects.filter(action__in=["device.made", "device.revoked"]).count() == 2


def test_who_may_not_write_at_a_table_neither_sees_nor_makes_a_key(table: Table, look: Ask) -> None:
    made, _ = key_for(table)
    player = asker(member_key(table.stage_round.stage.event.club, Role.PLAYER)[0])
    address = f"/tables/{table.public_id}/devices/"
    assert [problem_of(player(address))[0], problem_of(player(address, {}))[0]] == [403, 403]
    assert [problem_of(look(address))[0], problem_of(look(address, {}))[0]] == [401, 401]
    assert problem_of(player(f"{address}{made['id']}/status/", {"status": "revoked"}))[0] == 403
    other = Table.objects.exclude(pk=table.pk).get()
    ends_elsewhere = scorer(other)(
        f"/tables/{other.public_id}/devices/{made['id']}/status/", {"status": "revoked"}
    )
    assert problem_of(ends_elsewhere) == (404, "not_found")
    assert Device.objects.get().revoked_at is None


def test_a_key_says_whose_it_is(table: Table) -> None:
    address = f"/tables/{table.public_id}/devices/"
    handles = list(table.seats.order_by("seat").values_list("entry__player__handle", flat=True))
    assert scorer(table)(address, {"seat": 2}).json()["player"] == handles[2]
    assert scorer(table)(address, {"seat": None}).json()["player"] is None
    assert {phone["player"] for phone in scorer(table)(address).json()["results"]} == {
        handles[2],
        None,
    }
    assert problem_of(scorer(table)(address, {"seat": 5})) == (422, "no_seat")
    player, _ = sitter(table, 1)
    assert player(address, {}).json()["player"] == handles[1], "who sits there makes their own"
    assert player(address, {"seat": 1}).json()["player"] == handles[1]
    assert problem_of(player(address, {"seat": 2})) == (422, "other_seat")


def test_the_phones_of_an_open_game_are_those_of_its_table(table: Table) -> None:
    made, key = key_for(table)
    game = opened(by_key(key), table)
    phones = f"/open-games/{game['id']}/devices/"
    assert [phone["id"] for phone in scorer(table)(phones).json()["results"]] == [made["id"]]
    again = scorer(table)(phones, {}).json()
    page, _, key = again["address"].partition("#")
    assert page.endswith(f"/score/{table.public_id}/")
    assert write(by_key(key), game, 0).status_code == 201
    assert scorer(table)(f"{phones}{again['id']}/status/", {"status": "revoked"}).json()[
        "revoked_at"
    ]
    assert [phone["id"] for phone in scorer(table)(phones).json()["results"]] == [made["id"]]


def test_a_program_sends_on_what_a_phone_without_network_shows(table: Table) -> None:
    _, key = key_for(table)
    game = opened(by_key(key), table)
    entries = waiting(whole_game(table))
    code = code_of(game["id"], entries, key, 0)
    event = table.stage_round.stage.event
    address = f"/clubs/{event.club.slug}/events/{event.slug}/codes/"
    first = scorer(table)(address, {"code": code}).json()
    address_of_game = f"/api/v1/open-games/{game['id']}/"
    assert first == {
        "url": address_of_game,
        "added": len(entries),
        "is_late": False,
        "waits_until": None,
    }
    assert scorer(table)(address, {"code": code}).json() == first | {"added": 0}
    assert problem_of(scorer(table)(address, {"code": f"{code[:-3]}AAA"})) == (422, "forged_code")
    assert problem_of(scorer(table)(address, {"code": "CUPS2.x.y"})) == (422, "bad_code")
    player = asker(member_key(event.club, Role.PLAYER)[0])
    assert problem_of(player(address, {"code": code})) == (403, "permission_denied")
