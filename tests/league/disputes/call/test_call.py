"""A table calls the arbiter, and the arbiter rules: both are entries of the sheet, and nothing of
the game changes."""

from __future__ import annotations

import json
import threading
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from engine.illegal import Refused
from engine.sheet.entry import stored_entry
from games.domain.branch import WrittenEntry
from games.models import OpenSheet, SheetEntry
from games.queries.open_game import sheet_written, sheets_written
from games.queries.verification import open_game_differences
from games.services.aside import AddedAside
from games.services.open_game import KeyEnded, Overtaken, Writer, entry_add
from league.core.log.ledger import ledger_differences
from league.core.log.services import Actor
from league.disputes.call.actions import CallAction
from league.disputes.call.queries import club_calls, event_calls
from league.disputes.call.services import call_make, call_rule, call_take_back
from league.events.event.services import event_change
from league.models import (
    Club,
    Event,
    LogEntry,
    Player,
    Role,
    Season,
    Table,
    TableGame,
    TableOpenGame,
    User,
)
from league.sheets.branch.services import branch_agree, table_branch_keep
from league.sheets.device.services.device import device_make, device_revoke
from league.sheets.sheet.services.open_game import open_game_seal, table_game_open
from league.sheets.sheet.services.writing import sheet_write
from tests.factories import events
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.sheets import SeasonScorer

pytestmark = pytest.mark.django_db


def sheet_of(row: Any) -> OpenSheet:
    return OpenSheet.objects.get(open_game=row.open_game_id)


def lose(row: Any, writer: Writer, length: int | None = None) -> None:
    """Write a round down of which the losses alone are told."""
    seats = row.open_game.seats.count()
    entry = stored_entry("close", {"losses": [0, 1] + [0] * (seats - 2)})
    known = sheet_of(row).length if length is None else length
    entry_add(
        open_game=row.open_game.public_id, length=known, entry=entry, writer=writer, key=uuid4()
    )


def rule(
    row: Any,
    ruler: Writer,
    call: int = 0,
    *,
    case: str = "taken_back",
    decision: str = "stands",
    key: UUID | None = None,
) -> AddedAside:
    return call_rule(
        row=row, call=call, case=case, decision=decision, ruler=ruler, key=key or uuid4()
    )


def refused(row: Any, ruler: Writer, call: int = 0, **more: Any) -> str:
    with pytest.raises(Refused) as caught:
        rule(row, ruler, call, **more)
    return caught.value.illegal.code


def acts(row: Any) -> list[str]:
    return list(
        SheetEntry.objects.filter(sheet__open_game=row.open_game_id).values_list("act", flat=True)
    )


def test_a_call_and_its_ruling_stand_on_the_sheet_with_who_and_in_which_round(
    row: TableOpenGame, phone: Writer, ruler: Writer, arbiter: User
) -> None:
    lose(row, phone)
    call_make(row=row, writer=phone, key=uuid4())
    rule(row, ruler, 1)
    call, ruling = SheetEntry.objects.filter(sheet=sheet_of(row), number__gte=1).order_by("number")
    assert (call.act, json.loads(call.value), call.device_id) == (
        "call",
        {"round": 2},
        phone.device_id,
    )
    assert (ruling.act, ruling.account) == ("ruling", arbiter)
    assert json.loads(ruling.value) == {"round": 2, "case": "taken_back", "decision": "stands"}


def test_the_game_that_is_sealed_is_the_one_that_it_would_be_without_the_call(
    season: Season, arbiter: User, ruler: Writer
) -> None:
    quiet, disputed = SeasonScorer(season, "p1", "p2"), SeasonScorer(season, "p1", "p2")
    quiet.finish()
    hare = Writer(automatic="hare")
    call_make(row=disputed.row, writer=hare, key=uuid4())
    rule(disputed.row, ruler)
    disputed.finish()
    call_make(row=disputed.row, writer=hare, key=uuid4())
    written = [sheet_written(each.row.open_game.public_id).sheet for each in (quiet, disputed)]
    assert written[0].whole().rounds == written[1].whole().rounds
    disputed.seal()
    assert sheet_of(disputed.row).sealed.game.rounds.count() == len(written[0].whole().rounds)


