"""What can't be read: line, column and what could stand there; never an exception."""

import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation.text import parse, parse_and_check, render
from engine.record.lines import LIMIT
from tests.engine.record.build import bids, game, record, revealed
from tests.engine.record.simulated import random_game

TAGS = "one of the tags Rules, Seats, Opener, Season, Event, Table, Played, Result, Outcome"
FIGURES = "rank, and points where they are known, each one number for each seat"
HEAD = "cups-up notation 1\nGame: bluff\nId: g\nSeats: anna, bea, Bert\nOpener: anna\n"
KNIFFEL = HEAD.replace("bluff", "luegen-kniffel")


def first(text: str | bytes) -> tuple[int, int, str]:
    error = parse(text).errors[0]
    return error.line, error.column, error.expected


def tag(line: str) -> str:
    """A text whose fourth line is this instead of the seats."""
    return HEAD.replace("Seats: anna, bea, Bert", line)


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        # the first line
        ("nonsense", 1, 1, "cups-up notation 1"),
        ("\n  [Game]\n", 2, 3, "cups-up notation 1"),
        ("cups-up notation", 1, 17, "version 1"),
        ("cups-up  notation 2\n", 1, 19, "version 1"),
        ("cups-up notation 1.1\n", 1, 18, "version 1"),
        ("cups-up notation 1 please", 1, 20, "the end of the line"),
        # tags
        ("cups-up notation 1", 1, 19, "the tag Game:"),
        ("cups-up notation 1\nGame: bluff\n\n", 2, 12, "the tag Id:"),
        (HEAD.replace("Opener: anna\n", "\n1. 3x2 !"), 6, 1, "the tag Opener:"),
        (HEAD.replace("Game: bluff\n", "") + "Result:", 5, 1, "the tag Game:"),
        (
            tag("Game: bluff"),
            4,
            1,
            TAGS,
        ),
        (
            tag("Winner: anna"),
            4,
            1,
            TAGS,
        ),
        (tag("anna, bea"), 4, 1, "1. and a round, or a tag such as Seats:"),
        (tag('Seats: anna, "bea" c, dora'), 4, 20, "the end of the line"),
        (tag('Seats: anna, "bea'), 4, 18, '" after a text'),
        (tag("Seats: anna {bea"), 4, 17, "} after a comment"),
        (
            tag("Seats: anna, bea,"),
            4,
            18,
            "the players clockwise, all different, with commas between them",
        ),
        (
            tag("Seats: anna,bea, anna"),
            4,
            18,
            "the players clockwise, all different, with commas between them",
        ),
        (
            tag("Seats: anna"),
            4,
            8,
            "the players clockwise, all different, with commas between them",
        ),
        (tag("Seats: anna, b\x00a"), 4, 15, "a visible character"),
        (HEAD + "Rules: exact all, exact", 6, 19, "each rule once"),
        (HEAD + "Rules: exact all, dice", 6, 23, "a setting such as all, yes, no or 5"),
        (
            HEAD + "Rules: exact some",
            6,
            14,
            "the settings of this game, such as exact all, reroll no",
        ),
        (
            HEAD + "Rules: jokers yes",
            6,
            15,
            "the settings of this game, such as exact all, reroll no",
        ),
        (HEAD + "Rules: dice 5+", 6, 14, "a comma after the setting"),
        (HEAD + "Rules: dice=5 | 3", 6, 15, "the end of the line"),
        (HEAD.replace("anna\n", "b\n"), 5, 9, "one of the players"),
        (HEAD.replace("bluff", "poker"), 2, 7, "bluff or luegen-kniffel"),
        (HEAD.replace("Id: g", "Id:"), 3, 4, "a text of 1 to 64 characters"),
        (HEAD + "Season: one two", 6, 9, "a name of letters, digits, hyphens and underscores"),
        (HEAD + "Played: today", 6, 9, "a time with its offset, such as 2026-09-01T19:30:00+02:00"),
        # the outcome
        (HEAD + "Outcome: rank 1 2", 6, 15, FIGURES),
        (HEAD + "Outcome: points 15 9 6", 6, 10, FIGURES),
        (HEAD + "Outcome: rank 1 2 3 rank 1 2 3", 6, 21, "rank and points each once"),
        (HEAD + "Outcome: rank 1 2 3\n1. 3x2 !", 7, 1, "the end of the game"),
        (HEAD + "Outcome: rank 1 2 3\nResult: rank 1 2 3", 7, 1, "the end of the game"),
        (HEAD + "Result: rank 1 2 3\nOutcome: rank 1 2 3", 7, 1, "the end of the game"),
        (HEAD + "1. 3x2 !\nOutcome: rank 1 2 3", 7, 1, "2. and a round, or Result:"),
        # rounds
        (HEAD + "2. 3x2 !", 6, 1, "1., the number of the next round"),
        (HEAD + "1. 3x2 !\n\n1. 3x2 !", 8, 1, "2., the number of the next round"),
        (HEAD + "1 3x2 !", 6, 1, "1. and a round, or a tag such as Seats:"),
        (HEAD + "1. 3x2 !\nTable: 3", 7, 1, "2. and a round, or Result:"),
        (HEAD + "1. 3x2 5x7", 6, 10, "a face 1 2 3 4 5 *"),
        (HEAD + "1. 3x2 5", 6, 9, "x and a face, as in 5x2"),
        (HEAD + "1. 3x2 5x", 6, 10, "a face 1 2 3 4 5 *"),
        (HEAD + "1. 3x2 5x12", 6, 11, "a space after the bid, or / and dice laid out"),
        (HEAD + "1. 3x2 41x1", 6, 8, "a field of the track, 1x1 to 40x5 or 1x* to 20x*"),
        (HEAD + "1. 3x2 0x1", 6, 8, "a field of the track, 1x1 to 40x5 or 1x* to 20x*"),
        (HEAD + "1. 3x2/16", 6, 9, "a face 1 2 3 4 5 *"),
        (HEAD + "1. 3x2/1>6", 6, 10, "a face 1 2 3 4 5 *"),
        (HEAD + "1. 3x2 ! = nine", 6, 12, "how many dice matched"),
        (HEAD + "1. 3x2 ! = " + "9" * 17, 6, 28, "a number of at most 16 digits"),
        (HEAD + "1. 3x2 ! = " + "9" * 16, 6, 12, "= count after the moves, if no hands show it"),
        (HEAD + "1. 3x2 ! | 12345 126 1", 6, 20, "a face 1 2 3 4 5 *"),
        (HEAD + "1. | 12345 126 1 | 3x2", 6, 14, "a face 1 2 3 4 5 *"),
        (HEAD + "1. | 12345 x | 3x2", 6, 12, "a face 1 2 3 4 5 *"),
        (
            HEAD + "1. 3x2 ! | 12 2",
            6,
            12,
            "one hand of at most 20 dice for each seat, if none were dealt",
        ),
        (HEAD + "1. | 12 2 | 3x2", 6, 6, "one hand of at most 20 dice for each seat"),
        (HEAD + f"1. | 12 2 {'1' * 21} | 3x2", 6, 11, "one hand of at most 20 dice for each seat"),
        (HEAD + "1. | 1 1 1 | 3x2 ! = 4", 6, 22, "= count after the moves, if no hands show it"),
        (HEAD + "1. carl 7x1 anna ! = 5", 6, 4, "one of the players anna, bea, Bert"),
        (HEAD + "1. anna 7x1 b ! = 5", 6, 13, "one of the players anna, bea, Bert"),
        (HEAD + "1. anna 7x1 ! = 5", 6, 18, "the challenger before !, as the bidder is named"),
        (HEAD + "1. anna 7x1 bea !", 6, 18, "= count after the moves, if no hands show it"),
        (
            HEAD + "1. anna 7x1 bea 8x1 Bert ! = 3",
            6,
            21,
            "a bid, !, = count, | hands, losses, void, forfeit or the end of the line",
        ),
        (HEAD + "1. -1 0", 6, 4, "one loss for each seat, in a round that nobody leaves"),
        (HEAD + "1. -1 0 -2x", 6, 11, "a loss such as -2, 0 or +1"),
        (HEAD + "1. 3x2 ! = 5 (-1 0 2)", 6, 20, "a loss such as -2, 0 or +1, or )"),
        (HEAD + "1. forfeit", 6, 11, "one of the players anna, bea, Bert"),
        (HEAD + "1. forfeit anna anna", 6, 12, "each player once"),
        (HEAD + "1. 3x2 forfeit anna", 6, 8, "void before forfeit, if the round had begun"),
        (
            HEAD + "1. 3x2 void anna",
            6,
            13,
            "a bid, !, = count, | hands, losses, void, forfeit or the end of the line",
        ),
        (HEAD + "1. 3x2 ! = 5 void", 6, 12, "= count after the moves, if no hands show it"),
        (HEAD + "1. ended", 6, 4, "one of the players anna, bea, Bert"),
        (HEAD + "Outcome: rank 1 2 3 forfeit carl", 6, 29, "one of the players anna, bea, Bert"),
        (
            HEAD + "Outcome: rank 1 2 3 ended bell",
            6,
            27,
            "rank, and points where they are known, each one number for each seat",
        ),
        (HEAD + "Outcome: rank 1 2 3 ended 5", 6, 27, "clock"),
        (
            HEAD + "1. -1 0 0 forfeit anna",
            6,
            4,
            "one loss for each seat, in a round that nobody leaves",
        ),
        # the result
        (HEAD + "Result: rank 1 2", 6, 14, "rank and points, each one number for each seat"),
        (HEAD + "Result: place 1 2 3", 6, 15, "rank and points, each one number for each seat"),
        (HEAD + "Result: rank 1 2 3 rank 1 2 3", 6, 20, "rank and points each once"),
        (HEAD + "Result: rank 1 2 3.", 6, 19, "a number of at most 16 digits"),
        (HEAD + "Result: rank 1 2 3 ?", 6, 20, "the end of the line"),
        (HEAD + "Result:\nResult:", 7, 1, "the end of the game"),
        (HEAD + "1. 3x2 !\nResult:\n 2. 3x2 !", 8, 2, "the end of the game"),
        (HEAD + "Result:\nTable: 3", 7, 1, "the end of the game"),
        # turns
        (KNIFFEL + "1. 44425", 6, 9, "an announcement such as fours=12"),
        (KNIFFEL + "1. 44427 fours=12", 6, 8, "a face 1 2 3 4 5 6"),
        (KNIFFEL + "1. fours", 6, 9, "= and points, as in fours=12"),
        (KNIFFEL + "1. fours=123", 6, 12, "points of at most two digits"),
        (KNIFFEL + "1. fours=12 ?", 6, 14, "one of the players anna, bea, Bert"),
        (KNIFFEL + "1. fours=12 ? carl", 6, 15, "one of the players anna, bea, Bert"),
        (
            KNIFFEL + "1. fours=12 bea",
            6,
            13,
            "? and who doubts, | and the dice shown, void, forfeit, or the end of the line",
        ),
        (KNIFFEL + "1. fours=12 ? bea void", 6, 13, "no doubt in a void turn"),
        (KNIFFEL + "1. fours=12 forfeit anna", 6, 4, "void, or no announcement"),
        (
            KNIFFEL + "1. 44425 forfeit anna",
            6,
            4,
            (
                "one to three rolls of five dice in all, each keeping dice of the one before, as "
                "in 24445 44>466 4>15"
            ),
        ),
        (KNIFFEL + "1. fours=12 | 1234x", 6, 19, "a face 1 2 3 4 5 6"),
        (KNIFFEL + "1. fours=12 | 1234", 6, 15, "five dice, those that were rolled"),
        (
            *(KNIFFEL + "1. 44425 5>1111 22>33 fours=12", 6, 17),
            (
                "one to three rolls of five dice in all, each keeping dice of the one before, as "
                "in 24445 44>466 4>15"
            ),
        ),
    ],
)
def test_an_error_tells_where_and_what_was_expected(
    text: str, line: int, column: int, expected: str
) -> None:
    assert first(text) == (line, column, expected)


