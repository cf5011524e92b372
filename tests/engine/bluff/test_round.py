import pytest

from engine.bluff.move import CHALLENGE, parse_move
from engine.bluff.round import NOBODY, Round
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import BID
from engine.illegal import Illegal

REROLL = Ruleset(reroll=True)
CUPS = ("12345", "1122*", "345**")


def play(played: Round, *texts: str) -> Illegal | None:
    """Play on; what the last move was answered with. The moves before it are legal."""
    answer: Illegal | None = None
    for text in texts:
        assert answer is None
        move = parse_move(text)
        assert not isinstance(move, Illegal)
        answer = played.apply(move)
    return answer


def code(answer: Illegal | None) -> str | None:
    return None if answer is None else answer.code


def test_b6_the_turn_goes_on_clockwise_past_seats_that_are_out() -> None:
    played = Round(Ruleset(), (5, 0, 5, 5), 3)
    turns = [played.turn]
    for text in ("1x1", "1x2", "1x3"):
        play(played, text)
        turns.append(played.turn)
    assert turns == [3, 0, 2, 3]


def test_b5_the_opener_may_bid_anything_but_not_challenge() -> None:
    played = Round(Ruleset(), (5, 5), 0)
    assert played.legal_bids() == range(220)
    assert not played.may_challenge()
    assert code(play(played, "!")) == "no_bid"
    assert played.challenger == NOBODY


def test_b4_only_later_bids_are_legal() -> None:
    played = Round(Ruleset(), (5, 5), 0)
    assert code(play(played, "3x4", "3x4")) == "not_a_raise"
    assert played.legal_bids() == range(BID["3x5"], 220)
    assert (played.bid, played.bidder, played.turn) == (BID["3x4"], 0, 1)


def test_b2_a_bid_above_the_dice_in_play_is_legal() -> None:
    played = Round(Ruleset(), (1, 1), 0)
    assert play(played, "40x5") is None
    assert not played.legal_bids()


def test_nothing_follows_a_challenge() -> None:
    played = Round(Ruleset(), (5, 5), 0)
    assert play(played, "3x4", "!") is None
    assert (played.bidder, played.challenger) == (0, 1)
    assert not played.legal_bids()
    assert not played.may_challenge()
    assert code(played.apply(CHALLENGE)) == "bad_record"


def test_b7_hidden_and_laid_out_dice_count_alike() -> None:
    played = Round(REROLL, (5, 5, 5), 0, CUPS)
    assert play(played, "3x5/5>1*55", "4x5/1*>*12", "!") is None
    assert played.cups == ["155*", "12*", "345**"]
    assert played.shown == ["5", "1*", ""]
    assert played.count() == 4 + 2 + 3


def test_b14_the_dice_laid_out_leave_the_hidden_ones_fewer_each_time() -> None:
    played = Round(REROLL, (5, 5), 0)
    assert played.may_show() == 4
    assert play(played, "3x4/44", "3x5", "4x4/45", "4x5") is None
    assert (played.hidden, played.shown, played.may_show()) == ([1, 5], ["4445", ""], 0)
    assert code(play(played, "5x4/4")) == "must_keep_one_hidden"
    assert play(played, "5x4") is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("3x4/", "must_show_one"),
        ("3x4/>12345", "must_show_one"),
        ("3x4/12345>", "must_keep_one_hidden"),
        ("3x4/11>123", "show_not_owned"),
        ("3x4/123455>", "show_not_owned"),
        ("3x4/12>12", "wrong_number_of_dice"),
        ("3x4/12>1234", "wrong_number_of_dice"),
        ("3x4/12", "wrong_number_of_dice"),
        ("3x4/12>12*", None),
    ],
)
def test_b14_where_the_dice_are_dealt(text: str, answer: str | None) -> None:
    played = Round(REROLL, (5, 5, 5), 0, CUPS)
    assert code(play(played, text)) == answer
    assert (played.turn == 0) == (answer is not None)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("3x4/1111", None),
        ("3x4/11111", "must_keep_one_hidden"),
        ("3x4/111111", "show_not_owned"),
        ("3x4/1>2222", "bad_record"),
    ],
)
def test_b14_where_no_dice_are_known(text: str, answer: str | None) -> None:
    assert code(play(Round(REROLL, (5, 5, 5), 0), text)) == answer


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (["3x4/1234"], None),
        (["3x4/12", "3x5", "4x1", "5x4/34"], None),
        (["3x4/12", "3x5", "4x1", "5x4/1"], "show_not_owned"),
        (["3x4/12345"], "must_keep_one_hidden"),
        (["3x4/1>2345"], "bad_record"),
    ],
)
def test_b14_where_the_dice_are_known_from_the_end(texts: list[str], answer: str | None) -> None:
    played = Round(REROLL, (5, 5, 5), 0, CUPS, rerolls=False)
    assert code(play(played, *texts)) == answer


def test_b14_dice_that_are_revealed_are_counted_once() -> None:
    played = Round(REROLL, (5, 5, 5), 0, CUPS, rerolls=False)
    play(played, "3x4/14", "!")
    assert played.count() == 1 + 1 + 3


def test_b14_is_off_unless_the_ruleset_says_so() -> None:
    played = Round(Ruleset(), (5, 5), 0)
    assert code(play(played, "3x4/1")) == "reroll_off"
    assert played.may_show() == 0


def test_b14_a_lay_out_needs_a_raise_first() -> None:
    assert code(play(Round(REROLL, (5, 5), 0), "3x4", "3x4/1")) == "not_a_raise"


def test_b7_dice_laid_out_bound_what_can_be_counted() -> None:
    played = Round(REROLL, (5, 5), 0)
    play(played, "3x4/14*", "3x*")
    assert played.count_bounds() == (1, 8)
    play(played, "4x*/5", "8x4")
    assert played.count_bounds() == (2, 8)
