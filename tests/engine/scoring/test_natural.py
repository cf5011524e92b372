"""The natural order of ids."""

from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.natural import natural

ids = st.text(st.sampled_from("a-.0123456789Äz "), min_size=1, max_size=64)


def test_numbers_count_by_their_value() -> None:
    ordered = ["1", "2", "10", "11", "r1-t2", "r1-t10", "r2-t1", "r010", "r11"]
    assert sorted([*ordered[3:], *ordered[:3]], key=natural) == ordered


def test_leading_zeros_only_part_what_is_equal_without_them() -> None:
    ordered = ["night-1", "night-01", "night-01-b", "night-2", "night-002"]
    assert sorted([*ordered[3:], *ordered[:3]], key=natural) == [
        "night-1",
        "night-01",
        "night-01-b",
        "night-2",
        "night-002",
    ]


@given(ids, ids)
def test_no_two_ids_are_one_text_and_it_has_room(one: str, other: str) -> None:
    assert (natural(one) == natural(other)) == (one == other)
    assert len(natural(one)) <= 192


@given(st.integers(0, 10**40), st.integers(0, 10**40))
def test_any_two_numbers(one: int, other: int) -> None:
    assert (natural(f"x{one}y") < natural(f"x{other}y")) == (one < other)
