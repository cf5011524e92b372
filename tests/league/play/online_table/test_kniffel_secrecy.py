"""Before the cups go up, what others are sent depends neither on the dice under the cups, nor on
how many of them stay, nor on what somebody has answered: not in a single byte."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import HiddenActs, SheetEntry
from games.models import DealerSecret, HiddenAct, OpenSheet
from games.models import SheetEntry as StoredEntry
from games.queries import online_game as queries
from league.core.log.models import LogEntry
from league.models import Club, OnlineTable
from league.play.online_table.queries import table_version
from tests.league.play.online_table.kniffel import (
    act,
    announce,
    answer,
    kniffel_table,
    opened,
    page_of,
    sheet_of,
    step,
)
from tests.league.play.online_table.test_secrecy import cheat, without_keys
from tests.league.play.secrecy import GAMES

pytestmark = pytest.mark.django_db
hidden_acts = queries.hidden_acts
KEY = "00000000-0000-4000-8000-000000000001"


@pytest.fixture
def table(club: Club) -> OnlineTable:
    return opened(club)


def other_acts(row: OpenSheet, sheet: DealtSheet) -> HiddenActs:
    """The hidden acts of the turn, but that other dice stay, fewer or more of them, and that all
    answers differ."""
    return tuple(_other(act) for act in hidden_acts(row, sheet))


def _other(act: SheetEntry) -> SheetEntry:
    value = dict(act.value)
    if act.act == "answer":
        value["doubt"] = not value["doubt"]
    elif value["keep"]:
        value["keep"] = value["keep"][1:]
    return SheetEntry(act.act, value)


@pytest.mark.parametrize("seed", GAMES)
def test_what_others_are_sent_is_the_same_whatever_lies_under_the_cups_and_whatever_was_answered(
    table: OnlineTable, seed: int
) -> None:
    chance = Random(seed)
    clients = kniffel_table(table, guests=2)
    for _ in range(25):
        sheet = sheet_of(table)
        others = [client for number, client in enumerate(clients) if number != sheet.roller]
        _compare(table, [*others, Client()], sheet.roller)
        step(table, clients, chance)
        table.refresh_from_db()


def _compare(table: OnlineTable, others: Sequence[Client], roller: int | None) -> None:
    honest = [without_keys(page_of(table, client)) for client in others]
    version = table_version(table.public_id)
    assert roller is not None
    with cheat(roller), patch.multiple(queries, hidden_acts=other_acts):
        for client, page in zip(others, honest, strict=True):
            assert without_keys(page_of(table, client)).splitlines() == page.splitlines()
        assert table_version(table.public_id) == version


def test_the_roller_sees_what_the_others_do_not(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=1)
    roller = sheet_of(table).to_act[0]
    act(table, clients[roller], "roll")
    act(table, clients[roller], "roll", keep=[0, 1])
    own = without_keys(page_of(table, clients[roller]))
    with cheat(roller):
        assert without_keys(page_of(table, clients[roller])) != own
    with patch.multiple(queries, hidden_acts=other_acts):
        assert without_keys(page_of(table, clients[roller])) != own


class Traces(NamedTuple):
    """All that an act leaves behind for others: its answer, the entries, the pages, and the version
    of the stream."""

    status: int
    location: str
    entries: list[Any]
    pages: list[str]
    version: str
    logged: int


def traces(
    table: OnlineTable, client: Client, others: Sequence[Client], body: dict[str, Any]
) -> Traces:
    """Let a seat act, look at what it leaves behind, and take it back."""
    with taken_back():
        length = StoredEntry.objects.count()
        sent = {"key": KEY, "length": length, **body}
        answered = client.post(reverse("online-table-act", args=[table.public_id]), sent)
        return Traces(
            status=answered.status_code,
            location=answered["Location"],
            entries=list(
                StoredEntry.objects.order_by("number").values_list("number", "act", "value", "seat")
            ),
            pages=[without_keys(page_of(table, other)) for other in others],
            version=table_version(table.public_id),
            logged=LogEntry.objects.count(),
        )


@contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_k11_which_and_how_many_dice_stay_leaves_no_trace_for_others(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    roller = sheet_of(table).to_act[0]
    act(table, clients[roller], "roll")
    others = [*[client for number, client in enumerate(clients) if number != roller], Client()]
    none, some, most = [
        _without_times(traces(table, clients[roller], others, {"act": "roll", "keep": keep}))
        for keep in ([], [1, 3], [0, 1, 2, 4])
    ]
    assert none == some == most
    assert len(none.entries) == 2


def test_k16_an_answer_leaves_the_same_trace_whatever_it_is_as_long_as_others_are_asked(
    table: OnlineTable,
) -> None:
    clients = kniffel_table(table, guests=2)
    roller = announce(table, clients, "chance=20")
    seat, asked = [number for number in range(3) if number != roller]
    others = [clients[asked], clients[roller], Client()]
    believed, doubted = [
        _without_times(traces(table, clients[seat], others, {"act": word, "turn": 0}))
        for word in ("believe", "doubt")
    ]
    assert believed == doubted
    assert len(believed.entries) == 3


def _without_times(left: Traces) -> Traces:
    """Without the moment until which the next one has time: it is that of the act."""
    pages = [_without_deadline(page) for page in left.pages]
    return left._replace(pages=pages)


def _without_deadline(page: str) -> str:
    times = ("data-deadline", "data-ends", "data-now", "data-seconds", "<progress")
    lines = [line for line in page.splitlines() if not any(each in line for each in times)]
    return "\n".join(lines)


def test_a_roll_that_is_refused_tells_nobody_else_anything(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=1)
    roller = sheet_of(table).to_act[0]
    act(table, clients[roller], "roll")
    spectator = without_keys(page_of(table, Client()))
    assert "at least one die" in act(table, clients[roller], "roll", keep=[0, 1, 2, 3, 4])
    assert without_keys(page_of(table, Client())) == spectator


def test_what_is_hidden_stands_in_its_own_table_and_nowhere_else(
    table: OnlineTable, caplog: pytest.LogCaptureFixture
) -> None:
    clients = kniffel_table(table, guests=2)
    roller = sheet_of(table).to_act[0]
    act(table, clients[roller], "roll")
    act(table, clients[roller], "roll", keep=[2, 4])
    act(table, clients[roller], "announce", say="chance=20")
    answer(table, clients[(roller + 1) % 3], "doubt")
    assert [
        json.loads(value)
        for value in HiddenAct.objects.order_by("number").values_list("value", flat=True)
    ] == [
        {"keep": [], "seat": roller},
        {"keep": [2, 4], "seat": roller},
        {"doubt": True, "seat": (roller + 1) % 3, "turn": 0},
    ]
    secret = bytes(DealerSecret.objects.get(commitment=table.commitment).secret)
    rows = [
        *LogEntry.objects.values_list("payload", flat=True),
        *[json.dumps(state) for state in OpenSheet.objects.values_list("state", flat=True)],
        *StoredEntry.objects.values_list("value", flat=True),
        caplog.text,
    ]
    for row in rows:
        assert "keep" not in row
        assert "doubt" not in row
        assert secret.hex() not in row


def test_k6_what_nobody_doubted_stays_secret_in_the_record_too(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=1)
    roller = announce(table, clients, "chance=20")
    answer(table, clients[1 - roller], "believe")
    reveal = json.loads(StoredEntry.objects.get(act="reveal").value)
    assert reveal["round"] == {"say": "chance=20"}
    assert "key" not in reveal["link"]
