"""The forms of online tables: a new table, a guest's name, and an act."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from engine.bluff.ruleset import EXACT, SCORING
from engine.record.kinds import KINDS
from games.domain.rule_text import RULE_TEXTS
from games.domain.ruleset import WORDS
from games.models import Kind
from league.core.frame.forms import model_field
from league.play.online_table.domain.bluff import bid_of_form
from league.play.online_table.models import SETTINGS, OnlineSeat, OnlineTable, Pace
from league.standings.season.desk.season_form import text_field
from league.standings.season.models import Season


def setting_choices(kind: Kind, setting: str, values: Iterable[Any]) -> list[tuple[str, Any]]:
    """Return the values of a rule of a kind of game, each with its sentence."""
    sentences = WORDS[kind, setting].sentences
    return [(value, sentences[value]) for value in values]


class TableForm(forms.Form):
    """The settings of a new table of any game: the rules of its `kind`, seats and time.

    `rule_names`: the fields that are rules, named as in a record. `season`: the season in which the
    game counts. Rules that the season settles aren't asked for.
    """

    kind: ClassVar[Kind]
    rule_names: ClassVar[Sequence[str]]

    move_days = forms.TypedChoiceField(
        label=gettext_lazy("Pace"),
        choices=Pace.choices,
        coerce=int,
        widget=forms.RadioSelect,
        initial=Pace.LIVE,
        required=False,
        empty_value=str(Pace.LIVE.value),
        help_text=gettext_lazy(
            "Turn by turn, nobody has to stay at the table: players with an account are told "
            "when it is their turn. Seconds apply only to live tables."
        ),
    )
    move_seconds = model_field(
        OnlineTable, "move_seconds", label=gettext_lazy("Seconds for a move")
    )
    bank_seconds = model_field(
        OnlineTable,
        "bank_seconds",
        label=gettext_lazy("Extra seconds for the whole game"),
        help_text=gettext_lazy(
            "Once these are used up as well, the others decide whether to wait or to play on "
            "without that player."
        ),
    )
    listed = model_field(
        OnlineTable,
        "listed",
        label=gettext_lazy("Show it on the club’s page"),
        help_text=gettext_lazy(
            "Then anybody can sit down or watch. Otherwise only people with the link can."
        ),
    )
    players_only = model_field(
        OnlineTable,
        "players_only",
        label=gettext_lazy("Only club players can sit down"),
        help_text=gettext_lazy("They need an account. Everybody else can watch."),
    )
    programs_welcome = model_field(
        OnlineTable,
        "programs_welcome",
        label=gettext_lazy("Programs are welcome"),
        help_text=gettext_lazy(
            "Accounts marked as programs can sit down, too. Otherwise only people can."
        ),
    )

    def __init__(self, data: QueryDict | None, season: Season | None = None) -> None:
        super().__init__(data)
        seats = KINDS[self.kind].seats
        self.fields["most_seats"] = model_field(
            OnlineTable,
            "most_seats",
            label=gettext_lazy("Seats"),
            max_value=seats[-1],
            initial=seats[-1],
        )
        if season is None:
            self.fields["text"] = text_field(self.kind)
        self.order_fields(["most_seats", "text", *self.rule_names, "move_days"])
        self.settled: dict[str, Any] = dict(season.rules) if season else {}
        for name in self.settled:
            self.fields.pop(name, None)
        if season is not None:
            del self.fields["players_only"]

    def rules(self) -> dict[str, Any]:
        """Return the rules as in a record. A rule text overrides the rules that are chosen one by
        one.
        """
        chosen = {name: self.cleaned_data[name] for name in self.rule_names if name in self.fields}
        text = self.cleaned_data.get("text")
        by_text = RULE_TEXTS[text].rules if text else {}
        return {**chosen, **by_text, **self.settled}

    def settings(self) -> dict[str, Any]:
        """Return the kind of game and the settings of the new table; settings that aren't asked for
        keep their defaults.
        """
        chosen = {name: self.cleaned_data[name] for name in SETTINGS if name in self.fields}
        return {"kind": self.kind, **chosen}


class NewTableForm(TableForm):
    """The rules and settings of a new table of Bluff. `exact` holds one rule, so two such rules
    can't be combined.
    """

    kind: ClassVar = Kind.BLUFF
    rule_names: ClassVar = ("exact", "reroll", "scoring")

    exact = forms.ChoiceField(
        label=gettext_lazy("Exact hit"),
        choices=setting_choices(Kind.BLUFF, "exact", EXACT),
        widget=forms.RadioSelect,
        initial="all",
        help_text=gettext_lazy(
            "Only one of these applies: a die can’t be given away and lost by everybody at once."
        ),
    )
    reroll = forms.BooleanField(
        label=gettext_lazy("When bidding, you may lay out dice and reroll the others."),
        required=False,
    )
    scoring = forms.ChoiceField(
        label=gettext_lazy("What results show"),
        choices=setting_choices(Kind.BLUFF, "scoring", SCORING),
        widget=forms.RadioSelect,
        initial="placement",
    )

    def rules(self) -> dict[str, Any]:
        """Return the rules as in a record, with five dice for each seat unless the season says
        otherwise.
        """
        return {"dice": 5, **super().rules()}


class SitForm(forms.Form):
    """The name of a guest. `seed`: words of the guest's own that go into the dice."""

    name = model_field(OnlineSeat, "name", label=gettext_lazy("Your name"))
    seed = forms.CharField(
        label=gettext_lazy("Your words for the dice"),
        max_length=32,
        required=False,
        help_text=gettext_lazy(
            "Anything you like: the dice depend on it, and nobody can know it beforehand."
        ),
    )


class UnsentForm(forms.Form):
    """The unsent choices for a move, in any game. `length`: how many entries the seat has seen."""

    length = forms.IntegerField(min_value=0)

    def chosen(self) -> dict[str, list[str]]:
        """Return the chosen values by the names of the fields, in the shape of the move's form."""
        chosen: dict[str, list[str]] = {}
        for name in self.fields.keys() - {"length"}:
            value = self.cleaned_data[name]
            values = value if isinstance(value, list) else [value]
            chosen[name] = sorted({str(each) for each in values if each != ""})
        return chosen


class BidForm(forms.Form):
    """A bid as it is chosen: the field of the track, the face, and which dice roll again."""

    field = forms.RegexField(r"^(\d{1,2}\*?)?$", required=False)
    face = forms.RegexField(r"^[1-5*]?$", required=False)
    roll = forms.TypedMultipleChoiceField(
        choices=[(place, place) for place in range(20)],
        coerce=int,
        required=False,
    )


class UnsentBidForm(UnsentForm, BidForm):
    """A bid that is chosen and not sent yet."""


class ActForm(BidForm):
    """An act of a seat: `act`, and for a bid either the chosen parts or `typed`, the bid in one
    line.
    """

    act = forms.ChoiceField(choices=[(act, act) for act in ("bid", "challenge", "leave")])
    key = forms.UUIDField()
    length = forms.IntegerField(min_value=0, required=False)
    typed = forms.CharField(max_length=40, required=False)

    def bid(self, cup: str) -> str:
        """Return the text of the bid for an entry of the sheet. `cup`: the dice under the seat's own
        cup."""
        data = self.cleaned_data
        return data["typed"] or bid_of_form(data["field"], data["face"], cup, data["roll"])

    def uuid(self) -> UUID:
        """Return the key of the act. An act that is sent twice has the same key."""
        key: UUID = self.cleaned_data["key"]
        return key
