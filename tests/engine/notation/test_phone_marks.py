"""Quotation marks as phones and word processors set them."""

import pytest

from engine.notation.text import parse, render
from engine.record.record import Record

GAME = "cups-up notation 1\nGame: bluff\nId: q\nSeats: {seats}\nOpener: ann\nOutcome: rank 1 2\n"
PLAYED = (
    "cups-up notation 1\nGame: bluff\nId: q\nSeats: ann, {seat}\nOpener: ann\n\n1. {name}: 1x2 "
    "1x3 !\n"
)


def record(seats: str) -> Record:
    (parsed,) = parse(GAME.format(seats=seats)).games
    assert parsed.record is not None, parsed.error
    return parsed.record


@pytest.mark.parametrize(
    "name",
    [
        "“Bob C.”",
        "„Bob C.“",
        "”Bob C.”",
        "«Bob C.»",
        "»Bob C.«",
        "« Bob C. »",
        "«\u202fBob C.\u202f»",
        "‘Bob C.’",
    ],
)
def test_they_are_read_as_the_mark_of_the_keyboard(name: str) -> None:
    assert record(f"ann, {name}") == record('ann, "Bob C."')


@pytest.mark.parametrize(
    ("written", "handle"),
    [
        ("O’Brien", "O’Brien"),
        ("“Pat O’Brien”", "Pat O’Brien"),
        ("‚Pat O’Brien‘", "Pat O’Brien"),
        ('"Bob “Ace” C."', "Bob “Ace” C."),
        ("Bob “Ace” C.", "Bob “Ace” C."),
        ("“Bob; C.”", "Bob; C."),
        ("“Bob {C.”", "Bob {C."),
        ('"‘Bob’"', "‘Bob’"),
    ],
)
def test_inside_a_name_they_stay_and_there_and_back_it_is_the_same(
    written: str, handle: str
) -> None:
    read = record(f"ann, {written}")
    assert read.seats == ("ann", handle)
    (again,) = parse(render(read)).games
    assert again.record == read


@pytest.mark.parametrize("seats", ["ann, “Bob C.", 'ann, "Bob C.”', "ann, “Bob” C."])
def test_a_mark_without_its_other_half_is_refused(seats: str) -> None:
    (parsed,) = parse(GAME.format(seats=seats)).games
    assert parsed.error is not None
    assert parsed.error.line == 4


@pytest.mark.parametrize(
    ("seat", "name"),
    [("O'Brien", "O’Brien"), ("O’Brien", "O'Brien"), ("O’Brien", "o’"), ('"Bob C."', "“Bob C.”")],
)
def test_a_round_names_a_player_with_either_mark(seat: str, name: str) -> None:
    (parsed,) = parse(PLAYED.format(seat=seat, name=name)).games
    assert parsed.error is None


def test_comments_may_hold_them() -> None:
    (parsed,) = parse(GAME.format(seats='ann, "Bob C." ; “said” Bob’s friend')).games
    assert parsed.record is not None
    assert parsed.record.seats == ("ann", "Bob C.")
