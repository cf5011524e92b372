import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.moment import Perspective, cups_seen, moment_at, replayed_rounds
from engine.bluff.track import BID, FACES, NO_BID, STAR
from tests.engine.analysis.build import first_round, of, record
from tests.engine.record.simulated import random_game

REROLL = {"dealt": ["124*", "3345"], "moves": ["2x4/4*>35", "4x5/5>114", "5x5", "!"]}
REVEALED = {"revealed": ["345*", "1145"], "moves": ["2x4/4*", "4x5/5", "5x5", "!"]}


def test_in_a_dealt_round_every_cup_is_known_at_every_moment() -> None:
    moments = first_round(record(REROLL, dice=4, reroll=True)).moments
    assert [moment.cups for moment in moments] == [
        ("124*", "3345"),
        ("35", "3345"),
        ("35", "114"),
        ("35", "114"),
        ("35", "114"),
    ]
    assert [moment.shown for moment in moments][:3] == [("", ""), ("4*", ""), ("4*", "5")]
    assert [moment.hidden for moment in moments][:3] == [(4, 4), (2, 4), (2, 3)]


def test_b14_what_lay_under_a_cup_before_a_reroll_is_not_known_from_the_dice_revealed() -> None:
    moments = first_round(record(REVEALED, dice=4, reroll=True)).moments
    assert [moment.cups for moment in moments] == [
        (None, None),
        ("35", None),
        ("35", "114"),
        ("35", "114"),
        ("35", "114"),
    ]


def test_b14_bids_tell_only_of_dice_that_were_rolled_before() -> None:
    game = record(
        {"moves": ["1x4", "2x5", "3x4/4", "4x4", "3x*", "!"], "count": 3}, dice=3, reroll=True
    )
    spoken = [moment.spoken for moment in first_round(game).moments]
    assert spoken[2] == ((4,), (5,))
    assert spoken[3] == ((), (5,))
    assert spoken[5] == spoken[6] == ((STAR,), (5, 4))


def test_levels_that_tell_no_hands_know_no_cup_but_that_of_a_seat_which_is_out() -> None:
    game = record(
        {"losses": [0, 2, 0]}, {"opener": 0, "moves": ["1x1", "!"], "count": 1}, dice=2, seats=3
    )
    untold, bids = replayed_rounds(game)
    assert untold.moments == ()
    assert bids.moments[0].cups == (None, "", None)


def test_a_challenge_level_does_not_tell_the_bid_before_the_last_one() -> None:
    game = record({"moves": ["3x4", "!"], "bidder": 1, "challenger": 0, "count": 2})
    before, after, end = first_round(game).moments
    assert (before.seat, before.bid) == (1, None)
    assert (after.seat, after.bid, after.bidder) == (0, BID["3x4"], 1)
    assert end.lifted


def test_a_forfeit_has_no_moments_and_a_void_round_those_it_came_to() -> None:
    game = record({"moves": ["1x1"], "forfeit": [2], "void": True}, {"forfeit": [1]}, seats=3)
    void, between = replayed_rounds(game)
    assert [moment.bid for moment in void.moments] == [NO_BID, BID["1x1"]]
    assert between.moments == ()


@pytest.mark.parametrize(
    ("perspective", "cups"),
    [(0, ("35", None)), (1, (None, "3345")), (None, (None, None)), ("all", ("35", "3345"))],
)
def test_a_seat_looks_under_its_own_cup_a_spectator_under_none(
    perspective: Perspective, cups: tuple[str | None, ...]
) -> None:
    _, moment = moment_at(record(REROLL, dice=4, reroll=True), 0, 1)
    assert cups_seen(moment, perspective) == cups
    assert moment.shown == ("4*", "")
    assert moment.hidden == (2, 4)


def test_once_the_cups_are_up_everybody_sees_all() -> None:
    game = record(REROLL, dice=4, reroll=True)
    assert cups_seen(moment_at(game, 0, 3)[1], None) == (None, None)
    assert cups_seen(moment_at(game, 0, 4)[1], None) == ("35", "114")


def test_a_cup_that_the_record_does_not_tell_stays_down_for_everybody() -> None:
    game = record(REVEALED, dice=4, reroll=True)
    assert cups_seen(moment_at(game, 0, 1)[1], "all") == ("35", None)
    assert cups_seen(moment_at(game, 0, 1)[1], 1) == (None, None)


@pytest.mark.parametrize(("round", "move"), [(0, 5), (1, 0), (-1, 0)])
def test_there_is_no_moment_that_is_not_told(round: int, move: int) -> None:
    with pytest.raises(IndexError):
        moment_at(record(REROLL, dice=4, reroll=True), round, move)


def test_a_record_that_is_not_ok_is_refused() -> None:
    with pytest.raises(ValueError, match=r"rounds\[0\]: 1x1 does not raise 1x2"):
        list(replayed_rounds(record({"moves": ["1x2", "1x1", "!"], "count": 1})))
    over = {"losses": [5, 0]}
    with pytest.raises(ValueError, match=r"rounds\[1\]: the game ended"):
        list(replayed_rounds(record(over, over)))


hands = st.text(FACES, min_size=3, max_size=3)


@given(
    hands,
    hands,
    hands,
    hands,
    st.text(FACES, min_size=2, max_size=2),
    st.text(FACES, min_size=2, max_size=2),
)
def test_hidden_dice_never_change_what_an_opponent_sees(
    own: str, one: str, two: str, other: str, rolled: str, rerolled: str
) -> None:
    moves = ["1x1", "2x4/4>{}", "3x4", "4x4", "!"]
    views = []
    for hidden, third, fresh in ((one, two, rolled), (other, one, rerolled)):
        dealt = {
            "dealt": [own, "4" + hidden[1:], third],
            "moves": [move.format(fresh) for move in moves],
        }
        (played,) = replayed_rounds(record(dealt, dice=3, seats=3, reroll=True))
        views.append(
            [
                moment._replace(cups=cups_seen(moment, viewer), move=None)
                for moment in played.moments[:-1]
                for viewer in (0, None)
            ]
        )
    assert views[0] == views[1]


@given(st.integers(0, 10_000))
def test_all_that_is_seen_is_there(seed: int) -> None:
    for played in replayed_rounds(of(random_game(seed))):
        for moment in played.moments:
            for seat, (cup, hidden, shown) in enumerate(
                zip(moment.cups, moment.hidden, moment.shown, strict=True)
            ):
                assert hidden + len(shown) == played.owned[seat]
                assert cup is None or len(cup) == hidden