def test_the_chain_of_a_sheet_with_calls_is_verified_like_any_other(
    row: TableOpenGame, phone: Writer, ruler: Writer
) -> None:
    lose(row, phone)
    call_make(row=row, writer=phone, key=uuid4())
    assert list(open_game_differences(sheets_written([row.open_game.public_id]))) == [], (
        "while it waits"
    )
    rule(row, ruler, 1)
    assert list(open_game_differences(sheets_written([row.open_game.public_id]))) == []


def test_calling_holds_up_nobody_who_writes(
    row: TableOpenGame, phone: Writer, ruler: Writer
) -> None:
    lose(row, phone)
    call_make(row=row, writer=phone, key=uuid4())
    lose(row, phone, length=1)
    rule(row, ruler, 1)
    lose(row, phone, length=3)
    assert acts(row) == ["close", "call", "close", "ruling", "close"]
    with pytest.raises(Overtaken):
        lose(row, phone, length=2)


def test_several_entries_that_were_written_before_a_call_all_stand(
    row: TableOpenGame, phone: Writer
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    bids = [
        WrittenEntry(uuid4(), stored_entry("note", {"bid": bid}), None) for bid in ("2x4", "3x4")
    ]
    written = sheet_write(row=row, after=0, entries=bids, writer=phone, key=uuid4())
    assert (len(written.added), written.branch) == (2, None)
    assert acts(row) == ["call", "note", "note"]


def test_what_a_phone_sent_after_its_key_had_ended_is_let_in_behind_a_call(
    row: TableOpenGame, table: Table, phone: Writer
) -> None:
    device_revoke(device=table.devices.get(), actor=Actor())
    bids = [
        {"key": str(uuid4()), "act": "note", "value": {"bid": bid}, "at": "2026-11-25T19:30:00Z"}
        for bid in ("2x4", "3x4")
    ]
    branch = table_branch_keep(row=row, after=0, entries=bids, writer=phone, key=uuid4())
    call_make(row=row, writer=Writer(automatic="hare"), key=uuid4())
    seats = [device_make(subject=table, actor=Actor(), seat=seat)[0] for seat in (0, 1)]
    writers = [Writer(device=(seat.pk, seat.public_id)) for seat in seats]
    assert [branch_agree(row=row, branch=branch, writer=writer) for writer in writers] == [
        False,
        True,
    ]
    assert acts(row) == ["call", "note", "note"]


def test_a_call_moves_no_clock(row: TableOpenGame, phone: Writer) -> None:
    lose(row, phone)
    heard_at = sheet_of(row).heard_at
    call_make(row=row, writer=phone, key=uuid4())
    assert sheet_of(row).heard_at == heard_at


def test_one_table_calls_once_at_a_time(row: TableOpenGame, phone: Writer, ruler: Writer) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    with pytest.raises(Refused, match="already called the arbiter"):
        call_make(row=row, writer=phone, key=uuid4())
    rule(row, ruler)
    assert call_make(row=row, writer=phone, key=uuid4()).created


def test_a_call_that_is_sent_twice_is_one(row: TableOpenGame, phone: Writer) -> None:
    key = uuid4()
    first, second = [call_make(row=row, writer=phone, key=key) for _ in range(2)]
    assert (first.created, second.created) == (True, False)
    assert acts(row) == ["call"]
    assert LogEntry.objects.filter(action=CallAction.MADE).count() == 1


def test_only_the_one_who_called_takes_the_call_back(
    row: TableOpenGame, table: Table, phone: Writer
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    other, _ = device_make(subject=table, actor=Actor())
    with pytest.raises(Refused, match="only the person who called"):
        call_take_back(row=row, writer=Writer(device=(other.pk, other.public_id)), key=uuid4())
    call_take_back(row=row, writer=phone, key=uuid4())
    assert acts(row) == ["call", "call_off"]
    with pytest.raises(Refused, match="answered or withdrawn"):
        call_take_back(row=row, writer=phone, key=uuid4())


def test_a_key_that_has_ended_calls_nobody(row: TableOpenGame, table: Table, phone: Writer) -> None:
    device_revoke(device=table.devices.get(), actor=Actor())
    with pytest.raises(KeyEnded):
        call_make(row=row, writer=phone, key=uuid4())


def test_nobody_writes_a_ruling_as_an_entry_of_the_play(row: TableOpenGame, phone: Writer) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    value = {"round": 1, "case": "taken_back", "decision": "stands"}
    with pytest.raises(Refused, match="as an entry of the play"):
        entry_add(
            open_game=row.open_game.public_id,
            length=1,
            entry=stored_entry("ruling", value),
            writer=phone,
            key=uuid4(),
        )


def test_whoever_sits_at_the_table_does_not_rule_there(
    row: TableOpenGame, club_here: Club, phone: Writer
) -> None:
    user = UserFactory.create()
    MembershipFactory.create(club=club_here, role=Role.ARBITER, user=user)
    handle = row.open_game.seats.order_by("number").first()
    assert handle is not None
    Player.objects.filter(handle=handle.handle).update(user=user)
    call_make(row=row, writer=phone, key=uuid4())
    assert refused(row, Writer(account=(user.pk, user.public_id))) == "at_the_table"


def test_whoever_wrote_what_was_played_does_not_rule_there(
    row: TableOpenGame, ruler: Writer, phone: Writer
) -> None:
    lose(row, ruler)
    call_make(row=row, writer=phone, key=uuid4())
    assert refused(row, ruler, 1) == "entered_it"


def test_whoever_ruled_before_rules_again(row: TableOpenGame, ruler: Writer, phone: Writer) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    rule(row, ruler)
    call_make(row=row, writer=phone, key=uuid4())
    assert rule(row, ruler, 2).created


def test_of_two_sheets_also_the_one_who_wrote_the_other_does_not_rule(
    table: Table, phone: Writer, ruler: Writer
) -> None:
    event_change(
        event=table.stage_round.stage.event, actor=Actor(), confirmation=Event.Confirmer.DOUBLE
    )
    table.stage_round.stage.event.refresh_from_db()
    one = table_game_open(table=table, opener=phone)
    other = table_game_open(table=table, opener=ruler)
    assert one != other
    lose(other, ruler)
    call_make(row=one, writer=phone, key=uuid4())
    assert refused(one, ruler) == "entered_it"


def test_a_call_is_answered_once(
    row: TableOpenGame, phone: Writer, ruler: Writer, club_here: Club
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    rule(row, ruler)
    other = MembershipFactory.create(
        club=club_here, role=Role.ARBITER, user=UserFactory.create()
    ).user
    second = Writer(account=(other.pk, other.public_id))
    assert refused(row, second, decision="not_said") == "no_call"
    call_make(row=row, writer=phone, key=uuid4())
    assert refused(row, second) == "no_call", "this page showed the call before"
    assert acts(row).count("ruling") == 1


def test_the_same_ruling_twice_is_once(row: TableOpenGame, phone: Writer, ruler: Writer) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    key = uuid4()
    assert [rule(row, ruler, key=key).created for _ in range(2)] == [True, False]
    assert LogEntry.objects.filter(action=CallAction.RULED).count() == 1
    with pytest.raises(Refused, match="another entry"):
        rule(row, ruler, decision="not_said", key=key)


def test_a_game_that_is_sealed_takes_no_ruling(
    row: TableOpenGame, phone: Writer, ruler: Writer
) -> None:
    entry = stored_entry("close", {"ended": "clock"})
    entry_add(open_game=row.open_game.public_id, length=0, entry=entry, writer=phone, key=uuid4())
    call_make(row=row, writer=phone, key=uuid4())
    row.refresh_from_db()
    open_game_seal(row=row, length=2, writer=phone)
    assert refused(row, ruler, 1) == "sealed"
    assert event_calls(row.table.stage_round.stage.event) == []


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"case": "weather"}, "no_such_case"),
        ({"decision": "roll_again"}, "no_such_decision"),
    ],
)
def test_a_ruling_that_is_in_no_list_is_refused(
    row: TableOpenGame, phone: Writer, ruler: Writer, more: dict[str, Any], code: str
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    assert refused(row, ruler, **more) == code


def test_calls_wait_in_their_order_at_the_event_and_in_the_club(
    row: TableOpenGame, season: Season, table: Table, phone: Writer, ruler: Writer
) -> None:
    other = Table.objects.exclude(pk=table.pk).get(stage_round=table.stage_round)
    second = table_game_open(table=other)
    alone = SeasonScorer(season, "p1", "p2")
    hare = Writer(automatic="hare")
    call_make(row=second, writer=hare, key=uuid4())
    call_make(row=row, writer=phone, key=uuid4())
    call_make(row=alone.row, writer=hare, key=uuid4())
    event = table.stage_round.stage.event
    assert [call.row for call in event_calls(event)] == [second, row]
    assert [call.row for call in club_calls(event.club)] == [second, row, alone.row]
    assert [call.place for call in club_calls(event.club)] == ["Table 2", "Table 1", season.name]
    rule(second, ruler)
    assert [call.row for call in event_calls(event)] == [row]


def test_a_table_whose_result_came_in_otherwise_calls_no_more(
    row: TableOpenGame, table: Table, phone: Writer
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    members = list(table.seats.order_by("seat").values_list("entry__public_id", flat=True))
    events.finish(table.public_id, members)
    assert TableGame.objects.filter(table=table).exists()
    assert event_calls(table.stage_round.stage.event) == []


def test_the_club_s_log_tells_of_each(
    row: TableOpenGame, phone: Writer, ruler: Writer, club_here: Club
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    call_take_back(row=row, writer=phone, key=uuid4())
    call_make(row=row, writer=phone, key=uuid4())
    rule(row, ruler, 2)
    rows = LogEntry.objects.filter(subject=row.open_game.public_id).order_by("position")
    made, back, _, ruled = rows
    assert [made.action, back.action, ruled.action] == [
        CallAction.MADE,
        CallAction.TAKEN_BACK,
        CallAction.RULED,
    ]
    assert json.loads(made.payload)["by"] == {"device": phone.device and phone.device[1]}
    payload = json.loads(ruled.payload)
    assert (payload["case"], payload["decision"], payload["role"]) == (
        "taken_back",
        "stands",
        "arbiter",
    )
    assert payload["sheet"]["link"] == bytes(sheet_of(row).link).hex()
    assert list(ledger_differences(club_here.pk)) == []


@pytest.mark.django_db(transaction=True)
def test_of_two_who_rule_at_once_one_does(
    row: TableOpenGame, phone: Writer, ruler: Writer, club_here: Club
) -> None:
    other = MembershipFactory.create(
        club=club_here, role=Role.ARBITER, user=UserFactory.create()
    ).user
    call_make(row=row, writer=phone, key=uuid4())
    codes: list[str] = []

    def attempt(writer: Writer) -> None:
        try:
            rule(row, writer)
            codes.append("ruled")
        except Refused as error:
            codes.append(error.illegal.code)
        finally:
            connection.close()

    writers = (ruler, Writer(account=(other.pk, other.public_id)))
    threads = [threading.Thread(target=attempt, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["no_call", "ruled"]
    assert acts(row) == ["call", "ruling"]


def test_whoever_ruled_or_only_called_still_gives_the_word_that_the_event_asks_for(
    table: Table, ruler: Writer, phone: Writer
) -> None:
    """A call and a ruling are no part of what was played, so nobody wrote the game by them."""
    event = table.stage_round.stage.event
    event_change(event=event, actor=Actor(), confirmation=Event.Confirmer.SEAT)
    event.refresh_from_db()
    row = table_game_open(table=table, opener=phone)
    other, _ = device_make(subject=table, actor=Actor(), seat=1)
    caller = Writer(device=(other.pk, other.public_id))
    call_make(row=row, writer=caller, key=uuid4())
    rule(row, ruler)
    entry = stored_entry("close", {"ended": "clock"})
    entry_add(open_game=row.open_game.public_id, length=2, entry=entry, writer=phone, key=uuid4())
    call_make(row=row, writer=caller, key=uuid4())
    call_take_back(row=row, writer=caller, key=uuid4())
    row.refresh_from_db()
    with pytest.raises(Refused, match="has to confirm it"):
        open_game_seal(row=row, length=5, writer=phone)
    assert open_game_seal(row=row, length=5, writer=ruler) is not None
    sealed = LogEntry.objects.get(action="game.sealed")
    assert json.loads(sealed.payload)["confirmation"]["writer"] == {
        "device": phone.device and phone.device[1]
    }


def test_the_case_of_the_game_has_the_ruling_in_its_timeline(
    row: TableOpenGame, phone: Writer, ruler: Writer, arbiter: User
) -> None:
    call_make(row=row, writer=phone, key=uuid4())
    rule(row, ruler)
    entry = stored_entry("close", {"ended": "clock"})
    entry_add(open_game=row.open_game.public_id, length=2, entry=entry, writer=phone, key=uuid4())
    game = open_game_seal(row=row, length=3, writer=phone)
    assert game is not None
    client = Client()
    client.force_login(arbiter)
    html = client.get(reverse("game-case", args=[game.public_id])).content.decode()
    assert "The table called the arbiter." in html
    assert "The arbiter has ruled:" in html
