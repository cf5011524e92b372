"""Amounts of money in cents, read and written as people do."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_lazy, pgettext

CURRENCIES: Final = [
    ("EUR", gettext_lazy("Euro")),
    ("CHF", gettext_lazy("Swiss franc")),
    ("GBP", gettext_lazy("Pound sterling")),
    ("USD", gettext_lazy("US dollar")),
    ("DKK", gettext_lazy("Danish krone")),
    ("NOK", gettext_lazy("Norwegian krone")),
    ("SEK", gettext_lazy("Swedish krona")),
    ("PLN", gettext_lazy("Polish złoty")),
    ("CZK", gettext_lazy("Czech koruna")),
]
"""Currencies of a hundred cents, by their codes (ISO 4217)."""
SIGNS: Final = {"EUR": "€", "GBP": "£", "USD": "$"}
WORDS: Final = {"EUR": ("euros", "euro"), "CHF": ("fr.", "fr"), "PLN": ("zł",), "CZK": ("kč",)}
"""What else people write for a currency, in small letters."""
SPACES: Final = re.compile(r"[\s'’]")
PLAIN: Final = re.compile(r"([0-9]+)(?:[.,]([0-9]{1,2}|[-–—]))?")
GROUPED: Final = re.compile(
    r"([0-9]{1,3}(?:\.[0-9]{3})+),([0-9]{2})|([0-9]{1,3}(?:,[0-9]{3})+)\.([0-9]{2})"
)
MOST_DIGITS: Final = 12


def cents_of(text: str, currency: str) -> int:
    """The cents of an amount as people write it in whatever language: “5”, “5,00”, “5.00 €”, “EUR
    1.200,50”.

    Raises `ValueError` for what isn't one, or could be two: in “1.200” the point parts thousands or
    cents."""
    digits = SPACES.sub("", text.casefold())
    for name in (currency.casefold(), SIGNS.get(currency, ""), *WORDS.get(currency, ())):
        if name and (digits.startswith(name) or digits.endswith(name)):
            digits = (
                digits.removeprefix(name) if digits.startswith(name) else digits.removesuffix(name)
            )
            break
    if len(digits) > MOST_DIGITS:
        raise ValueError(text)
    if match := PLAIN.fullmatch(digits):
        whole, rest = match[1], (match[2] or "").strip("-–—")
    elif match := GROUPED.fullmatch(digits):
        whole, rest = re.sub(r"[.,]", "", match[1] or match[3]), match[2] or match[4]
    else:
        raise ValueError(text)
    return 100 * int(whole) + int(rest.ljust(2, "0"))


def money_words(cents: int, currency: str) -> str:
    """An amount as the reader's language writes it: “€5.00”, “5,00 €”, “€ 5,00”."""
    amount = number_format(Decimal(cents).scaleb(-2), 2, use_l10n=True, force_grouping=True)
    if sign := SIGNS.get(currency):
        return pgettext("an amount with a sign", "%(sign)s%(amount)s") % {
            "sign": sign,
            "amount": amount,
        }
    return pgettext("an amount with a code", "%(code)s %(amount)s") % {
        "code": currency,
        "amount": amount,
    }


class MoneyField(forms.Field):
    """An amount in a currency, kept in cents; nothing and 0 are None."""

    def __init__(self, *, currency: str, least: int, most: int, **kwargs: Any) -> None:
        super().__init__(
            widget=forms.TextInput({"inputmode": "decimal", "maxlength": 32}), **kwargs
        )
        self.currency, self.least, self.most = currency, least, most

    def prepare_value(self, value: object) -> object:
        """Return what the field shows: an amount that is stored, else what was typed."""
        return money_words(value, self.currency) if isinstance(value, int) else value

    def to_python(self, value: object) -> int | None:
        """The cents. Raises `ValidationError`."""
        text = str(value or "").strip()
        if not text:
            return None
        try:
            cents = cents_of(text, self.currency)
        except ValueError:
            raise ValidationError(
                gettext("Write the amount as 5 or as %(example)s.")
                % {"example": money_words(500, self.currency)}
            ) from None
        if cents and not self.least <= cents <= self.most:
            raise ValidationError(
                gettext("The amount is at most %(most)s.")
                % {"most": money_words(self.most, self.currency)}
            )
        return cents or None
