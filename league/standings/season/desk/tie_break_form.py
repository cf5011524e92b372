"""Form fields that put tie-breaks in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext


class TieBreaksForm(forms.Form):
    """The order of tie-breaks: `tie_break_1` decides first, and so on."""

    def add_tie_breaks(self, choices: Sequence[tuple[str, Any]], *, required: int = 0) -> None:
        """Add a field for each place in the order; the first `required` ones must be filled."""
        self.tie_break_names = [f"tie_break_{place}" for place in range(1, len(choices) + 1)]
        for place, name in enumerate(self.tie_break_names, start=1):
            self.fields[name] = forms.ChoiceField(
                label=gettext("Tie-break %(place)d") % {"place": place},
                choices=[("", "–"), *choices],
                required=place <= required,
            )

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        """Return the fields in the order of the tie-breaks."""
        return [self[name] for name in self.tie_break_names]

    def clean(self) -> dict[str, Any]:
        """Refuse a tie-break that is chosen twice."""
        cleaned = super().clean() or {}
        earlier: list[str] = []
        for field in self.tie_break_names:
            tie_break = cleaned.get(field, "")
            if tie_break and tie_break in earlier:
                self.add_error(field, gettext("This one is already further up."))
            earlier.append(tie_break)
        return cleaned

    def tie_breaks(self) -> list[str]:
        """Return the chosen tie-breaks in their order."""
        return [self.cleaned_data[name] for name in self.tie_break_names if self.cleaned_data[name]]


def by_place(tie_breaks: Iterable[str]) -> dict[str, str]:
    """Return initial values that put these tie-breaks in their order, by name of the field."""
    return {f"tie_break_{place}": name for place, name in enumerate(tie_breaks, start=1)}
