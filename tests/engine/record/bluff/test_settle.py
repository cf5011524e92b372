"""Rounds of Bluff at every level of detail, and every way in which they can be wrong."""

import json
from typing import Any, ClassVar

import pytest

from engine.bluff.move import CHALLENGE
from engine.bluff.track import BID
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import RoundRecord
from engine.record.canonical import canonical_rounds
from engine.record.record import begin
from tests.engine.record.build import (
    Round,
    bids,
    challenged,
    dealt,
    fault,
    game,
    left,
    lost,
    record,
    revealed,
    verdict,
)


def last(*rounds: Any, **rules: Any) -> dict[str, Any]:
    """What the checker reports of the last round; the game is ok."""
    answer = verdict(game(*rounds, **rules))
    assert answer.error is None, answer.error
    settled = answer.as_json()["rounds"]
    assert isinstance(settled, list)
    assert isinstance(settled[-1], dict)
    return settled[-1]


BET = {
    "opener": 0,
    "bidder": 1,
    "challenger": 2,
    "bid": "4x2",
    "count": 5,
    "delta": [0, 0, -1],
    "out": [],
}


@pytest.mark.parametrize(
    "round_",
    [
        dealt("3x2", "4x2", "!"),
        revealed("3x2", "4x2", "!"),
        bids("3x2", "4x2", count=5),
        challenged("4x2", 1, 2, 5),
        bids("3x2", "4x2", count=5, losses=[0, 0, 1], opener=0),
    ],
)
def test_a_round_comes_out_the_same_at_every_level(round_: dict[str, Any]) -> None:
    assert last(round_) == BET


def test_a_round_of_losses_reports_null_for_what_it_does_not_know() -> None:
    unknown = {"bidder": None, "challenger": None, "bid": None, "count": None}
    assert last(lost(0, 0, 1)) == {"opener": 0} | unknown | {"delta": [0, 0, -1], "out": []}
    assert last(lost(0, 0, 1), lost(5, 0, 0)) == {"opener": None} | unknown | {
        "delta": [-5, 0, 0],
        "out": [0],
    }
    assert last(lost(0, 0, 1), lost(0, 1, 0, opener=1))["opener"] == 1


def test_an_answer_has_its_keys_in_the_order_of_the_format() -> None:
    answer = verdict(game(bids("9x4", count=4), seats=2, scoring="cntdice"))
    bet = {
        "opener": 0,
        "bidder": 0,
        "challenger": 1,
        "bid": "9x4",
        "count": 4,
        "delta": [-5, 0],
        "out": [0],
    }
    members = {"over": True, "rank": [2, 1], "cntdice": [5, 10], "points": [5, 10], "rounds": [bet]}
    assert json.dumps(answer.as_json()) == json.dumps({"id": "g", "ok": True} | members)


