"""The forms of a ruling: the decision and the finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language, gettext, gettext_lazy

from engine.record.bluff.kind import BLUFF
from engine.record.record import Record
from engine.scoring.points import MOST_PENALTY
from games.domain.round import PlayedRound, rounds_of
from games.models import Game
from league.core.frame.forms import model_field, offer
from league.disputes.ruling.domain import Finding, RulingDecision, rule_headings
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.services.verb import VerbRules
from league.standings.ranked_game.queries.game import SeatAtTable

MOST_ROUNDS: Final = 500
"""The highest number of a round that the form takes."""
NO_RULE = ("", gettext_lazy("no rule in particular"))


class DecisionForm(forms.Form):
    """The fields for which a verb asks: a seat, points, a round, the place of each seat, or the
    record of the corrected game.

    `ranks`: today's places of the seats, for a verb that sets them. `rounds`: the rounds of the
    game, by number and in words; empty if they aren't known."""

    seat = forms.TypedChoiceField(
        label=gettext_lazy("Which player?"), coerce=int, widget=forms.RadioSelect
    )
    points = forms.IntegerField(
        label=gettext_lazy("How many points?"), min_value=1, max_value=MOST_PENALTY
    )
    round_number = forms.IntegerField(
        label=gettext_lazy("Which round?"), min_value=1, max_value=MOST_ROUNDS
    )
    line = forms.CharField(widget=forms.HiddenInput, strip=False)

    def __init__(
        self,
        rules: VerbRules,
        seats: Sequence[SeatAtTable],
        ranks: Sequence[int] = (),
        rounds: Sequence[tuple[int, str]] = (),
        sent: QueryDict | None = None,
    ) -> None:
        super().__init__(sent)
        self.verb = rules.verb
        for name in list(self.fields):
            if name not in rules.asks:
                del self.fields[name]
        if "seat" in self.fields:
            offer(self, "seat", [(seat.number, seat.name) for seat in seats])
        if "round_number" in self.fields and rounds:
            self.fields["round_number"] = forms.TypedChoiceField(
                label=gettext_lazy("Which round?"),
                coerce=int,
                choices=[("", gettext_lazy("Choose a round")), *rounds],
            )
        self.places: list[str] = []
        if "ranks" in rules.asks:
            self._add_places(seats, ranks)

    def _add_places(self, seats: Sequence[SeatAtTable], ranks: Sequence[int]) -> None:
        ranks_today = dict(enumerate(ranks))
        choices = [(place, place) for place in range(1, len(seats) + 1)]
        for seat in seats:
            name = f"place_{seat.number}"
            self.places.append(name)
            self.fields[name] = forms.TypedChoiceField(
                label=gettext_lazy("Place of %(name)s") % {"name": seat.name},
                coerce=int,
                choices=choices,
                initial=ranks_today.get(seat.number),
            )

    def decision(self) -> RulingDecision:
        """Return the decision of a valid form."""
        cleaned: dict[str, Any] = dict(self.cleaned_data)
        if self.places:
            cleaned["ranks"] = tuple(cleaned.pop(name) for name in self.places)
        if "line" in cleaned:
            cleaned["line"] = cleaned["line"].encode()
        return RulingDecision(self.verb, **cleaned)


def rounds_in_words(record: Record, seats: Sequence[SeatAtTable]) -> list[tuple[int, str]]:
    """Return the rounds of a record of Bluff, by number and in words; empty for other games."""
    if record.kind is not BLUFF or record.outcome is not None:
        return []
    names = [seat.name for seat in seats]
    return [(played.number, _round_in_words(played, names)) for played in rounds_of(record)]


def _round_in_words(played: PlayedRound, names: Sequence[str]) -> str:
    """Return a round as “Round 3 · Ann bid 4 × 5 · Ben −1”."""
    parts = [gettext("Round %(number)d") % {"number": played.number}]
    if played.bid and played.bidder is not None:
        bid = {
            "name": names[played.bidder],
            "bid": played.bid.replace("x", " × ").replace("*", "★"),
        }
        parts.append(gettext("%(name)s bid %(bid)s") % bid)
    for seat, lost in played.losses:
        parts.append(f"{names[seat]} {-lost:+d}".replace("-", "−"))
    return " · ".join(parts)


class FindingForm(forms.Form):
    """The finding of a ruling: facts, rule, reason, and the seats to which the arbiter is close."""

    findings = model_field(
        Ruling,
        "findings",
        label=gettext_lazy("What happened"),
        help_text=gettext_lazy("The facts you found. Don’t name anybody: everybody can read this."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    rule = forms.ChoiceField(label=gettext_lazy("Rule"), required=False)
    reason = model_field(
        Ruling,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("One sentence: why you rule this way. Everybody can read it."),
    )
    close_to = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Are you close to somebody at this table?"),
        help_text=gettext_lazy(
            "Family, a partner, a team. Leave it empty if not. Everybody can read it."
        ),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    named = model_field(Ruling, "named")
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self, game: Game, seats: Sequence[SeatAtTable], sent: QueryDict | None = None
    ) -> None:
        super().__init__(sent, initial={"key": uuid4()})
        headings = rule_headings(game.kind, get_language() or "en")
        rules = [(rule.number, f"{rule.number} {rule.title}") for rule in headings]
        offer(self, "rule", [NO_RULE, *rules])
        offer(self, "close_to", [(seat.number, seat.name) for seat in seats])

    def finding(self) -> Finding:
        """Return the finding of a valid form."""
        cleaned = self.cleaned_data
        return Finding(
            findings=cleaned["findings"],
            reason=cleaned["reason"],
            rule=cleaned["rule"],
            close_to=tuple(cleaned["close_to"]),
            named=cleaned["named"],
        )

    def ruling_key(self) -> UUID:
        """Return the key by which a form that is sent again makes no second ruling."""
        key: UUID = self.cleaned_data["key"]
        return key
