"""Games of which only the end is known: read, judged, sealed and stored like any other, without a
round."""

import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.game import analyse
from engine.record.canonical import canonical_rounds, content_digest, digests
from engine.record.changes import FieldChange, RecordChanges, record_changes
from engine.record.check import check
from engine.record.export import export
from engine.record.header import stored_header
from engine.record.outcome import LONG_MARK, MARK, KnownEnd
from engine.record.record import Record, begin, read
from engine.record.stored import pack_record, replay_stored, unpack_record
from engine.record.verify import verify_line
from engine.record.write import write
from tests.engine.record.broken_off import random_end
from tests.engine.record.build import (
    bids,
    fault,
    game,
    kniffel_outcome,
    named,
    outcome,
    record,
    verdict,
)
from tests.engine.record.stored import stored, stored_fault

CUP = outcome([2, 1, 3], [10, 15, 6], scoring="cntdice")
"""The example of the format."""


@st.composite
def outcomes(draw: st.DrawFn) -> dict[str, Any]:
    """A record of either game whose outcome can be; what need not be told may be left out."""
    complete = draw(st.booleans())
    if draw(st.booleans()):
        written = random_end(draw(st.integers(0, 10**6)))
        if draw(st.booleans()):
            written["rules"]["scoring"] = "placement"
            written["outcome"]["points"] = written["outcome"]["rank"]
    else:
        score = draw(st.lists(st.integers(0, 9), min_size=2, max_size=7))
        written = kniffel_outcome([1 + sum(other > own for other in score) for own in score], score)
        left = draw(st.integers(0, len(score) - 2))
        if left:
            stayed = len(score) - left
            rank = [1 + sum(other > own for other in score[:stayed]) for own in score[:stayed]]
            written["outcome"]["rank"] = rank + list(range(stayed + 1, len(score) + 1))
            written["outcome"]["forfeit"] = list(range(len(score) - 1, stayed - 1, -1))
        if draw(st.booleans()):
            written["outcome"]["ended"] = "clock"
    if not complete:
        del written["outcome"]["points"]
    return written


def test_the_checker_answers_the_end_and_no_rounds() -> None:
    assert verdict(CUP).as_json() == {
        "id": "g",
        "ok": True,
        "over": True,
        "rank": [2, 1, 3],
        "cntdice": [10, 15, 6],
        "points": [10, 15, 6],
        "rounds": [],
    }
    assert verdict(kniffel_outcome([2, 1], [180, 201])).as_json() == {
        "id": "g",
        "ok": True,
        "over": True,
        "rank": [2, 1],
        "totals": [180, 201],
        "bonus": None,
        "turns": [],
        "sheets": [],
    }


def test_points_that_are_not_told_are_known_where_they_are_the_ranks_alone() -> None:
    assert verdict(outcome([2, 1, 3])).points == (2, 1, 3)
    assert verdict(outcome([2, 1, 3], scoring="cntdice")).points is None
    assert verdict(kniffel_outcome([1, 1])).points is None


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"rounds": []}, "bad_record rounds"),
        ({"result": {"rank": [2, 1, 3]}}, "bad_record result"),
        ({"proof": {}}, "bad_record proof"),
        ({"turns": []}, "unknown_key turns"),
        ({"outcome": None}, "bad_record outcome"),
        ({"outcome": {}}, "bad_record outcome.rank"),
        ({"outcome": {"points": [10, 15, 6]}}, "bad_record outcome.rank"),
        ({"outcome": {"rank": [1, 2]}}, "bad_record outcome.rank"),
        ({"outcome": {"rank": [1, 2, True]}}, "bad_record outcome.rank[2]"),
        ({"outcome": {"rank": [1, 2, 3], "points": None}}, "bad_record outcome.points"),
        ({"outcome": {"rank": [1, 2, 3], "winner": 1}}, "unknown_key outcome.winner"),
        ({"digests": ["00" * 32] * 3, "names": [{"salt": "00" * 16}] * 3}, "bad_record digests"),
        ({"digests": ["00" * 32] * 2}, "bad_record names"),
    ],
)
def test_an_outcome_stands_alone_and_tells_ranks(change: dict[str, Any], wrong: str) -> None:
    assert fault(CUP | change) == wrong


