"""No cell of a file is a formula, and every one can be read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cells import SIGNS, cell_of, text_of


@pytest.mark.parametrize("sign", SIGNS)
def test_no_cell_begins_with_a_sign(sign: str) -> None:
    for text in (f"{sign}1+1", f" {sign}cmd", f"\t{sign}x", sign):
        assert cell_of(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["anna", "", "1+1", "a=b", "O'Neill", "'s Gravenhage", "Anna-Lena", "ＡＢ"]
)
def test_what_is_no_formula_stays(text: str) -> None:
    assert cell_of(text) == text_of(text) == text


@given(st.text(alphabet=st.sampled_from([*SIGNS, "'", " ", "\t", "\n", "a", "é"])))
def test_a_cell_stands_for_its_text(text: str) -> None:
    assert text_of(cell_of(text)) == text
    assert not cell_of(text).lstrip(" ").startswith(tuple(SIGNS))
