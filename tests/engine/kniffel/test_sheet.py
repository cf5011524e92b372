"""Rulings K9, K10, K12: fields, strikes, crosses and the bonus."""

import pytest

from engine.kniffel.combinations import COMBINATIONS, UPPER
from engine.kniffel.sheet import Field, Sheet

# Three of each upper face: exactly 63.
THREE_OF_EACH = dict(zip(UPPER, (3, 6, 9, 12, 15, 18), strict=True))


def sheet_with(points: dict[str, int]) -> Sheet:
    sheet = Sheet()
    for name, noted in points.items():
        sheet[name].note(noted)
    return sheet


def test_k9_the_first_strike_marks_the_lie_column_only() -> None:
    field = Field()
    field.strike()
    assert field == Field(points=None, crossed=False, strikes=1)
    assert not field.filled


def test_k9_the_second_strike_crosses_the_points_field() -> None:
    field = Field(strikes=1)
    field.strike()
    assert field == Field(points=None, crossed=True, strikes=2)
    assert field.filled


def test_k9_the_second_strike_crosses_noted_points_too() -> None:
    field = Field()
    field.note(12)
    field.strike()
    assert field == Field(points=12, crossed=False, strikes=1)
    field.strike()
    assert field == Field(points=None, crossed=True, strikes=2)


def test_k9_further_strikes_change_nothing() -> None:
    field = Field(crossed=True, strikes=2)
    field.strike()
    assert field == Field(crossed=True, strikes=2)


@pytest.mark.parametrize(
    "field", [Field(points=12), Field(points=0), Field(crossed=True, strikes=2)]
)
def test_what_is_noted_or_crossed_is_never_improved(field: Field) -> None:
    assert field.filled
    with pytest.raises(ValueError, match="filled"):
        field.note(16)


def test_k10_a_sheet_is_full_when_all_thirteen_are_noted_or_crossed() -> None:
    sheet = sheet_with(dict.fromkeys(COMBINATIONS[:-1], 0))
    assert not sheet.full
    sheet["chance"].strike()
    assert not sheet.full
    sheet["chance"].strike()
    assert sheet.full


def test_k12_the_bonus_begins_at_63() -> None:
    assert sheet_with(THREE_OF_EACH).bonus == 35
    assert sheet_with({**THREE_OF_EACH, "ones": 2}).bonus == 0
    assert sheet_with({**THREE_OF_EACH, "sixes": 24}).bonus == 35


def test_k12_a_crossed_field_counts_nothing() -> None:
    sheet = sheet_with(THREE_OF_EACH)
    sheet["ones"].strike()
    assert (sheet.upper, sheet.bonus, sheet.total) == (63, 35, 98)
    sheet["ones"].strike()
    assert (sheet.upper, sheet.bonus, sheet.total) == (60, 0, 60)


def test_k12_only_the_upper_part_earns_the_bonus() -> None:
    sheet = sheet_with({"kniffel": 50, "large": 40, "sixes": 18})
    assert (sheet.bonus, sheet.total) == (0, 108)
