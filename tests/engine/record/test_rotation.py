"""Who sits where changes nothing but names: a game told from another seat on has the same
outcome."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.record.check import check_line
from tests.factories.records import bluff_record, kniffel_record, line

PLAYERS = ["anna", "ben", "cleo", "dario", "elif", "fritz"]
LEVELS = ["dealt", "dice", "bids", "challenge", "result"]
EXACT = ["all", "challenger", "protected", "giveaway"]


def moved_on(values: list[Any] | tuple[Any, ...], by: int) -> list[Any]:
    """What seat `by` had is told first."""
    return [*values[by:], *values[:by]]


def seen_from(record: dict[str, Any], by: int) -> dict[str, Any]:
    """The same game with the seats counted from seat `by` on."""
    size = len(record["seats"])

    def seat(number: int) -> int:
        return (number - by) % size

    def entry(played: dict[str, Any]) -> dict[str, Any]:
        lists = {
            key: moved_on(played[key], by)
            for key in ("dealt", "revealed", "losses")
            if key in played
        }
        seats = {
            key: seat(played[key]) for key in ("opener", "bidder", "challenger") if key in played
        }
        doubts = (
            {"doubts": [seat(number) for number in played["doubts"]]} if "doubts" in played else {}
        )
        return played | lists | seats | doubts

    unit = "turns" if "turns" in record else "rounds"
    return record | {
        "seats": moved_on(record["seats"], by),
        "opener": seat(record["opener"]),
        unit: [entry(played) for played in record[unit]],
        "result": {key: moved_on(value, by) for key, value in record["result"].items()},
    }


@given(
    st.integers(0, 500),
    st.integers(2, 6),
    st.integers(1, 5),
    st.sampled_from(LEVELS),
    st.sampled_from(EXACT),
)
def test_a_game_of_bluff_told_from_another_seat(
    seed: int, size: int, by: int, level: str, exact: Any
) -> None:
    by %= size
    record = bluff_record(seed, seats=PLAYERS[:size], level=level, exact=exact)
    one, other = check_line(line(record)), check_line(line(seen_from(record, by)))
    assert one.ok
    assert other.ok, other.error
    assert list(other.rank or ()) == moved_on(one.rank or (), by)
    assert list(other.ending.cntdice or ()) == moved_on(one.ending.cntdice or (), by)


@given(st.integers(0, 200), st.integers(2, 6), st.integers(1, 5))
def test_a_game_of_luegen_kniffel_told_from_another_seat(seed: int, size: int, by: int) -> None:
    by %= size
    record = kniffel_record(seed, seats=PLAYERS[:size])
    one, other = check_line(line(record)), check_line(line(seen_from(record, by)))
    assert other.ok, other.error
    assert list(other.ending.totals or ()) == moved_on(one.ending.totals or (), by)
    assert other.as_json()["sheets"] == moved_on(one.as_json()["sheets"], by)  # type: ignore[arg-type]
