"""The fields in which tie-breaks are put in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext


class TieBreaksForm(forms.Form):
    """The order of tie-breaks: `tie_break_1` is the first one that separates, and so on."""

    def add_tie_breaks(self, choices: Sequence[tuple[str, Any]], *, required: int = 0) -> None:
        """Add a field for each place in the order; so many of the first ones have to be chosen."""
        self.tie_break_names = [f"tie_break_{place}" for place in range(1, len(choices) + 1)]
        for place, name in enumerate(self.tie_break_names, start=1):
            self.fields[name] = forms.ChoiceField(
                label=gettext("%(place)d. tie-break") % {"place": place},
                choices=[("", "–"), *choices],
                required=place <= required,
            )

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        """The choices of tie-breaks, the first one that separates first."""
        return [self[name] for name in self.tie_break_names]

    def clean(self) -> dict[str, Any]:
        """Refuse a tie-break that is named twice."""
        cleaned = super().clean() or {}
        earlier: list[str] = []
        for field in self.tie_break_names:
            tie_break = cleaned.get(field, "")
            if tie_break and tie_break in earlier:
                self.add_error(field, gettext("This one stands further up already."))
            earlier.append(tie_break)
        return cleaned

    def tie_breaks(self) -> list[str]:
        """The tie-breaks that are chosen, in their order."""
        return [self.cleaned_data[name] for name in self.tie_break_names if self.cleaned_data[name]]


def by_place(tie_breaks: Iterable[str]) -> dict[str, str]:
    """The tie-breaks in their order, by field."""
    return {f"tie_break_{place}": name for place, name in enumerate(tie_breaks, start=1)}
