"""The rule texts that clubs play by, and the settings that each of them determines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from games.models.game import Kind

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule text: its name for programs, its label, its kind of game, and the settings that it
    determines.

    Options that it leaves to the table, such as those of a screen or an expansion, are off. No text
    determines the points in records (ruling B13).
    """

    name: str
    label: StrOrPromise
    kind: Kind
    rules: Mapping[str, Any]


PRINTED: Final = {"exact": "all", "reroll": False, "dice": 5}
"""Rulings B9, B14: all but the bidder lose at an exact hit; laying out and rerolling
is an expansion."""
_TEXTS: Final = (
    RuleText("ravensburger-2009", "Ravensburger 2009", Kind.BLUFF, PRINTED),
    RuleText("fxschmid-1993", "F.X. Schmid 1993", Kind.BLUFF, PRINTED),
    RuleText("brettspielwelt", "Brettspielwelt", Kind.BLUFF, {**PRINTED, "exact": "challenger"}),
    RuleText("dutch-sheet", gettext_lazy("the Dutch sheet"), Kind.BLUFF, PRINTED),
    RuleText(
        "luegen-kniffel",
        "Lügen-Kniffel",
        Kind.LUEGEN_KNIFFEL,
        {"truth": "exact", "allow_zero": False},
    ),
)
RULE_TEXTS: Final[Mapping[str, RuleText]] = {text.name: text for text in _TEXTS}
"""The rule texts by name (Rulings B9, K2 and K3)."""


def rule_texts(kind: str) -> list[RuleText]:
    """Return the texts for a kind of game."""
    return [text for text in RULE_TEXTS.values() if text.kind == kind]
