import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.analysis.game import analyse
from engine.analysis.profile import MICRO, Style, pack_styles, unpack_styles
from engine.record.lines import read_lines
from engine.record.record import Record, read
from tests.engine.analysis.build import of, record
from tests.engine.record.simulated import random_game
from tests.engine.record.test_season import SEASON

BLUFF: dict[str, object] = {"dealt": ["3", "2"], "moves": ["1x4", "1x5", "!"]}
"""Neither bid has a die behind it: each holds in one case of three. The second is caught."""
LUCKY: dict[str, object] = {"dealt": ["4", "2"], "moves": ["1x5", "1x*", "2x4", "!"]}


def style(*rounds: dict[str, object], seat: int, dice: int = 1) -> Style:
    return Style.of(analyse(record(*rounds, dice=dice)), seat)


def test_a_bid_that_holds_in_one_case_of_three_is_a_bluff_that_stood_when_it_was_raised() -> None:
    opener = style(BLUFF, seat=0)
    assert (opener.bids, opener.bluffs, opener.unsupported, opener.stood) == (1, 1, 1, 1)
    assert opener.bluff_rate == opener.bluff_success == 1


def test_a_bluff_that_was_challenged_and_not_there_was_caught() -> None:
    other = style(BLUFF, seat=1)
    assert (other.bids, other.bluffs, other.caught) == (1, 1, 1)
    assert other.bluff_success == 0


def test_a_bluff_that_was_challenged_and_there_was_lucky() -> None:
    opener = style({"dealt": ["2", "4"], "moves": ["1x4", "!"]}, seat=0)
    assert (opener.bluffs, opener.lucky, opener.bluff_success) == (1, 1, 1)


def test_a_bid_on_ones_own_die_is_no_bluff() -> None:
    opener = style({"dealt": ["4", "2"], "moves": ["1x4", "!"]}, seat=0)
    assert (opener.bids, opener.bluffs, opener.unsupported) == (1, 0, 0)
    assert opener.bluff_rate == 0
    assert opener.bluff_success is None


def test_a_bluff_that_nobody_answered_neither_succeeded_nor_failed() -> None:
    opener = style({"dealt": ["2", "4"], "moves": ["1x4"], "forfeit": [1], "void": True}, seat=0)
    assert (opener.bluffs, opener.stood, opener.lucky, opener.caught) == (1, 0, 0, 0)


def test_a_challenge_goes_in_the_bin_of_its_chance_to_be_right() -> None:
    challenger = style(BLUFF, seat=0)
    assert challenger.challenges == (0, 0, 0, 0, 0, 0, 1, 0, 0, 0)
    assert challenger.stated[6] == pytest.approx(2 / 3 * MICRO, abs=1)
    assert challenger.right == challenger.challenges
    sure = style({"dealt": ["3", "2"], "moves": ["3x4", "!"]}, seat=1)
    assert sure.challenges[9] == 1


def test_where_no_hand_is_told_nothing_is_counted() -> None:
    assert style({"moves": ["1x4", "1x5", "!"], "count": 1}, seat=0) == Style()


def test_luck_adds_up_in_millionths_and_so_does_its_variance() -> None:
    seat = style(
        {"dealt": ["44", "25"], "moves": ["1x4", "!"]},
        {"dealt": ["44", "2"], "moves": ["1x4", "!"]},
        seat=0,
        dice=2,
    )
    luck = analyse(
        record(
            {"dealt": ["44", "25"], "moves": ["1x4", "!"]},
            {"dealt": ["44", "2"], "moves": ["1x4", "!"]},
            dice=2,
        )
    ).luck()
    assert luck is not None
    assert seat.rolls == 2
    assert seat.luck == pytest.approx(luck[0].luck * MICRO, abs=0.5)
    assert seat.luck_variance == pytest.approx(luck[0].variance * MICRO, abs=0.5)
    assert seat.luck_half == pytest.approx(luck[0].half, abs=1e-6)


def test_a_style_as_json() -> None:
    answer = style(BLUFF, seat=0).as_json()
    assert answer["cost"] == pytest.approx(1 / 3, abs=1e-6)
    assert (answer["rolls"], answer["luck"], answer["luck_half"]) == (1, 0, 0)
    assert isinstance(answer["calibration"], list)
    assert answer["calibration"][6] == {
        "challenges": 1,
        "stated": pytest.approx(2 / 3, abs=1e-6),
        "came": 1,
    }
    assert answer["calibration"][0] == {"challenges": 0, "stated": None, "came": None}
    assert Style().as_json()["bluff_rate"] is None


@settings(max_examples=20)
@given(st.lists(st.integers(0, 10_000), min_size=3, max_size=3))
def test_styles_add_up_in_any_order_and_grouping(seeds: list[int]) -> None:
    one, two, three = (analyse(of(random_game(seed))) for seed in seeds)
    parts = [Style.of(analysis, 0) for analysis in (one, two, three)]
    assert (
        parts[0] + parts[1] + parts[2]
        == parts[2] + parts[0] + parts[1]
        == parts[0] + (parts[1] + parts[2])
    )


figures = st.integers(-(2**40), 2**40) | st.integers(0, 3)
bins = st.tuples(*[figures] * 10)
styles = st.builds(Style, *[figures] * 11, bins, bins, bins)


@given(styles, styles)
def test_a_game_that_is_taken_out_leaves_what_was_there_before(one: Style, other: Style) -> None:
    assert (one + other) - other == one
    assert one - one == Style()


@given(st.lists(styles, max_size=8))
def test_packed_styles_are_the_same_styles(seats: list[Style]) -> None:
    assert unpack_styles(pack_styles(seats)) == seats


def test_no_style_is_one_byte() -> None:
    assert pack_styles([]) == b""
    assert pack_styles([Style(), Style()]) == b"\0\0"


def test_what_a_game_of_the_season_tells_of_a_seat_takes_few_bytes() -> None:
    with SEASON.open("rb") as stream:
        games = [
            read(line.content) for line in read_lines(stream) if isinstance(line.content, bytes)
        ]
    packed = [
        pack_styles([Style.of(analyse(game), seat)])
        for game in games[::12]
        if isinstance(game, Record)
        for seat in range(len(game.seats))
    ]
    assert max(map(len, packed)) < 80
    assert sum(map(len, packed)) / len(packed) < 40


@pytest.mark.parametrize("packed", [b"\1", b"\x80", b"\1\x80", b"\1\0", b"\1\2\2", b"\x80\0"])
def test_other_bytes_are_no_styles(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"no packed styles|cut off"):
        unpack_styles(packed)