@pytest.mark.parametrize(
    ("round_", "wrong"),
    [
        # the shape of a round
        (7, "0 bad_record rounds[0]"),
        ({}, "0 bad_record rounds[0]"),
        ({"opener": 0}, "0 bad_record rounds[0]"),
        ({"note": "x", "moves": []}, "0 unknown_key rounds[0].note"),
        (dealt("4x2", "!", count=5), "0 bad_record rounds[0].count"),
        (dealt("4x2", "!", revealed=["", "", ""]), "0 bad_record rounds[0].revealed"),
        (revealed("4x2", "!", count=5), "0 bad_record rounds[0].count"),
        ({"dealt": ["1", "1", "1"]}, "0 bad_record rounds[0].moves"),
        ({"revealed": ["1", "1", "1"]}, "0 bad_record rounds[0].moves"),
        ({"count": 3}, "0 bad_record rounds[0].moves"),
        ({"moves": ["4x2", "!"]}, "0 bad_record rounds[0].count"),
        ({"moves": ["4x2", "!"], "bidder": 0, "count": 3}, "0 bad_record rounds[0].challenger"),
        ({"moves": ["4x2", "!"], "challenger": 0, "count": 3}, "0 bad_record rounds[0].bidder"),
        ({"moves": ["4x2", "!"], "bidder": 0, "challenger": 1}, "0 bad_record rounds[0].count"),
        (bids("4x2", count=5) | {"count": "5"}, "0 bad_record rounds[0].count"),
        (bids("4x2", count=5, opener=3), "0 bad_record rounds[0].opener"),
        (bids("4x2", count=5, losses=[1]), "0 bad_record rounds[0].losses"),
        ({"moves": "4x2", "count": 5}, "0 bad_record rounds[0].moves"),
        (dealt("4x2", "!", hands=["12345"]), "0 bad_record rounds[0].dealt"),
        (
            dealt("4x2", "!") | {"dealt": ["12345", "12345", 12345]},
            "0 bad_record rounds[0].dealt[2]",
        ),
        # dice
        (dealt("4x2", "!", hands=["12345", "12345", "12346"]), "0 bad_face rounds[0].dealt[2]"),
        (
            revealed("4x2", "!", hands=["12345", "", "12345"]),
            "0 wrong_number_of_dice rounds[0].revealed[1]",
        ),
        (
            dealt("4x2", "!", hands=["12345", "123451", "12345"]),
            "0 wrong_number_of_dice rounds[0].dealt[1]",
        ),
        (
            dealt("4x2", "!", hands=["12345", "1" * 9999, "1"]),
            "0 wrong_number_of_dice rounds[0].dealt[1]",
        ),
        # moves
        (bids("4x2", "4x6", count=5), "0 1 bad_face rounds[0].moves[1]"),
        (bids("4x2", "41x2", count=5), "0 1 no_such_field rounds[0].moves[1]"),
        (bids("four twos", count=5), "0 0 bad_record rounds[0].moves[0]"),
        ({"moves": ["4x2", 5, "!"], "count": 5}, "0 1 bad_record rounds[0].moves[1]"),
        (bids("4x2", "4x2", count=5), "0 1 not_a_raise rounds[0].moves[1]"),
        (bids("4x2", "3x3", "41x2", count=5), "0 1 not_a_raise rounds[0].moves[1]"),
        (bids(count=5), "0 0 no_bid rounds[0].moves[0]"),
        (bids("4x2", "!", count=5), "0 2 bad_record rounds[0].moves[2]"),
        (bids("4x2", "!", "4x3", count=5), "0 2 bad_record rounds[0].moves[2]"),
        (bids("4x2/1", count=5), "0 0 reroll_off rounds[0].moves[0]"),
        (challenged("4x2", 0, 1, 5) | {"moves": ["!"]}, "0 0 no_bid rounds[0].moves[0]"),
        (
            challenged("4x2", 0, 1, 5) | {"moves": ["4x2", "4x3", "!"]},
            "0 bad_record rounds[0].moves",
        ),
        (challenged("4x2", 0, 1, 5) | {"moves": ["4x2", "4x3"]}, "0 no_challenge rounds[0].moves"),
        # the end of a round
        ({"moves": ["4x2"], "count": 5}, "0 no_challenge rounds[0].moves"),
        ({"moves": ["4x2"], "losses": [0, 0, 1]}, "0 no_challenge rounds[0].moves"),
        (revealed("4x2"), "0 no_challenge rounds[0].moves"),
        (challenged("4x2", 0, 1, 5) | {"moves": ["4x2"]}, "0 no_challenge rounds[0].moves"),
        # seats
        (bids("4x2", count=5, opener=1), "0 wrong_seat rounds[0].opener"),
        (lost(1, 0, 0, opener=1), "0 wrong_seat rounds[0].opener"),
        (challenged("4x2", 0, 2, 5), "0 wrong_seat rounds[0].challenger"),
        (challenged("4x2", 0, 0, 5), "0 wrong_seat rounds[0].challenger"),
        (challenged("1x1", 1, 2, 5), "0 wrong_seat rounds[0].bidder"),
        # counts and losses
        (bids("4x2", count=16), "0 count_mismatch rounds[0].count"),
        (bids("4x2", count=-1), "0 count_mismatch rounds[0].count"),
        (challenged("4x2", 0, 1, 16), "0 count_mismatch rounds[0].count"),
        (bids("4x2", count=5, losses=[0, 0, 1]), "0 losses_mismatch rounds[0].losses"),
        (dealt("4x2", "!", losses=[1, 0, 0]), "0 losses_mismatch rounds[0].losses"),
        (lost(0, 0, 0), "0 losses_mismatch rounds[0].losses"),
        (lost(6, 0, 0), "0 losses_mismatch rounds[0].losses"),
        (lost(2, 1, 0), "0 losses_mismatch rounds[0].losses"),
        (lost(1, -1, 0), "0 losses_mismatch rounds[0].losses"),
    ],
)
def test_faults_of_a_round(round_: Any, wrong: str) -> None:
    assert fault(game(round_)) == wrong


