"""The forms of a ruling: what is decided, and what the ruling states."""

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
"""No game has more rounds."""
NO_RULE = ("", gettext_lazy("no rule in particular"))


class DecisionForm(forms.Form):
    """What a verb asks for: a seat, points, a round, the place of each seat, or the corrected game
    as text.

    `ranks`: those of the seats as they count now, for a verb that sets them. `rounds`: those of the
    game, by number and in words; none where they aren't known."""

    seat = forms.TypedChoiceField(label=gettext_lazy("Whom?"), coerce=int, widget=forms.RadioSelect)
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
        for name in [name for name in self.fields if name not in rules.asks]:
            del self.fields[name]
        if "seat" in self.fields:
            offer(self, "seat", [(seat.number, seat.name) for seat in seats])
        if "round_number" in self.fields and rounds:
            self.fields["round_number"] = forms.TypedChoiceField(
                label=gettext_lazy("Which round?"),
                coerce=int,
                choices=[("", gettext_lazy("Choose a round")), *rounds],
            )
        self.places = [f"place_{seat.number}" for seat in seats] if "ranks" in rules.asks else []
        counting = dict(enumerate(ranks))
        for name, seat in zip(self.places, seats, strict=False):
            choices = [(place, place) for place in range(1, len(seats) + 1)]
            self.fields[name] = forms.TypedChoiceField(
                label=gettext_lazy("Place of %(name)s") % {"name": seat.name},
                coerce=int,
                choices=choices,
                initial=counting.get(seat.number),
            )

    def decision(self) -> RulingDecision:
        """Return what was decided; the form is valid."""
        cleaned: dict[str, Any] = dict(self.cleaned_data)
        if self.places:
            cleaned["ranks"] = tuple(cleaned.pop(name) for name in self.places)
        if "line" in cleaned:
            cleaned["line"] = cleaned["line"].encode()
        return RulingDecision(self.verb, **cleaned)


def rounds_in_words(record: Record, seats: Sequence[SeatAtTable]) -> list[tuple[int, str]]:
    """Return the rounds of a record of Bluff, each by its number and in words; none of another
    one."""
    if record.kind is not BLUFF or record.outcome is not None:
        return []
    names = [seat.name for seat in seats]
    return [(played.number, _round_in_words(played, names)) for played in rounds_of(record)]


def _round_in_words(played: PlayedRound, names: Sequence[str]) -> str:
    words = [gettext("Round %(number)d") % {"number": played.number}]
    if played.bid and played.bidder is not None:
        bid = {
            "name": names[played.bidder],
            "bid": played.bid.replace("x", " × ").replace("*", "★"),
        }
        words.append(gettext("%(name)s bid %(bid)s") % bid)
    words += [f"{names[seat]} {-lost:+d}".replace("-", "−") for seat, lost in played.losses]
    return " · ".join(words)


class FindingForm(forms.Form):
    """The facts found, the rule, the reason, and the seats to which the arbiter is close."""

    findings = model_field(
        Ruling,
        "findings",
        label=gettext_lazy("What happened"),
        help_text=gettext_lazy(
            "The facts that you found. Leave names out of it: everybody can read this."
        ),
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
        offer(
            self,
            "rule",
            [NO_RULE, *((rule.number, f"{rule.number} {rule.title}") for rule in headings)],
        )
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
