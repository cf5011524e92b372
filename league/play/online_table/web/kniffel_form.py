"""The forms of Lügen-Kniffel at online tables: a new table, and an act."""

from __future__ import annotations

from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms

from engine.kniffel.combinations import DICE, TRUTH
from games.domain.ruleset import WORDS
from games.models import Kind
from league.play.online_table.web.online_table_form import TableForm, UnsentForm, setting_choices

ACTS: Final = ("roll", "announce", "believe", "doubt", "leave")


class NewKniffelTableForm(TableForm):
    """The rules and settings of a new table of Lügen-Kniffel. Rulings K2, K3 (K)."""

    kind: ClassVar = Kind.LUEGEN_KNIFFEL
    rule_names: ClassVar = ("truth", "allow_zero")

    truth = forms.ChoiceField(
        label=WORDS[Kind.LUEGEN_KNIFFEL, "truth"].label,
        choices=setting_choices(Kind.LUEGEN_KNIFFEL, "truth", TRUTH),
        widget=forms.RadioSelect,
        initial="exact",
    )
    allow_zero = forms.BooleanField(
        label=WORDS[Kind.LUEGEN_KNIFFEL, "allow_zero"].sentences[True], required=False
    )


class RollForm(forms.Form):
    """The roller's choices. `keep`: the places of the dice to keep, among those just rolled.

    `say`: the announcement.
    """

    keep = forms.TypedMultipleChoiceField(
        choices=[(place, place) for place in range(DICE)],
        coerce=int,
        required=False,
    )
    say = forms.CharField(max_length=20, required=False)


class UnsentRollForm(UnsentForm, RollForm):
    """The roller's choices that aren't sent yet."""


class KniffelActForm(RollForm):
    """An act of a seat. `true_say`: an announcement that has a button of its own. `turn`: the turn
    that is answered.
    """

    act = forms.ChoiceField(choices=[(act, act) for act in ACTS], required=False)
    key = forms.UUIDField()
    length = forms.IntegerField(min_value=0, required=False)
    turn = forms.IntegerField(min_value=0, required=False)
    true_say = forms.CharField(max_length=20, required=False)

    def clean(self) -> dict[str, Any]:
        """Turn `true_say` into an announcement, and refuse acts that are incomplete."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("true_say"):
            data["act"] = "announce"
            data["say"] = data["true_say"]
        act = data.get("act")
        if not act or (act == "announce" and not data.get("say")):
            self.add_error("say", "")
        if act in ("believe", "doubt") and data.get("turn") is None:
            self.add_error("turn", "")
        return data

    def uuid(self) -> UUID:
        """Return the key of the act. An act that is sent twice has the same key."""
        key: UUID = self.cleaned_data["key"]
        return key
