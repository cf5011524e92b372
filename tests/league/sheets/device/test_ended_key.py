"""The server's clock decides whether a key is good. What a key sends that has ended waits beside
the sheet, whatever time it tells, until two seats or an arbiter let it in."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from games.models import Device, Game, OpenSheet, SheetBranch, SheetEntry
from league.core.log.services import Actor
from league.models import BranchAgreement, LogEntry, Role, Table, TableDevice
from league.sheets.device.services.device import device_make, device_revoke
from tests.factories.codes import code_of, waiting
from tests.factories.league import MembershipFactory
from tests.league.core.frame.api.programs import code_of as problem_of
from tests.league.floor.api.conftest import Ask
from tests.league.sheets.confirmation.test_confirmation import member, seat_phone, sitter
from tests.league.sheets.sheet.test_open_game import (
    ROUND,
    by_key,
    opened,
    phone,
    scorer,
    whole_game,
    write,
    written,
)

pytestmark = pytest.mark.django_db

LIES: Final = [None, "1999-01-01T00:00:00Z", "2026-11-25T20:14:03+01:00", "2099-01-01T00:00:00Z"]


class EndedPhone:
    """A phone that opened the table's game before its key ended."""

    def __init__(self, table: Table, **end: Any) -> None:
        self.device, self.key = device_make(subject=table, actor=Actor())
        self.ask = by_key(self.key)
        self.game = opened(self.ask, table)
        self.end(**end or {"revoked_at": timezone.now()})

    def end(self, **end: Any) -> None:
        Device.objects.filter(pk=self.device.pk).update(**end)

    def send(
        self, *values: dict[str, Any], after: int = 0, key: str = "", at: Any = LIES[1]
    ) -> Any:
        """Send rounds that were written after so many entries, all at once."""
        entries = [
            {"key": str(uuid4()), "act": "close", "value": value, "at": at} for value in values
        ]
        body = {"key": key or str(uuid4()), "after": after, "entries": entries}
        return self.ask(f"/open-games/{self.game['id']}/branches/", body)

    def agree(self, ask: Ask, branch: str) -> Any:
        return ask(f"/open-games/{self.game['id']}/branches/{branch}/agreement/", {})


@pytest.fixture
def ended(table: Table) -> EndedPhone:
    return EndedPhone(table)


def length_of(game: Any) -> int:
    return OpenSheet.objects.get(open_game__public_id=game["id"]).length


@pytest.mark.parametrize("at", LIES)
def test_no_time_that_a_phone_tells_lets_a_revoked_key_write(
    table: Table, ended: EndedPhone, at: str | None
) -> None:
    said = {} if at is None else {"at": at}
    answer = write(ended.ask, ended.game, 0, **said)
    assert problem_of(answer) == (403, "key_ended")
    assert length_of(ended.game) == 0
    branch = SheetBranch.objects.get()
    assert answer.json()["branch"]["id"] == branch.public_id
    assert branch.waits_until == branch.made_at + timedelta(days=1)
    assert json.loads(branch.entries)[0]["value"] == ROUND


def test_the_same_entries_sent_one_by_one_and_together_are_kept_once(ended: EndedPhone) -> None:
    key = str(uuid4())
    branch = write(ended.ask, ended.game, 0, key=key, at=LIES[1]).json()["branch"]
    body = {
        "key": str(uuid4()),
        "after": 0,
        "entries": [{"key": key, "act": "close", "value": ROUND, "at": LIES[1]}],
    }
    again = ended.ask(f"/open-games/{ended.game['id']}/branches/", body).json()
    assert again["id"] == branch["id"]
    assert SheetBranch.objects.count() == 1


def test_nor_does_it_undo_or_seal_anything(table: Table, ended: EndedPhone) -> None:
    length = written(phone(table), ended.game, *whole_game(table))
    assert problem_of(write(ended.ask, ended.game, length, "undo", {}, at=LIES[1])) == (
        403,
        "key_ended",
    )
    sealing = ended.ask(f"/open-games/{ended.game['id']}/seal/", {"length": length})
    assert problem_of(sealing) == (403, "key_ended")
    assert length_of(ended.game) == length
    assert not Game.objects.exists()


def test_an_entry_whose_answer_was_lost_is_there_though_the_key_has_ended(table: Table) -> None:
    ended = EndedPhone(table, revoked_at=None)
    key = str(uuid4())
    assert write(ended.ask, ended.game, 0, key=key).status_code == 201
    ended.end(revoked_at=timezone.now())
    assert write(ended.ask, ended.game, 0, key=key).status_code == 200
    assert not SheetBranch.objects.exists()