def test_the_least_bid_of_a_later_seat_is_one_the_seats_before_left_room_for() -> None:
    assert last(challenged("1x2", 1, 2, 5))["opener"] == 0
    assert last(challenged("1x1", 0, 1, 5))["bidder"] == 0


@pytest.mark.parametrize(
    ("round_", "wrong"),
    [
        (bids("4x2/", count=5), "0 0 must_show_one rounds[0].moves[0]"),
        (bids("4x2/11111", count=5), "0 0 must_keep_one_hidden rounds[0].moves[0]"),
        (
            bids("4x2/111", "4x3", "4x4", "4x5/11", count=5),
            "0 3 must_keep_one_hidden rounds[0].moves[3]",
        ),
        (
            bids("4x2/111", "4x3", "4x4", "4x5/111", count=5),
            "0 3 show_not_owned rounds[0].moves[3]",
        ),
        (bids("4x2/1>2345", count=5), "0 0 bad_record rounds[0].moves[0]"),
        (bids("4x2/6", count=5), "0 0 bad_face rounds[0].moves[0]"),
        (bids("4x2/2*", count=1), "0 count_mismatch rounds[0].count"),
        (bids("4x2/35", count=14), "0 count_mismatch rounds[0].count"),
        (challenged("4x2/2*", 0, 1, 1), "0 count_mismatch rounds[0].count"),
        (challenged("4x2/22222", 0, 1, 5), "0 0 must_keep_one_hidden rounds[0].moves[0]"),
        (revealed("4x2/11", "!"), "0 0 show_not_owned rounds[0].moves[0]"),
        (revealed("4x2/12", "4x3", "4x4", "4x5/1", "!"), "0 3 show_not_owned rounds[0].moves[3]"),
        (revealed("4x2/12345", "!"), "0 0 must_keep_one_hidden rounds[0].moves[0]"),
        (revealed("4x2/1>2345", "!"), "0 0 bad_record rounds[0].moves[0]"),
        (dealt("4x2/1", "!"), "0 0 wrong_number_of_dice rounds[0].moves[0]"),
        (dealt("4x2/1>22222", "!"), "0 0 wrong_number_of_dice rounds[0].moves[0]"),
        (dealt("4x2/1>2226", "!"), "0 0 bad_face rounds[0].moves[0]"),
        (
            dealt("4x2/1>2222", "4x3", "4x4", "4x5/1>222", "!"),
            "0 3 show_not_owned rounds[0].moves[3]",
        ),
    ],
)
def test_b14_faults_of_laying_out(round_: Any, wrong: str) -> None:
    assert fault(game(round_, reroll=True)) == wrong


@pytest.mark.parametrize(
    ("round_", "count"),
    [
        (dealt("4x2/2>1111", "!"), 1 + 3 + 1),
        (dealt("4x2/2>22**", "!"), 1 + 4 + 3 + 1),
        (dealt("4x2/2>222*", "4x3", "4x4", "4x5/22>*1", "8x2", "!"), 3 + 1 + 3 + 1),
        (revealed("4x2/12", "4x3/*", "4x4", "5x2/3", "!"), 5),
        (bids("4x2/1111", "4x3/2345", count=8), 8),
        (challenged("4x2/2*", 0, 1, 2), 2),
    ],
)
def test_b14_dice_are_laid_out_and_rerolled(round_: Any, count: int) -> None:
    assert last(round_, reroll=True)["count"] == count


def test_b14_all_dice_are_in_the_cup_again_in_the_next_round() -> None:
    assert last(bids("4x2/1111", count=5), bids("4x2/1111", count=5), reroll=True)["opener"] == 0


def test_b9_a_die_received_is_a_loss_of_minus_one_and_a_change_of_plus_one() -> None:
    rounds = [bids("4x2", count=3), bids("4x2", "5x2", count=5, losses=[1, 0, 0], opener=1)]
    assert last(*rounds, exact="giveaway")["delta"] == [-1, 0, 0]
    rounds = [bids("4x2", count=3), bids("4x2", "5x2", "6x2", count=6, losses=[-1, 1, 0])]
    assert last(*rounds, exact="giveaway")["delta"] == [1, -1, 0]
    assert last(lost(1, 0, 0), lost(-1, 1, 0), exact="giveaway")["delta"] == [1, -1, 0]
    assert (
        fault(game(lost(1, 0, 0), lost(-1, 0, 1), exact="giveaway"))
        == "1 losses_mismatch rounds[1].losses"
    )


