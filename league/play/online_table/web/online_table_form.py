"""The forms of online tables: what is agreed before, a guest's name, and an act."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy

from engine.bluff.ruleset import EXACT, SCORING
from games.domain.ruleset import WORDS
from games.models import Kind
from league.core.frame.forms import model_field
from league.play.online_table.domain import bid_of_form
from league.play.online_table.models import OnlineSeat, OnlineTable


def _choices(setting: str, values: Any) -> list[tuple[str, Any]]:
    sentences = WORDS[Kind.BLUFF, setting].sentences
    return [(value, sentences[value]) for value in values]


class NewTableForm(forms.Form):
    """What a table agrees on before it plays. `exact` holds one rule, so two of them can't be combined."""

    most_seats = model_field(OnlineTable, "most_seats", label=gettext_lazy("Seats"))
    exact = forms.ChoiceField(
        label=gettext_lazy("Exact hit"),
        choices=_choices("exact", EXACT),
        widget=forms.RadioSelect,
        initial="all",
        help_text=gettext_lazy("One of them holds: a die can’t be given away and lost by all at once."),
    )
    reroll = forms.BooleanField(
        label=gettext_lazy("With a bid, dice may be laid out and the others rerolled."), required=False
    )
    scoring = forms.ChoiceField(
        label=gettext_lazy("What results tell"),
        choices=_choices("scoring", SCORING),
        widget=forms.RadioSelect,
        initial="placement",
    )
    move_seconds = model_field(OnlineTable, "move_seconds", label=gettext_lazy("Seconds for a move"))
    bank_seconds = model_field(
        OnlineTable,
        "bank_seconds",
        label=gettext_lazy("Seconds more for the whole game"),
        help_text=gettext_lazy("When they are used up, too, the others decide: wait, or play on without."),
    )
    listed = model_field(
        OnlineTable,
        "listed",
        label=gettext_lazy("Show it on the club’s page"),
        help_text=gettext_lazy("Anybody can then sit down or watch. Otherwise only those who have the link."),
    )

    programs_welcome = model_field(
        OnlineTable,
        "programs_welcome",
        label=gettext_lazy("Programs are welcome"),
        help_text=gettext_lazy("Accounts that are marked as programs may sit down, too. Otherwise people only."),
    )

    def rules(self) -> dict[str, Any]:
        """The rules as a record has them."""
        return {name: self.cleaned_data[name] for name in ("exact", "reroll", "scoring")} | {"dice": 5}

    def settings(self) -> dict[str, Any]:
        """The fields of the table."""
        names = ("most_seats", "move_seconds", "bank_seconds", "listed", "programs_welcome")
        return {name: self.cleaned_data[name] for name in names}


class SitForm(forms.Form):
    """The name of a guest. `seed`: words of their own that go into the dice."""

    name = model_field(OnlineSeat, "name", label=gettext_lazy("Your name"))
    seed = forms.CharField(
        label=gettext_lazy("Your words for the dice"),
        max_length=32,
        required=False,
        help_text=gettext_lazy("Anything: the dice depend on it, and nobody can know it before."),
    )


class ActForm(forms.Form):
    """An act of a seat: `act`, and for a bid the field of the track, the face and the dice that roll again."""

    act = forms.ChoiceField(choices=[(act, act) for act in ("bid", "challenge", "leave")])
    key = forms.UUIDField()
    length = forms.IntegerField(min_value=0, required=False)
    field = forms.RegexField(r"^(\d{1,2}\*?)?$", required=False)
    face = forms.RegexField(r"^[1-5*]?$", required=False)
    typed = forms.CharField(max_length=40, required=False)
    roll = forms.TypedMultipleChoiceField(choices=[(place, place) for place in range(20)], coerce=int, required=False)

    def bid(self, cup: str) -> str:
        """The bid, as an entry has it; `cup`: the dice under the own cup."""
        data = self.cleaned_data
        return data["typed"] or bid_of_form(data["field"], data["face"], cup, data["roll"])

    def uuid(self) -> UUID:
        """The key by which the same act, sent twice, is one."""
        key: UUID = self.cleaned_data["key"]
        return key