@pytest.mark.parametrize("days", [0, 30])
def test_a_key_that_ended_by_itself_writes_as_little(table: Table, days: int) -> None:
    ended = EndedPhone(table, ends_at=timezone.now() - timedelta(days=days))
    assert problem_of(write(ended.ask, ended.game, 0, at=LIES[1])) == (403, "key_ended")
    assert ended.send(ROUND).json()["waits_until"]
    assert length_of(ended.game) == 0


def test_a_code_of_a_revoked_key_is_kept_beside_the_sheet(table: Table, ended: EndedPhone) -> None:
    code = code_of(ended.game["id"], waiting(whole_game(table), at=LIES[1] or ""), ended.key)
    event = table.stage_round.stage.event
    address = f"/clubs/{event.club.slug}/events/{event.slug}/codes/"
    for _ in range(2):
        answer = scorer(table)(address, {"code": code}).json()
        assert (answer["added"], answer["is_late"]) == (0, True)
        assert answer["waits_until"]
    assert length_of(ended.game) == 0
    assert SheetBranch.objects.count() == 1


def test_ended_keys_use_up_their_own_room_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.services.open_game.BRANCHES", 2)
    first, second = EndedPhone(table), EndedPhone(table)
    assert [first.send(ROUND).status_code for _ in range(3)] == [200, 200, 422]
    assert second.send(ROUND).status_code == 200, "another phone has room of its own"
    entries = [{"key": str(uuid4()), "act": "close", "value": ROUND, "at": LIES[1]}]
    late = {"key": str(uuid4()), "after": 0, "entries": entries}
    assert phone(table)(f"/open-games/{first.game['id']}/branches/", late).status_code == 200


def test_two_seats_let_it_in_and_the_log_tells_who(table: Table, ended: EndedPhone) -> None:
    rounds = whole_game(table)[:3]
    branch = ended.send(*rounds).json()["id"]
    first, second = seat_phone(table, 1), sitter(table, 2)[0]
    for _ in range(2):
        assert ended.agree(first, branch).json()["is_let_in"] is False
    assert length_of(ended.game) == 0
    for _ in range(2):
        assert ended.agree(second, branch).json()["is_let_in"] is True
    rows = SheetEntry.objects.order_by("number")
    assert [json.loads(row.value) for row in rows] == rounds
    assert {row.device_id for row in rows} == {ended.device.pk}, "it stays that phone's writing"
    agreed = LogEntry.objects.filter(action="sheet.branch_agreed").order_by("position")
    assert [json.loads(entry.payload)["seat"] for entry in agreed] == [1, 2]


@pytest.mark.parametrize(("seat", "waits"), [(9, True), (1, False)])
def test_the_database_takes_no_agreement_of_nobody_or_with_what_doesn_t_wait(
    table: Table, seat: int, waits: bool
) -> None:
    ended = EndedPhone(table, revoked_at=timezone.now() if waits else None)
    ended.send(ROUND)
    with pytest.raises(DatabaseError, match="can't agree"):
        BranchAgreement.objects.create(
            branch=SheetBranch.objects.get(), seat=seat, made_at=timezone.now()
        )


def test_programs_read_what_waits_and_who_agrees(
    table: Table, ended: EndedPhone, look: Ask
) -> None:
    branch = ended.send(ROUND).json()
    address = f"/open-games/{ended.game['id']}/branches/"
    ended.agree(seat_phone(table, 1), branch["id"])
    (kept,) = look(address).json()["results"]
    assert {name: kept[name] for name in branch} == branch
    assert (kept["agreed"], kept["is_let_in"], kept["by"]) == (
        [1],
        False,
        {"device": ended.device.public_id},
    )
    assert kept["entries"][0]["value"] == ROUND
    ended.agree(seat_phone(table, 2), branch["id"])
    (kept,) = look(address).json()["results"]
    assert (kept["agreed"], kept["is_let_in"]) == ([1, 2], True)


def test_who_sits_there_alone_lets_it_in(table: Table, ended: EndedPhone) -> None:
    branch = ended.send(ROUND).json()["id"]
    for ask in (
        phone(table),
        scorer(table),
        member(table, Role.ARBITER)[0],
        member(table, Role.PLAYER)[0],
    ):
        assert problem_of(ended.agree(ask, branch)) == (422, "not_at_the_table")
    revoked, key = device_make(subject=table, actor=Actor(), seat=3)
    Device.objects.filter(pk=revoked.pk).update(revoked_at=timezone.now())
    assert problem_of(ended.agree(by_key(key), branch)) == (403, "key_ended")
    other = Table.objects.exclude(pk=table.pk).get()
    assert problem_of(ended.agree(phone(other), branch)) == (403, "other_table")
    assert not BranchAgreement.objects.exists()