def test_b10_after_a_round_of_losses_the_next_one_with_moves_tells_its_opener() -> None:
    after = lost(0, 3, 0)
    assert fault(game(after, bids("4x2", count=5))) == "1 bad_record rounds[1].opener"
    assert (
        fault(game(after, lost(1, 0, 0), challenged("4x2", 1, 2, 5)))
        == "2 bad_record rounds[2].opener"
    )
    assert fault(game(after, left(0), dealt("4x2", "!"))) == "2 bad_record rounds[2].opener"
    assert fault(game(after, left(0, void=True, moves=[]))) == "1 bad_record rounds[1].opener"
    assert fault(game(after, bids("4x2", count=5, opener=1))) == "1 wrong_seat rounds[1].opener"
    assert last(after, bids("4x2", count=5, opener=2))["bidder"] == 2
    assert last(after, bids("4x2", count=5, opener=2), bids("4x2", count=5))["opener"] == 2
    assert last(after, left(0, opener=2), bids("4x2", count=5))["opener"] == 2


def test_b11_a_round_after_the_end_is_one_too_many_whatever_it_tells() -> None:
    end = bids("9x2", count=4)
    assert fault(game(end, {"nonsense": 1}, seats=2)) == "1 game_over rounds[1]"
    assert fault(game(end, left(0), seats=2)) == "1 game_over rounds[1]"


def test_only_the_last_round_may_lack_its_end() -> None:
    for cut_short in (dealt("4x2"), {"moves": ["4x2"]}):
        assert last(cut_short) == {
            "opener": 0,
            "bidder": 0,
            "challenger": None,
            "bid": "4x2",
            "count": None,
            "delta": [0, 0, 0],
            "out": [],
        }
        assert fault(game(cut_short, bids("4x2", count=5))) == "0 no_challenge rounds[0].moves"
    assert last(dealt())["bid"] is None


def test_a_game_that_is_not_over_has_no_rank() -> None:
    answer = verdict(game(bids("4x2", count=5), scoring="cntdice")).as_json()
    assert [answer[key] for key in ("over", "rank", "cntdice", "points")] == [
        False,
        None,
        None,
        None,
    ]
    assert verdict(game()).ok


def test_the_first_fault_in_reading_order_counts() -> None:
    assert fault(game(bids("4x2", "3x2", count=5), {"note": 1})).startswith("0 1 not_a_raise")


def test_an_error_keeps_the_rounds_before_it() -> None:
    answer = verdict(game(bids("4x2", count=5), bids("4x2", count=99))).as_json()
    assert list(answer) == ["id", "ok", "error", "rounds"]
    assert isinstance(answer["rounds"], list)
    assert len(answer["rounds"]) == 1
    assert isinstance(answer["error"], dict)
    assert list(answer["error"]) == ["code", "round", "message", "path"]