def test_a_game_tells_its_rounds_or_its_outcome() -> None:
    bare = {key: value for key, value in CUP.items() if key != "outcome"}
    assert fault(bare) == "bad_record rounds"
    assert fault(bare | {"game": "luegen-kniffel", "rules": {}}) == "bad_record turns"


@given(outcomes())
def test_what_is_written_is_read_as_the_same_record(written: dict[str, Any]) -> None:
    played = record(written)
    assert check(played).ok
    assert read(write(played)) == played
    assert json.loads(write(played))["outcome"] == written["outcome"]


@given(outcomes())
def test_what_is_stored_is_the_same_game(written: dict[str, Any]) -> None:
    sealed = named(written)
    header, bodies, chain = stored_header(sealed), pack_record(sealed), digests(sealed)
    again = unpack_record(header, sealed.seats, sealed.names, bodies)
    assert again == sealed.canonical()
    assert digests(again) == chain
    found = replay_stored(header, sealed.seats, bodies)
    assert (found.error, found.ending) == (None, check(sealed).ending)
    assert stored_fault(stored(sealed)) is None


@given(outcomes())
def test_an_export_proves_itself_and_can_be_read_again(written: dict[str, Any]) -> None:
    line = export(named(written))
    found = verify_line(line)
    assert (found.error, found.proved) == (None, ("rules", "digests", "seal"))
    assert any("Only the end of the game is known" in sentence for sentence in found.not_checked)
    assert not any("rounds" in sentence and "Of" in sentence for sentence in found.not_checked)
    again = read(line)
    assert isinstance(again, Record)
    assert content_digest(again) == content_digest(record(written))
    assert export(again) == line


def test_the_outcome_is_the_one_link_after_the_header() -> None:
    chain = digests(named(CUP))
    assert chain[1:] == [sha256(chain[0] + b'{"points":[10,15,6],"rank":[2,1,3]}').digest()]


def test_points_that_the_ranks_tell_change_nothing() -> None:
    full, bare = record(outcome([2, 1, 3], [2, 1, 3])), record(outcome([2, 1, 3]))
    assert canonical_rounds(full) == canonical_rounds(bare) == [b'{"rank":[2,1,3]}']
    assert pack_record(full) == pack_record(bare) == [bytes([MARK, 2, 1, 3])]
    assert record_changes(full, bare) == RecordChanges((), ())
    assert content_digest(record(CUP)) != content_digest(
        record(outcome([2, 1, 3], scoring="cntdice"))
    )


def test_a_digest_of_another_outcome_is_found() -> None:
    keys = json.loads(export(named(CUP)))
    del keys["seal"]
    keys["outcome"]["points"][0] = 11
    error = verify_line(json.dumps(keys).encode()).error
    assert error is not None
    assert (error.code, error.path, error.round_number) == ("digest_mismatch", "digests[1]", None)


@pytest.mark.parametrize(
    ("bodies", "code"),
    [
        ([bytes([MARK, 1, 2, 3, 0, 15, 0, 10, 0, 6])], "digest_mismatch"),
        ([bytes([MARK, 2, 1, 3])], "digest_mismatch"),
        ([bytes([MARK, 2, 1, 4, 0, 10, 0, 15, 0, 6])], "outcome_mismatch"),
        ([bytes([MARK, 2, 1])], "bad_record"),
        ([bytes([MARK, 2, 1, 3, 0, 9])], "bad_record"),
        ([bytes([MARK, 2, 1, 3, 0, 10, 0, 15, 0, 6, 0])], "bad_record"),
        ([bytes([MARK, 2, 1, 3, 0, 10, 0, 15, 0, 6])] * 2, "bad_record"),
        ([], "digest_mismatch"),
    ],
)
def test_a_stored_outcome_that_changed_is_found(bodies: list[bytes], code: str) -> None:
    sealed = stored(named(CUP))
    assert sealed.bodies == [bytes([MARK, 2, 1, 3, 0, 10, 0, 15, 0, 6])]
    error = stored_fault(sealed._replace(bodies=bodies))
    assert error is not None
    assert error.code == code