def test_two_keys_of_one_seat_are_one_seat(table: Table, ended: EndedPhone) -> None:
    branch = ended.send(ROUND).json()["id"]
    for _ in range(2):
        assert ended.agree(seat_phone(table, 1), branch).json()["is_let_in"] is False
    assert BranchAgreement.objects.count() == 1


def test_what_others_wrote_since_stays(table: Table, ended: EndedPhone) -> None:
    branch = ended.send(ROUND).json()["id"]
    written(phone(table), ended.game, {"void": True})
    assert problem_of(ended.agree(seat_phone(table, 1), branch)) == (422, "written_since")


def test_after_a_day_nobody_lets_it_in(
    client: Client, table: Table, ended: EndedPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.services.open_game.WAITS", timedelta(0))
    branch = ended.send(ROUND).json()["id"]
    assert problem_of(ended.agree(seat_phone(table, 1), branch)) == (422, "not_waiting")
    assert (
        "Nobody let it onto the sheet in time,"
        in client.get(f"/open-games/{ended.game['id']}/").content.decode()
    )


def test_what_came_late_by_a_good_key_waits_for_nobody(table: Table) -> None:
    ended = EndedPhone(table, revoked_at=None)
    answer = ended.send(ROUND).json()
    assert answer["waits_until"] is None
    assert problem_of(ended.agree(seat_phone(table, 1), answer["id"])) == (422, "not_waiting")


def test_once_the_game_is_sealed_an_arbiter_corrects_it_by_what_waits(
    client: Client, table: Table, ended: EndedPhone
) -> None:
    ask = phone(table)
    game = whole_game(table)
    ask(f"/open-games/{ended.game['id']}/seal/", {"length": written(ask, ended.game, *game)})
    otherwise = [*game[5:], *game[:5]]
    branch = ended.send(*otherwise).json()["id"]
    assert problem_of(ended.agree(seat_phone(table, 1), branch)) == (422, "sealed")
    page = f"/open-games/{ended.game['id']}/"
    sealed = Game.objects.get()
    address = f"/games/{sealed.public_id}/correct/?branch={branch}"
    assert address not in client.get(page).content.decode()
    client.force_login(
        MembershipFactory.create(club=table.stage_round.stage.event.club, role=Role.ARBITER).user
    )
    assert address in client.get(page).content.decode()
    text = client.get(address).context["form"].initial["text"]
    plain = client.get(address.partition("?")[0]).context["form"].initial["text"]
    assert text != plain
    sent = client.post(address, {"text": text, "reason": "As the first phone had it."})
    assert sent.context["preview"] is not None, sent.context["fault"]


def test_the_sheet_s_page_keeps_apart_what_the_server_saw_and_what_a_phone_says(
    client: Client, table: Table, ended: EndedPhone
) -> None:
    branch = ended.send(ROUND).json()["id"]
    page = f"/open-games/{ended.game['id']}/"
    content = client.get(page).content.decode()
    assert "What a phone sent after its key had ended" in content
    assert "came in after its key had ended" in content
    assert "its own clock is wrong and says:" in content
    assert "written before its key was revoked" not in content
    assert "Yes, that’s how it went" not in content
    _, account = sitter(table, 1)
    client.force_login(account)
    assert "Yes, that’s how it went" in client.get(page).content.decode()
    answer = client.post(f"{page}branches/{branch}/agree/", follow=True)
    assert "once one more player at the table agrees" in answer.content.decode()
    assert "Yes, that’s how it went" not in answer.content.decode()
    client.force_login(sitter(table, 2)[1])
    content = client.post(f"{page}branches/{branch}/agree/", follow=True).content.decode()
    assert "It’s on the sheet now." in content
    assert length_of(ended.game) == 1


def test_of_what_one_phone_sent_again_and_longer_the_longest_is_shown(
    client: Client, table: Table, ended: EndedPhone
) -> None:
    key = str(uuid4())
    write(ended.ask, ended.game, 0, key=key, at=LIES[1])
    entries = [
        {"key": key, "act": "close", "value": ROUND, "at": LIES[1]},
        {"key": str(uuid4()), "act": "note", "value": {"bid": "1x1"}, "at": LIES[1]},
    ]
    body = {"key": str(uuid4()), "after": 0, "entries": entries}
    assert ended.ask(f"/open-games/{ended.game['id']}/branches/", body).status_code == 200
    assert SheetBranch.objects.count() == 2
    content = client.get(f"/open-games/{ended.game['id']}/").content.decode()
    assert content.count("What a phone sent after its key had ended") == 1


IMPOSSIBLE: Final = [
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-12:00",
    "10000-01-01T00:00:00Z",
    "2026-11-25T20:14:03",
    "2026-02-30T20:14:03Z",
    "NaN",
    "",
    "x" * 5_000,
    0,
    None,
    [],
]


@pytest.mark.parametrize("at", IMPOSSIBLE, ids=range(len(IMPOSSIBLE)))
def test_a_time_that_can_t_be_is_refused_by_every_way(table: Table, at: Any) -> None:
    ended = EndedPhone(table, revoked_at=None)
    answers = [write(ended.ask, ended.game, 0, at=at), ended.send(ROUND, at=at)]
    if isinstance(at, str) and len(at) < 100:
        code = code_of(ended.game["id"], waiting([ROUND], at=at), ended.key)
        event = table.stage_round.stage.event
        answers.append(
            scorer(table)(f"/clubs/{event.club.slug}/events/{event.slug}/codes/", {"code": code})
        )
    for answer in answers:
        refused = (400, "bad_value") if at is None else (422, "bad_time")
        assert problem_of(answer) == refused
    assert length_of(ended.game) == 0


@pytest.mark.parametrize(
    "at", ["0001-01-02T00:00:00Z", "1999-01-01T00:00:00Z", "9999-12-30T23:59:59Z"]
)
def test_with_a_good_key_no_clock_refuses_an_entry_and_a_wrong_one_is_marked(
    client: Client, table: Table, at: str
) -> None:
    ended = EndedPhone(table, revoked_at=None)
    assert write(ended.ask, ended.game, 0, at=at).status_code == 201
    code = code_of(ended.game["id"], waiting([ROUND], at=at), ended.key, after=1)
    event = table.stage_round.stage.event
    codes = f"/clubs/{event.club.slug}/events/{event.slug}/codes/"
    assert scorer(table)(codes, {"code": code}).json()["added"] == 1
    for zone in ("Pacific/Kiritimati", "Etc/GMT+12"):
        event.club.timezone = zone
        event.club.save()
        assert (
            "its own clock is wrong and says:"
            in client.get(f"/open-games/{ended.game['id']}/").content.decode()
        )
    assert (
        ended.ask(f"/open-games/{ended.game['id']}/entries/")
        .json()["entries"][0]["device_at"]
        .startswith(at[:10])
    )


@pytest.mark.django_db(transaction=True)
def test_an_entry_that_meets_a_revocation_waits_for_it(table: Table) -> None:
    ended = EndedPhone(table, revoked_at=None)
    row = TableDevice.objects.select_related("device", "table__stage_round__stage__event").get(
        device=ended.device
    )
    answers: list[Any] = []

    def send() -> None:
        answers.append(problem_of(write(ended.ask, ended.game, 0)))
        connection.close()

    thread = threading.Thread(target=send)
    with transaction.atomic():
        device_revoke(device=row, actor=Actor())
        thread.start()
        thread.join(0.5)
        assert not answers, "it waits until the revocation is there"
    thread.join()
    assert answers == [(403, "key_ended")]
    assert length_of(ended.game) == 0


@pytest.mark.django_db(transaction=True)
def test_two_seats_that_agree_at_once_let_it_in_once(table: Table) -> None:
    ended = EndedPhone(table)
    branch = ended.send(ROUND).json()["id"]
    phones = [seat_phone(table, seat) for seat in (0, 1, 2)]
    answers: list[int] = []

    def agree(ask: Ask) -> None:
        answers.append(ended.agree(ask, branch).status_code)
        connection.close()

    threads = [threading.Thread(target=agree, args=[ask]) for ask in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200, 200, 200]
    assert length_of(ended.game) == 1


def test_a_page_shows_the_first_entries_of_what_is_kept(
    ended: EndedPhone, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.sheets.sheet.queries.open_game.SHOWN", 1)
    assert ended.send(ROUND, ROUND).status_code == 200
    page = " ".join(client.get(f"/open-games/{ended.game['id']}/").content.decode().split())
    assert "And 1 more entry" in page