class TestForfeits:
    def test_b17_between_two_rounds_the_dice_leave_the_game(self) -> None:
        assert last(bids("4x2", count=5), left(1)) == {
            "forfeit": [1],
            "delta": [0, -4, 0],
            "out": [1],
        }

    def test_b17_who_should_open_and_left_is_followed_by_the_next_live_seat(self) -> None:
        assert last(left(0), bids("4x2", count=5))["opener"] == 1
        assert last(left(0, 1, opener=0), bids("4x2", count=5), seats=4)["opener"] == 2

    def test_b17_in_the_middle_the_round_is_void_and_its_opener_opens_again(self) -> None:
        void = left(1, void=True, moves=["3x2", "4x2"])
        assert last(void) == {
            "opener": 0,
            "bidder": 1,
            "challenger": None,
            "bid": "4x2",
            "count": None,
            "delta": [0, -5, 0],
            "out": [1],
            "forfeit": [1],
        }
        assert last(void, challenged("4x2", 0, 2, 5))["opener"] == 0

    def test_b17_before_the_first_bid_a_void_round_has_no_moves(self) -> None:
        assert last(left(0, void=True, moves=[]))["bidder"] is None

    def test_b17_a_void_round_may_tell_its_dice(self) -> None:
        void = dealt("4x2/1>1111", forfeit=[0], void=True)
        assert last(void, bids("4x2", count=5), reroll=True)["opener"] == 1
        void["dealt"] = ["1", "1", "1"]
        assert fault(game(void, reroll=True)) == "0 wrong_number_of_dice rounds[0].dealt[0]"

    def test_b17_a_forfeit_that_leaves_one_seat_ends_the_game(self) -> None:
        answer = verdict(game(bids("4x2", count=6), left(0, 2), scoring="cntdice"))
        assert (answer.rank, answer.points) == ((2, 1, 2), (12, 15, 12))
        assert fault(game(left(0, 2), left(1))) == "1 game_over rounds[1]"

    @pytest.mark.parametrize(
        ("round_", "wrong"),
        [
            (left(), "0 bad_record rounds[0].forfeit"),
            (left(1, 1), "0 bad_record rounds[0].forfeit"),
            (left(3), "0 bad_record rounds[0].forfeit[0]"),
            ({"forfeit": 1}, "0 bad_record rounds[0].forfeit"),
            (left(0, 1, 2), "0 wrong_seat rounds[0].forfeit"),
            (left(1, opener=1), "0 wrong_seat rounds[0].opener"),
            (left(1, losses=[0, 5, 0]), "0 bad_record rounds[0].losses"),
            (left(1, moves=[]), "0 bad_record rounds[0].void"),
            (left(1, void=True), "0 bad_record rounds[0].moves"),
            (left(1, void=False, moves=[]), "0 bad_record rounds[0].void"),
            (left(1, void=1, moves=[]), "0 bad_record rounds[0].void"),
            (left(void=True, moves=[]), "0 bad_record rounds[0].forfeit"),
            (left(1, void=True, moves=["4x2", "!"]), "0 1 bad_record rounds[0].moves[1]"),
            (left(1, void=True, moves=["4x2", "4x2"]), "0 1 not_a_raise rounds[0].moves[1]"),
            (left(1, void=True, moves=["4x2", "4x9"]), "0 1 bad_face rounds[0].moves[1]"),
            (left(1, void=True, moves=[], count=3), "0 bad_record rounds[0].count"),
        ],
    )
    def test_b17_faults(self, round_: Any, wrong: str) -> None:
        assert fault(game(round_)) == wrong

    def test_b17_who_is_out_cannot_forfeit(self) -> None:
        assert fault(game(left(1), left(1))) == "1 wrong_seat rounds[1].forfeit"
        assert fault(game(left(1), challenged("4x2", 1, 2, 5))) == "1 wrong_seat rounds[1].bidder"


class TestVoidRounds:
    def test_b18_the_round_is_played_again_with_the_same_opener(self) -> None:
        void = {"void": True, "moves": ["3x2", "4x2", "!"]}
        assert last(void, opener=1) == {
            "opener": 1,
            "bidder": 2,
            "challenger": None,
            "bid": "4x2",
            "count": None,
            "delta": [0, 0, 0],
            "out": [],
        }
        assert last(void, bids("4x2", count=5), opener=1)["opener"] == 1

    def test_b18_what_there_was_of_it_need_not_be_told(self) -> None:
        bare = game({"void": True}, bids("4x2", count=5))
        assert verdict(bare).ok
        assert canonical_rounds(record(bare)) == canonical_rounds(
            record(game({"void": True, "moves": []}, bids("4x2", count=5)))
        )

    def test_b18_it_may_follow_a_round_that_does_not_tell_who_opens(self) -> None:
        assert verdict(game(lost(0, 3, 0), {"void": True}, bids("4x2", count=5, opener=0))).ok
        assert (
            fault(game(lost(0, 3, 0), {"void": True, "moves": ["4x2"]}))
            == "1 bad_record rounds[1].opener"
        )

    def test_b18_its_moves_keep_to_the_rules(self) -> None:
        assert (
            fault(game({"void": True, "moves": ["4x2", "4x2"]}))
            == "0 1 not_a_raise rounds[0].moves[1]"
        )
        assert (
            fault(game({"void": True, "moves": ["4x2"], "count": 3}))
            == "0 bad_record rounds[0].count"
        )
        assert fault(game({"void": True, "losses": [0, 0, 1]})) == "0 bad_record rounds[0].losses"
        assert (
            fault(game(dealt("4x2", void=True, hands=["1", "1", "1"])))
            == "0 wrong_number_of_dice rounds[0].dealt[0]"
        )

    def test_b18_at_the_end_of_a_record_the_game_is_not_over(self) -> None:
        assert not verdict(game({"void": True})).over


