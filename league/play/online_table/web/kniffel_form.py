"""The forms of online tables of Lügen-Kniffel: what is agreed before, and an act."""

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
    """What a table of Lügen-Kniffel agrees on before it plays. Rulings K2, K3 (K)."""

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
    """What a roller chooses. `keep`: the places of the dice that stay, of those just rolled.

    `say`: what is announced.
    """

    keep = forms.TypedMultipleChoiceField(
        choices=[(place, place) for place in range(DICE)],
        coerce=int,
        required=False,
    )
    say = forms.CharField(max_length=20, required=False)


class UnsentRollForm(UnsentForm, RollForm):
    """What a roller has chosen and not sent yet."""


class KniffelActForm(RollForm):
    """An act of a seat. `true_say`: what is announced by a button of its own. `turn`: which turn is
    answered."""

    act = forms.ChoiceField(choices=[(act, act) for act in ACTS], required=False)
    key = forms.UUIDField()
    length = forms.IntegerField(min_value=0, required=False)
    turn = forms.IntegerField(min_value=0, required=False)
    true_say = forms.CharField(max_length=20, required=False)

    def clean(self) -> dict[str, Any]:
        """Let a button that names an announcement say it, and let no act lack what it needs."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("true_say"):
            data |= {"act": "announce", "say": data["true_say"]}
        act = data.get("act")
        if not act or (act == "announce" and not data.get("say")):
            self.add_error("say", "")
        if act in ("believe", "doubt") and data.get("turn") is None:
            self.add_error("turn", "")
        return data

    def uuid(self) -> UUID:
        """The key by which the same act, sent twice, is one."""
        key: UUID = self.cleaned_data["key"]
        return key
