"""The forms of a ruling: what is decided, and what the ruling states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language, gettext_lazy

from games.models import Game
from league.core.frame.forms import model_field, offer
from league.disputes.ruling.domain import Decision, Finding, rule_headings
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.services.verb import VerbRules
from league.standings.ranked_game.queries.game import SeatAtTable

NO_RULE = ("", gettext_lazy("no rule in particular"))


class DecisionForm(forms.Form):
    """What a verb asks for: a seat, or the corrected game as text."""

    seat = forms.TypedChoiceField(label=gettext_lazy("Whom?"), coerce=int)
    line = forms.CharField(widget=forms.HiddenInput, strip=False)

    def __init__(self, rules: VerbRules, seats: Sequence[SeatAtTable], sent: QueryDict | None = None) -> None:
        super().__init__(sent)
        self.verb = rules.verb
        for name in [name for name in self.fields if name not in rules.asks]:
            del self.fields[name]
        if "seat" in self.fields:
            offer(self, "seat", [(seat.number, seat.name) for seat in seats])

    def decision(self) -> Decision:
        """Return what was decided; the form is valid."""
        cleaned: dict[str, Any] = dict(self.cleaned_data)
        if "line" in cleaned:
            cleaned["line"] = cleaned["line"].encode()
        return Decision(self.verb, **cleaned)


class FindingForm(forms.Form):
    """The facts found, the rule, the reason, and the seats to which the arbiter is close."""

    findings = model_field(
        Ruling,
        "findings",
        label=gettext_lazy("What happened"),
        help_text=gettext_lazy("The facts that you found. Leave names out of it: everybody can read this."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    rule = forms.ChoiceField(label=gettext_lazy("Rule"), required=False)
    reason = model_field(
        Ruling,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("One sentence: why you rule so. Everybody can read it."),
    )
    close_to = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Are you close to somebody at this table?"),
        help_text=gettext_lazy("Family, a partner, a team. Leave it empty if not. Everybody can read it."),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    named = model_field(Ruling, "named")
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, game: Game, seats: Sequence[SeatAtTable], sent: QueryDict | None = None) -> None:
        super().__init__(sent, initial={"key": uuid4()})
        headings = rule_headings(game.kind, get_language() or "en")
        offer(self, "rule", [NO_RULE, *((rule.number, f"{rule.number} {rule.title}") for rule in headings)])
        offer(self, "close_to", [(seat.number, seat.name) for seat in seats])

    def finding(self) -> Finding:
        """Return what the ruling states; the form is valid."""
        cleaned = self.cleaned_data
        return Finding(
            findings=cleaned["findings"],
            reason=cleaned["reason"],
            rule=cleaned["rule"],
            close_to=tuple(cleaned["close_to"]),
            named=cleaned["named"],
        )

    def ruling_key(self) -> UUID:
        """Return the key that makes the same form one ruling, however often it is sent."""
        key: UUID = self.cleaned_data["key"]
        return key
