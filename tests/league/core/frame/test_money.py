"""Amounts are read and written as people do in each language; what could be two amounts is none."""

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from league.core.frame.money import MoneyField, cents_of, money_words


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        *[
            (text, 500)
            for text in (
                "5",
                "5,00",
                "5.00",
                "5.00 €",
                "5,00€",
                "€5",
                "€ 5,00",
                "EUR 5",
                "5 eur",
                "5 Euro",
            )
        ],
        *[(text, 500) for text in ("5,-", "5,– €", " 5 ", "5\u00a0€", "5.0")],
        *[(text, 250) for text in ("2,5", "2.50", "€\u00a02,50", "2,50 Euros")],
        *[
            (text, 120_050)
            for text in ("1200,50", "1.200,50", "1,200.50", "1 200,50", "1'200.50", "1’200.50 €")
        ],
        ("0", 0),
    ],
)
def test_an_amount_is_read_as_people_write_it(text: str, cents: int) -> None:
    assert cents_of(text, "EUR") == cents


@pytest.mark.parametrize(
    "text", ["", "€", "five", "1.200", "5,000", "-5", "5 $", "5.5.5", "5,00,00", "٥", "9" * 13]
)
def test_what_is_no_amount_or_could_be_two_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        cents_of(text, "EUR")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["€1,200.50", "CHF\u00a05.00"]),
        ("de", ["1.200,50\u00a0€", "5,00\u00a0CHF"]),
        ("nl", ["€\u00a01.200,50", "CHF\u00a05,00"]),
    ],
)
def test_an_amount_is_written_as_the_language_does_and_can_be_read_again(
    language: str, words: list[str]
) -> None:
    with override(language):
        written = [money_words(120_050, "EUR"), money_words(500, "CHF")]
    assert [" ".join(word.split()) for word in written] == [
        " ".join(word.split()) for word in words
    ]
    assert [cents_of(written[0], "EUR"), cents_of(written[1], "CHF")] == [120_050, 500]


def test_nothing_is_an_amount_of_nothing_and_limits_are_said() -> None:
    field = MoneyField(currency="EUR", least=1, most=1_000_000, required=False)
    assert [field.clean(text) for text in ("", "0", "0,00 €", "5")] == [None, None, None, 500]
    for text, words in (
        ("10000.01", "can’t be more than €10,000.00"),
        ("1.200", "Write the amount as 5 or as €5.00"),
    ):
        with pytest.raises(ValidationError, match=words):
            field.clean(text)