class TestTimeIsUp:
    CLOCK: ClassVar[Round] = {"ended": "clock"}

    def test_b20_who_is_left_is_ranked_by_dice_and_equal_ones_share_the_rank(self) -> None:
        answer = verdict(game(lost(1, 0, 0), self.CLOCK, scoring="cntdice"))
        assert (answer.over, answer.rank, answer.points) == (True, (3, 1, 1), (5, 6, 6))
        assert answer.rounds[-1].as_json() == {"ended": "clock", "delta": [0, 0, 0], "out": []}

    def test_b20_with_cntdice_each_scores_the_dice_that_left_the_game_and_its_own(self) -> None:
        answer = verdict(
            game(lost(0, 0, 5), lost(1, 0, 0), lost(0, 1, 0), self.CLOCK, scoring="cntdice")
        )
        assert (answer.rank, answer.points) == ((1, 1, 3), (11, 11, 5))

    def test_b20_by_placement_the_ranks_are_the_points(self) -> None:
        assert verdict(game(lost(1, 0, 0), self.CLOCK)).points == (3, 1, 1)

    def test_b20_before_the_first_round_all_are_first(self) -> None:
        assert verdict(game(self.CLOCK)).rank == (1, 1, 1)

    def test_b20_the_round_that_is_going_on_is_finished_first(self) -> None:
        assert fault(game({"moves": ["4x2"]}, self.CLOCK)) == "0 no_challenge rounds[0].moves"

    def test_b20_a_void_round_is_played_again_first(self) -> None:
        void = {"void": True, "moves": ["4x2"]}
        assert fault(game(void, self.CLOCK)) == "1 clock_mismatch rounds[1].ended"
        assert (
            fault(game(left(2, void=True, moves=[]), self.CLOCK))
            == "1 clock_mismatch rounds[1].ended"
        )
        assert fault(game(void, left(2), self.CLOCK)) == "2 clock_mismatch rounds[2].ended"
        assert verdict(game(void, bids("4x2", count=5), self.CLOCK)).over

    def test_b20_if_one_seat_is_left_the_game_ended_by_b11_without_the_mark(self) -> None:
        assert fault(game(left(0, 2), self.CLOCK)) == "1 clock_mismatch rounds[1].ended"

    def test_b20_nothing_follows(self) -> None:
        assert fault(game(self.CLOCK, lost(0, 0, 1))) == "1 game_over rounds[1]"
        assert fault(game(self.CLOCK, left(0))) == "1 game_over rounds[1]"
        assert fault(game(self.CLOCK, self.CLOCK)) == "1 game_over rounds[1]"

    def test_b20_the_mark_stands_alone(self) -> None:
        assert (
            fault(game({"ended": "clock", "losses": [0, 0, 1]})) == "0 bad_record rounds[0].losses"
        )
        assert fault(game({"ended": "clock", "opener": 0})) == "0 bad_record rounds[0].opener"
        assert fault(game({"ended": "bell"})) == "0 bad_record rounds[0].ended"

    def test_b20_the_mark_is_the_last_link_of_the_chain(self) -> None:
        assert canonical_rounds(record(game(lost(1, 0, 0), self.CLOCK)))[-1] == b'{"ended":"clock"}'


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        ({"rank": [1, 2]}, "result_mismatch result.rank"),
        ({"rank": [2, 1], "points": [2, 1]}, "result_mismatch result.points"),
        ({"rank": [2, 1], "points": [5, 10]}, None),
        ({}, None),
    ],
)
def test_a_claimed_result_is_checked(result: Any, wrong: str | None) -> None:
    played = game(bids("9x2", count=4), seats=2, result=result, scoring="cntdice")
    assert verdict(played).ok if wrong is None else fault(played) == wrong


def test_a_game_that_is_not_over_has_no_result() -> None:
    played = game(bids("4x2", count=5), result={"rank": [1, 2, 3]})
    assert fault(played) == "result_mismatch result"
    assert len(verdict(played).rounds) == 1


def test_placement_gives_the_finishing_order_as_points() -> None:
    answer = verdict(game(left(1), left(0)))
    assert answer.points == answer.rank == (2, 3, 1)
    assert answer.ending.cntdice == (10, 5, 15)


def test_a_round_is_read_once_for_all() -> None:
    _, rounds = begin(record(game(bids("4x2", count=5))), BLUFF)
    assert rounds == (RoundRecord("bids", moves=(BID["4x2"], CHALLENGE), count=5),)