def test_an_error_tells_what_it_found_in_few_letters() -> None:
    assert (
        parse(HEAD + "1. 3x2 5y2").errors[0].message
        == "expected x and a face, as in 5x2, found “y2”"
    )
    assert parse(HEAD + "1. 3x2 5 x2").errors == ()
    assert (
        parse(HEAD + "1. 3x2 5 y").errors[0].message
        == "expected x and a face, as in 5x2, found a space"
    )
    assert (
        parse(HEAD + "1. 3x2 5").errors[0].message
        == "expected x and a face, as in 5x2, found the end of the line"
    )
    assert parse(HEAD + "Rules: dice 0").errors[0].message == "rules.dice must be from 1 to 20"
    assert len(parse(HEAD + "1. ~" + "x" * 1000).errors[0].message) < 200


def test_bytes_that_are_no_text_are_an_error_in_their_place() -> None:
    assert first(HEAD.encode() + b"1. 3x2 ! ; \xc3\xa4 \xff\n2. 1x1") == (6, 14, "text in UTF-8")
    assert first(HEAD + "1. 3x2 ! ; \ud83c") == (6, 12, "text in UTF-8")
    assert first(b"\xff\xfe") == (1, 1, "text in UTF-8")
    assert first(HEAD.encode() + b"1. 3x2 \0 !") == (6, 8, "a visible character")
    assert first(b"\0" * 1000) == (1, 1, "a visible character")
    assert first(gzip.compress(HEAD.encode())[:-9]) == (6, 1, "a whole line that isn't too long")


