"""The text notation as a whole: its laws, its tags, files of many games."""

import gzip
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.move import CHALLENGE
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import BID
from engine.messages import say
from engine.notation.text import (
    Correction,
    NotationError,
    check_game,
    parse,
    parse_and_check,
    read_games,
    render,
)
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import RoundRecord
from engine.record.record import Record, Result, read
from engine.record.write import write
from tests.engine.notation.notated import records, texts
from tests.engine.record.build import bids, dealt, game, left, lost, outcome, record
from tests.engine.record.simulated import random_game
from tests.engine.record.test_season import season

TYPED = '''
; The scorer's phone
CUPS-UP  Notation 1     {the version}
game : Bluff
ID: evening 7
Seats: Anna B., "Bea, the ""Cup""" ,cem
opener: ANNA
rules: Exact=challenger, reroll YES
; Replaces: evening 6
;reason:   "The count was 8; not 9."\t

 1.  3x2,5×2  6X4!=9      ; a long round
2. -2 0 −1 {called a second time}

3.bea: 4★ ! | 12345  ☆1⭐️ -
result: points 10 5 15 rank 2 3 1
'''


def only(text: str | bytes) -> Record:
    """The record of a text that holds one game without an error."""
    parsed = parse(text)
    assert parsed.errors == ()
    (found,) = parsed.records
    return found


@given(records())
def test_what_is_rendered_parses_as_the_same_record(played: Record) -> None:
    assert only(render(played)) == played


@given(records(), st.builds(Correction, st.just("") | texts, st.just("") | texts))
def test_the_rendered_form_is_normal_and_keeps_what_a_game_corrects(
    played: Record, correction: Correction
) -> None:
    (again,) = parse(render(played, correction)).games
    assert again.record is not None
    assert again.correction == correction
    assert render(again.record, again.correction) == render(played, correction)


@given(records())
def test_json_and_notation_tell_the_same(played: Record) -> None:
    there = read(write(played))
    assert there == played
    assert write(only(render(played))) == write(played)


@given(st.integers())
def test_simulated_games_keep_their_verdict(seed: int) -> None:
    played = record(random_game(seed))
    (checked,) = parse_and_check(render(played))
    assert checked.error is None
    assert checked.verdict is not None
    assert checked.verdict.rank == (played.result and played.result.rank)


def test_a_whole_season_goes_there_and_back() -> None:
    games = [record(line) for line in season()]
    text = "\n".join(map(render, games))
    assert list(parse(text).records) == games
    assert list(parse(gzip.compress(text.encode())).records) == games


def test_a_game_as_a_scorer_types_it() -> None:
    (typed,) = parse(TYPED).games
    assert typed.error is None
    assert typed.correction == Correction("evening 6", "The count was 8; not 9.")
    assert typed.record == Record(
        record_id="evening 7",
        kind=BLUFF,
        rules=Ruleset(exact="challenger", reroll=True),
        seats=("Anna B.", 'Bea, the "Cup"', "cem"),
        opener=0,
        season=None,
        event=None,
        table=None,
        played_at=None,
        rounds=(
            RoundRecord("bids", moves=(BID["3x2"], BID["5x2"], BID["6x4"], CHALLENGE), count=9),
            RoundRecord("result", losses=(2, 0, 1)),
            RoundRecord(
                "dice", opener=1, hands=("12345", "1**", ""), moves=(BID["4x*"], CHALLENGE)
            ),
        ),
        result=Result((2, 3, 1), (10, 5, 15)),
    )
    assert render(typed.record, typed.correction) == (
        "cups-up notation 1\n"
        "Game: bluff\n"
        "Id: evening 7\n"
        "Rules: exact challenger, reroll yes, dice 5, scoring placement\n"
        'Seats: Anna B., "Bea, the ""Cup""", cem\n'
        "Opener: Anna B.\n"
        "; Replaces: evening 6\n"
        '; Reason: "The count was 8; not 9."\n'
        "\n"
        "1. 3x2 5x2 6x4 ! = 9\n"
        "2. -2 0 -1\n"
        '3. "Bea, the ""Cup""": 4x* ! | 12345 1** -\n'
        "Result: rank 2 3 1, points 10 5 15\n"
    )


def test_a_text_may_have_a_byte_order_mark_and_line_ends_of_windows() -> None:
    assert only(b"\xef\xbb\xbf" + TYPED.replace("\n", "\r\n").encode()) == only(TYPED)


def test_lugen_kniffel_may_be_written_with_its_umlaut() -> None:
    text = (
        "cups-up notation 1\nGame: Lügen-Kniffel\nId: g\nSeats: anna, bea\nOpener: bea\nRules: "
        "allow_zero on"
    )
    assert only(text).game == "luegen-kniffel"


def test_nothing_holds_no_game() -> None:
    for text in ("", "\n \n", "; a comment\n", b""):
        assert parse(text).games == ()


def test_an_error_costs_one_game_only() -> None:
    good = render(record(game(bids("4x2", count=5))))
    broken = good.replace("Seats:", "Chairs:")
    parsed = parse(good + broken + good)
    assert len(parsed.games) == 3
    assert len(parsed.records) == 2
    (error,) = parsed.errors
    tags = "one of the tags Seats, Opener, Season, Event, Table, Played, Result, Outcome"
    assert error == NotationError(
        line=13,
        column=1,
        expected=say(tags),
        message=say(f"expected {tags}, found “Chairs:”"),
    )