LONG = [bytes([LONG_MARK, 7, 1, 1, 3, 0, 11, 0, 11, 0, 5, 4, 4, 0, 2])]
"""The stored form of an outcome that tells who left, and that time was up."""


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (LONG[0], None),
        (LONG[0][:-1], "digest_mismatch"),
        (LONG[0] + b"\x02", "bad_record"),
        (LONG[0] + b"\x03", "bad_record"),
        (LONG[0][:9], "bad_record"),
        (bytes([LONG_MARK]), "bad_record"),
        (bytes([LONG_MARK, 8, 1, 1, 3]), "bad_record"),
        (bytes([LONG_MARK, 0, 1, 2, 3]), "digest_mismatch"),
        (bytes([LONG_MARK, 6, 1, 1, 3, 4, 4, 1]), "digest_mismatch"),
    ],
)
def test_a_stored_outcome_of_a_game_that_was_broken_off_is_read_and_a_change_found(
    body: bytes, code: str
) -> None:
    written = outcome([1, 1, 3], [11, 11, 5], scoring="cntdice")
    written["outcome"] |= {"dice": [4, 4, 0], "forfeit": [2], "ended": "clock"}
    sealed = stored(named(written))
    assert sealed.bodies == LONG
    error = stored_fault(sealed._replace(bodies=[body]))
    assert (error and error.code) == code


def test_stored_points_that_the_ranks_tell_are_found() -> None:
    sealed = stored(named(outcome([2, 1])))
    error = stored_fault(sealed._replace(bodies=[sealed.bodies[0] + bytes([0, 2, 0, 1])]))
    assert error is not None
    assert error.code == "bad_record"


@pytest.mark.parametrize(
    "sealed", [named(game(bids("5x4", "8x4", count=3), seats=2)), named(outcome([2, 1]))]
)
def test_the_mark_of_an_outcome_begins_no_round(sealed: Record) -> None:
    with pytest.raises(ValueError, match="no round of Bluff"):
        unpack_record(
            stored_header(sealed), sealed.seats, None, [bytes([MARK, 1, 2]), bytes([MARK, 1, 2])]
        )


def test_the_mark_of_an_outcome_begins_no_turn() -> None:
    sealed = named(kniffel_outcome([2, 1]))
    with pytest.raises(ValueError, match="no turn of Lügen-Kniffel"):
        unpack_record(
            stored_header(sealed), sealed.seats, None, [bytes([MARK, 1, 2]), bytes([MARK, 1, 2])]
        )


def test_rounds_take_the_place_of_an_outcome_and_the_other_way_round() -> None:
    rounds = record(game(bids("5x4", "8x4", count=3), seats=2, scoring="cntdice"))
    ended = record(outcome([1, 2], [10, 4], scoring="cntdice"))
    there, back = record_changes(ended, rounds), record_changes(rounds, ended)
    assert there.header == (FieldChange("result.points[1]", 4, 5),)
    assert [(change.number_before, change.number_after) for change in there.rounds] == [(None, 1)]
    assert [(change.number_before, change.number_after) for change in back.rounds] == [(1, None)]


def test_there_are_no_rounds_to_analyse() -> None:
    for read_rounds in (analyse, lambda played: begin(played, played.kind)):
        with pytest.raises(ValueError, match="only the end of the game is known"):
            read_rounds(record(CUP))


def test_what_is_valid_of_an_outcome_at_fault_is_the_game_before_its_first_round() -> None:
    begun = record(outcome([1, 1])).first(0)
    assert (begun.outcome, check(begun).ok, check(begun).over) == (None, True, False)
    assert KnownEnd((1, 1)) == record(outcome([1, 1])).outcome