@pytest.mark.parametrize(
    "sign", ["x", "3x2 ", '"', '""a', "{", "{}", ";", "(", "|", " ", ",", "1", "*", "anna ", "-"]
)
def test_a_line_of_ten_megabytes_is_one_error(sign: str) -> None:
    line = sign * (10_000_000 // len(sign))
    assert first(HEAD + f"1. {line}\n1. 3x2 !\n") == (6, 1, "a whole line that isn't too long")


@pytest.mark.parametrize(
    "sign",
    ["3x2 ", '"', '""a', '"a', "{", "{} ", ";", "(", "|", ", ", "1", "*", "anna ", "- ", "a:"],
)
def test_a_line_just_short_enough_is_read_in_linear_time(sign: str) -> None:
    line = sign * ((LIMIT - 1000) // len(sign))
    for text in (f"1. {line}", f"Rules: {line}", f"Table: {line}", line):
        assert len(parse(HEAD + text).games) == 1


def test_a_game_without_end_is_an_error() -> None:
    comment = "; " + "long " * 2000
    text = HEAD + "\n".join(f"{number}. 3x2 5x2 ! {comment}" for number in range(1, 200))
    (game_,) = parse(text).games
    assert game_.error is not None
    assert game_.error.expected == f"a game of at most {LIMIT} characters"
    assert game_.record is not None
    assert len(game_.record.rounds) == game_.error.line - 6


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_anything_at_all_is_read_or_an_error(text: bytes | str) -> None:
    for parsed in parse(text).games:
        assert (parsed.record is None) <= (parsed.error is not None)


SIGNS = [
    *"0123456789x*!|=()/>-+:;,.{}\"' \n\t\0",
    "void",
    "forfeit",
    "anna",
    "Rules:",
    "cups-up notation 1\n",
    "★",
    "é",
]


def spoilt(text: str, rng: random.Random) -> str:
    """The text after a few slips of the pen."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        cut = at + rng.choice([0, 0, 1, 1, 2, 20])
        text = text[:at] + rng.choice(["", *rng.sample(SIGNS, 2)]) + text[cut:]
    return text


@given(st.integers())
def test_slips_of_the_pen_are_errors_inside_the_text_or_another_game_in_normal_form(
    seed: int,
) -> None:
    rng = random.Random(seed)
    text = spoilt(render(record(random_game(seed))), rng)
    lines = text.split("\n")
    for parsed, _, error in parse_and_check(text):
        if error is not None:
            assert error.line in range(1, len(lines) + 1)
            assert error.column in range(1, len(lines[error.line - 1]) + 2)
            assert error.expected
            assert error.message
        if parsed.record is not None:
            assert parse(render(parsed.record)).records == (parsed.record,)


def test_what_stands_before_an_error_is_what_stands_there_alone() -> None:
    text = render(record(game(*[bids("1x1", "4x2", count=5)] * 3, revealed("4x2", "!"))))
    lines = text.splitlines()
    for cut in range(1, len(lines)):
        (broken,) = parse("\n".join([*lines[:cut], "~", *lines[cut:]])).games
        assert broken.error is not None
        assert (broken.error.line, broken.error.column) == (cut + 1, 1)
        assert len(broken.rows) == max(cut - 7, 0)
        assert (broken.record is None) == (cut <= 7)


def test_a_time_out_of_range_keeps_its_code() -> None:
    head = HEAD.replace("Game:", "Played: 9999-12-31T23:59:59Z\nGame:", 1)
    (error,) = parse(head).errors
    assert (error.code, error.line) == ("time_out_of_range", 2)