def test_rounds_before_an_error_are_kept_and_claim_no_result() -> None:
    whole = record(game(bids("4x2", count=5), bids("4x3", count=1), result={"rank": [1, 2, 3]}))
    text = render(whole)
    (cut,) = parse(text.replace("4x3", "4y3")).games
    assert cut.record == replace(whole, rounds=whole.rounds[:1], result=None)
    assert cut.error is not None
    assert (cut.error.line, cut.error.column) == (9, 5)
    assert str(cut.error) == "line 9, column 5: expected x and a face, as in 5x2, found “y3”"
    (over,) = parse(text + "3. 1x1 !\n").games
    assert over.record == replace(whole, result=None)
    assert over.error is not None
    assert over.error.expected == "the end of the game"


def test_files_are_read_as_a_stream() -> None:
    text = render(record(game())).encode()

    class Endless:
        def read(self, size: int, /) -> bytes:
            return text

    games = read_games(Endless())
    assert [next(games).error for _ in range(100)] == [None] * 100


@pytest.mark.parametrize(
    ("round_", "message"),
    [
        (7, "rounds[1] must be an object"),
        ({"moves": ["4y2"]}, "rounds[1].moves[0] “4y2” isn't a move"),
        ({"moves": ["21x*"]}, "rounds[1].moves[0] the track has no field for 21x*"),
        ({"losses": [1]}, "rounds[1].losses must have 3 entries, not 1"),
    ],
)
def test_a_round_that_cannot_be_read_cannot_be_rendered(round_: object, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        render(record(game(bids("4x2", count=5), round_)))


def test_a_reason_stays_on_its_line() -> None:
    text = render(record(game()), Correction("g", "first line\r\nGame: bluff"))
    assert "; Reason: first line Game: bluff\n" in text
    assert render(record(game()), Correction()) == render(record(game()))


def test_a_fault_by_the_rules_is_found_in_its_place() -> None:
    def place(*rounds: object, **more: object) -> tuple[int, int, str]:
        text = render(record(game(*rounds, reroll=True) | more))
        (checked,) = parse_and_check(text)
        assert checked.error is not None
        line = text.splitlines()[checked.error.line - 1]
        return checked.error.line, checked.error.column, line[checked.error.column - 1 :]

    assert place(bids("4x2", count=5), bids("4x2", "4x2", count=5)) == (9, 8, "4x2 ! = 5")
    assert place(bids("4x2", count=5), bids("4x2", count=77)) == (9, 12, "77")
    assert place(bids("4x2", count=5, opener=2)) == (8, 4, "cem: 4x2 ! = 5")
    assert place(dealt("4x2", "!", hands=["12345", "123", "12345"])) == (8, 12, "123 12345 | 4x2 !")
    assert place({"moves": ["4x2"]}, bids("4x2", count=5)) == (8, 7, "")
    assert place(left(0, 1), lost(0, 0, 1)) == (9, 4, "0 0 -1")
    assert place(bids("4x2", count=5, losses=[1, 1, 1])) == (8, 14, "(-1 -1 -1)")
    assert place(result={"rank": [1, 2, 3]}) == (8, 9, "rank 1 2 3")
    assert place(left(0, 1), result={"points": [1, 1, 1]}) == (9, 16, "1 1 1")
    assert place(lost(0, 1, 0), {"moves": []}) == (9, 3, "")


def test_a_fault_by_the_rules_comes_before_a_later_one_of_form() -> None:
    text = render(record(game(bids("4x2", "4x2", count=5)))) + "2. nonsense\n"
    (checked,) = parse_and_check(text)
    assert checked.error is not None
    assert (checked.error.line, checked.error.expected) == (8, "what the rules allow")
    (unread,) = parse_and_check("nonsense")
    assert unread.verdict is None
    assert unread.error == unread.game.error
    assert check_game(unread.game) == unread


def test_the_season_is_rendered_as_it_was_when_version_1_was_set() -> None:
    lines = render(record(season()[0])).splitlines()
    assert lines[:12] == [
        "cups-up notation 1",
        "Game: bluff",
        "Id: herbst-0001",
        "Rules: exact all, reroll no, dice 5, scoring cntdice",
        "Seats: karla, vera, xenia, ben",
        "Opener: vera",
        "Season: herbstliga-2026",
        "Event: night-1",
        "Table: 1-1",
        "Played: 2026-09-03T19:05:00+02:00",
        "",
        "1. 3x3 4x5 5x5 6x5 8x1 ! | 24555 2345* 1145* 122**",
    ]
    assert lines[-1] == "Result: rank 2 3 1 4, points 16 15 20 14"


ENDED = """cups-up notation 1
Game: bluff
Id: g
Rules: exact all, reroll no, dice 5, scoring cntdice
Seats: anna, bea, cem
Opener: anna

Outcome: rank 2 1 3, points 10 15 6
"""


def test_a_game_of_which_only_the_end_is_known_tells_it_in_place_of_rounds() -> None:
    found = only(ENDED)
    assert found == record(outcome([2, 1, 3], [10, 15, 6], scoring="cntdice"))
    assert render(found) == ENDED
    (checked,) = parse_and_check(ENDED)
    assert checked.verdict is not None
    assert (checked.error, checked.verdict.rank) == (None, (2, 1, 3))


def test_points_that_cannot_be_are_found_in_their_place() -> None:
    (checked,) = parse_and_check(ENDED.replace("10 15 6", "9 14 6"))
    assert checked.error is not None
    assert (checked.error.line, checked.error.column, checked.error.expected) == (
        8,
        29,
        "what the rules allow",
    )
