"""How a sheet came about: nothing that was written is hidden, and what stands is what the engine
makes of it."""

import json
import random
from datetime import timedelta
from typing import Any

import pytest

from engine.illegal import Refused
from engine.record.header import read_header
from engine.sheet.sheet import OpenSheet
from games.models import SheetEntry
from games.queries.open_game import sheet_written
from league.models import Table
from league.sheets.sheet.domain.history import EntryInWords, history
from league.sheets.sheet.queries.open_game import sheet_in_words
from tests.factories.sheets import Scorer

pytestmark = pytest.mark.django_db


def told_of(scorer: Scorer) -> list[EntryInWords]:
    open_game = scorer.row.open_game
    return sheet_in_words(open_game, scorer.row.table.stage_round.stage.event.club_id)[1]


def test_an_undone_bid_and_an_undone_round_name_the_entry_that_undid_them(table: Table) -> None:
    scorer = Scorer(table)
    scorer.bid("2x4")
    scorer.bid("3x4")
    scorer.add("undo")
    scorer.lose(1)
    scorer.add("undo")
    entries = told_of(scorer)
    assert [row.undone_by for row in entries] == [None, 2, None, 4, None]
    assert [row.round_number for row in entries] == [1] * 5
    assert [row.bid for row in entries] == ["2x4", "3x4", "", "", ""]
    assert [row.seat for row in entries][:2] == [0, 1], "the engine knows whose turn it was"


def test_an_amended_round_names_what_amended_it_and_why(table: Table) -> None:
    scorer = Scorer(table)
    scorer.lose(1)
    scorer.lose(2)
    losses = [0, 0, 1, 0]
    scorer.add("amend", number=1, reason="wrong_seat", round={"losses": losses})
    scorer.add("amend", number=1, reason="miscounted", round={"losses": [0, 1, 0, 0]})
    entries = told_of(scorer)
    assert [row.amended_by for row in entries] == [2, None, 3, None]
    assert [row.round_number for row in entries] == [1, 2, 1, 1]
    assert entries[2].why == "Wrong seat"


@pytest.mark.parametrize("seed", range(4))
def test_what_stands_is_the_game(table: Table, seed: int) -> None:
    """Whatever is written, undone and amended: the rounds that are marked by nothing are those of
    the sheet."""
    chance = random.Random(seed)
    scorer = Scorer(table)
    for _ in range(60):
        seat = chance.randrange(scorer.seats)
        losses = [int(seat == one) for one in range(scorer.seats)]
        choices: list[tuple[str, dict[str, Any]]] = [
            ("opener", {"seat": seat}),
            ("note", {"bid": f"{chance.randrange(1, 9)}x{chance.randrange(1, 6)}"}),
            ("close", {"losses": losses}),
            ("close", {"void": True, "moves": []}),
            ("undo", {}),
            (
                "amend",
                {
                    "number": chance.randrange(1, 6),
                    "reason": "misheard",
                    "round": {"losses": losses},
                },
            ),
        ]
        act, value = chance.choice(choices)
        try:
            scorer.add(act, **value)
        except Refused:
            continue
    written = sheet_written(scorer.row.open_game.public_id)
    assert isinstance(written.sheet, OpenSheet)
    entries = told_of(scorer)
    standing = [
        row for row in entries if row.notation and row.undone_by is None and row.amended_by is None
    ]
    rounds = {row.round_number: json.loads(row.entry.value) for row in standing}
    assert len(standing) == len(rounds) == written.sheet.closed
    values = [rounds[number].get("round", rounds[number]) for number in sorted(rounds)]
    assert values == [written.header.kind.round_json(one) for one in written.sheet.rounds]
    notes = [
        row
        for row in entries
        if row.act == "note" and row.undone_by is None and row.round_number > len(rounds)
    ]
    assert len(notes) == len(written.sheet.notes)


def test_phones_are_numbered_and_what_is_odd_about_an_entry_is_said(table: Table) -> None:
    scorer = Scorer(table)
    scorer.bid("2x4")
    (row,) = SheetEntry.objects.all()
    assert not EntryInWords(row, 1).clock_is_off
    row.device_at = row.made_at - timedelta(days=1)
    assert EntryInWords(row, 1).clock_is_off
    assert not EntryInWords(row, 1).clock_is_wrong
    assert EntryInWords(row, 1, opened_at=row.made_at).clock_is_wrong
    row.device_at = row.made_at + timedelta(days=1)
    assert EntryInWords(row, 1).clock_is_wrong
    assert (
        history(read_header(scorer.row.open_game.header, ["a", "b", "c", "d"]), [row])[0].device
        is None
    )
