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
"""Currencies of a hundred cents, by code (ISO 4217)."""
SIGNS: Final = {"EUR": "€", "GBP": "£", "USD": "$"}
WORDS: Final = {"EUR": ("euros", "euro"), "CHF": ("fr.", "fr"), "PLN": ("zł",), "CZK": ("kč",)}
"""Other ways in which people write a currency, in lower case."""
SPACES: Final = re.compile(r"[\s'’]")
PLAIN: Final = re.compile(r"([0-9]+)(?:[.,]([0-9]{1,2}|[-–—]))?")
GROUPED: Final = re.compile(
    r"([0-9]{1,3}(?:\.[0-9]{3})+),([0-9]{2})|([0-9]{1,3}(?:,[0-9]{3})+)\.([0-9]{2})"
)
MOST_DIGITS: Final = 12


def cents_of(text: str, currency: str) -> int:
    """Return the cents of an amount as people write it in any language: “5”, “5,00”, “5.00 €”,
    “EUR 1.200,50”.

    Raise `ValueError` if it isn't an amount, or is ambiguous: in “1.200” the point could separate
    thousands or cents."""
    amount = _without_currency(SPACES.sub("", text.casefold()), currency)
    if len(amount) > MOST_DIGITS:
        raise ValueError(text)
    plain = PLAIN.fullmatch(amount)
    grouped = GROUPED.fullmatch(amount)
    if plain:
        whole = plain[1]
        cents = (plain[2] or "").strip("-–—")
    elif grouped:
        whole = re.sub(r"[.,]", "", grouped[1] or grouped[3])
        cents = grouped[2] or grouped[4]
    else:
        raise ValueError(text)
    return 100 * int(whole) + int(cents.ljust(2, "0"))


def _without_currency(amount: str, currency: str) -> str:
    for name in (currency.casefold(), SIGNS.get(currency, ""), *WORDS.get(currency, ())):
        if name and amount.startswith(name):
            return amount.removeprefix(name)
        if name and amount.endswith(name):
            return amount.removesuffix(name)
    return amount


def money_words(cents: int, currency: str) -> str:
    """Return an amount as the reader's language writes it: “€5.00”, “5,00 €”, “€ 5,00”."""
    amount = number_format(Decimal(cents).scaleb(-2), 2, use_l10n=True, force_grouping=True)
    if currency in SIGNS:
        template = pgettext("an amount with a sign", "%(sign)s%(amount)s")
        return template % {"sign": SIGNS[currency], "amount": amount}
    template = pgettext("an amount with a code", "%(code)s %(amount)s")
    return template % {"code": currency, "amount": amount}


class MoneyField(forms.Field):
    """An amount in a currency, as cents; None if the field is empty or 0."""

    def __init__(self, *, currency: str, least: int, most: int, **kwargs: Any) -> None:
        super().__init__(
            widget=forms.TextInput({"inputmode": "decimal", "maxlength": 32}), **kwargs
        )
        self.currency = currency
        self.least = least
        self.most = most

    def prepare_value(self, value: object) -> object:
        """Return the text of the field: a stored amount is written out, a typed one stays as it was
        typed."""
        if isinstance(value, int):
            return money_words(value, self.currency)
        return value

    def to_python(self, value: object) -> int | None:
        """Return the cents. Raise `ValidationError` if it isn't an amount, or one beyond the
        limits."""
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
                gettext("The amount can’t be more than %(most)s.")
                % {"most": money_words(self.most, self.currency)}
            )
        return cents or None
