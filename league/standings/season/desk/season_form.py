"""The settings of a season as a form; those of its game come from the engine's ruleset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, pgettext

from engine.record.kinds import KINDS
from engine.record.setting import Setting, settings_of
from games.domain.rule_text import RULE_TEXTS, rule_texts
from games.domain.ruleset import WORDS, value_in_words
from games.models.game import Kind
from league.core.club.models import Club
from league.core.frame.forms import model_field
from league.core.frame.slug import slug_field, slug_from
from league.standings.ranking.models import Scoring, TieBreak, default_tie_breaks
from league.standings.season.desk.tie_break_form import TieBreaksForm, by_place
from league.standings.season.models import (
    NOTES_OF,
    ONLINE_KINDS,
    SCORINGS,
    Notes,
    Season,
    Visibility,
    notes_scoring,
    scoring_notes,
)
from league.standings.season.services.season import RANKING_SETTINGS, SETTINGS, SETTLED_ADVICE

FREE: Final = "free"
"""The choice for a setting on which the season's games needn't agree."""
FOLLOWS: Final = ""
"""The choice for a scoring that follows from what the club writes down."""
OWN: Final = ""
"""The choice for rules by the settings below, not by a named text."""
FEW: Final = 5
"""Up to this number, the choices of a rule are all shown; more become a drop-down list."""
BEGINS_FREE: Final = frozenset({"scoring"})
"""Settings that a new season leaves free: the points in a record don't change the table."""


def rule_field(kind: str, setting: Setting) -> forms.ChoiceField:
    """Return the field of one setting of the game's ruleset; its choices are JSON."""
    texts = WORDS[kind, setting.name]
    choices: list[tuple[str, Any]] = [(FREE, gettext("open: each game states its own"))]
    for value in setting.choices:
        choices.append((json.dumps(value), value_in_words(kind, setting.name, value)))
    return forms.ChoiceField(
        widget=forms.RadioSelect if len(setting.choices) <= FEW else forms.Select,
        label=texts.label,
        help_text=_ruling_link(texts.ruling),
        choices=choices,
        initial=FREE if setting.name in BEGINS_FREE else json.dumps(setting.default),
    )


def text_field(kind: str) -> forms.ChoiceField:
    """Return the field for a named rule text; the text's settings overrule those of their own
    fields."""
    return forms.ChoiceField(
        label=gettext("Which rules do you play by?"),
        help_text=format_html(
            '{} <a href="{}">{}</a>',
            gettext(
                "Choosing a text sets the rules it covers, with its expansions and options off."
            ),
            reverse("rules"),
            gettext("Where the texts differ"),
        ),
        choices=[
            (OWN, gettext("as chosen below")),
            *[(text.name, text.label) for text in rule_texts(kind)],
        ],
        required=False,
    )


def notes_field(kind: str) -> forms.ChoiceField:
    """Return the field of what the club writes down of a game of this kind."""
    return forms.ChoiceField(
        widget=forms.RadioSelect,
        label=gettext("What do you write down?"),
        help_text=gettext(
            "This decides what the result form asks for, and how games count in the table and in "
            "new stages. You can always enter more, even a record of every round."
        ),
        choices=list(NOTES_OF[Kind(kind)].items()),
        initial=Notes.PLACES.value,
        required=False,
    )


def scoring_field(kind: str) -> forms.ChoiceField:
    """Return the field of the table's scoring, which by default follows from what is written
    down."""
    return forms.ChoiceField(
        label=gettext("How a game scores in the table"),
        help_text=gettext(
            "Only for the season’s table. Each stage of an event has its own scoring, which "
            "decides how rounds are drawn and who wins; it starts with one that fits this."
        ),
        choices=[
            (FOLLOWS, gettext("to match what you write down")),
            *[(choice.value, choice.label) for choice in SCORINGS[Kind(kind)]],
        ],
        required=False,
    )


def counted_chosen(kind: str, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `notes` and the `scoring` that a form's fields give. An empty field follows from
    the other one; if both are empty, the club writes down places."""
    if not cleaned["notes"]:
        scoring = Scoring(cleaned["scoring"] or Scoring.PLACEMENT)
        return {"notes": scoring_notes(scoring), "scoring": scoring}
    return {
        "notes": Notes(cleaned["notes"]),
        "scoring": Scoring(cleaned["scoring"] or notes_scoring(kind, cleaned["notes"])),
    }


def rules_chosen(kind: str, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules that follow from a form's fields `text` and `rule_<setting>`, without those
    left free."""
    rules = {}
    for setting in settings_of(KINDS[kind]):
        value = cleaned[f"rule_{setting.name}"]
        if value != FREE:
            rules[setting.name] = json.loads(value)
    if cleaned.get("text"):
        rules.update(RULE_TEXTS[cleaned["text"]].rules)
    return rules


def _ruling_link(number: str) -> SafeString | str:
    if not number:
        return ""
    return format_html(
        '<a href="{}#{}">{}</a>',
        reverse("rules"),
        number.lower(),
        pgettext("of the printed rules", "Ruling %(number)s") % {"number": number},
    )


class RulesForm(forms.Form):
    """The rules as fields `rule_<setting>`, which `text` overrules, and how games count."""

    kind: str

    def add_rules(self, *, settled: bool = False) -> None:
        """Add the fields for the kind of game. `settled`: games are in, so rules and scoring are
        fixed."""
        if not settled:
            self.fields["text"] = text_field(self.kind)
        for setting in settings_of(KINDS[self.kind]):
            self._add_field(f"rule_{setting.name}", rule_field(self.kind, setting), settled)
        self.fields["notes"] = notes_field(self.kind)
        self._add_field("scoring", scoring_field(self.kind), settled)

    def _add_field(self, name: str, field: forms.ChoiceField, settled: bool) -> None:
        if settled:
            field.disabled = True
            field.help_text = SETTLED_ADVICE
        self.fields[name] = field

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """Return the fields of the game's rules."""
        return [self[name] for name in self.fields if name.startswith("rule_")]

    def rules(self) -> dict[str, Any]:
        """Return the chosen rules, notes and scoring."""
        return {
            "rules": rules_chosen(self.kind, self.cleaned_data),
            **counted_chosen(self.kind, self.cleaned_data),
        }


class NextSeasonForm(forms.Form):
    """The name, address and first day of a season made from an earlier one."""

    name = model_field(Season, "name", label=gettext_lazy("Name of the new season"))
    slug = slug_field()
    starts_on = forms.DateField(
        label=gettext_lazy("Starts on"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, season: Season, data: QueryDict | None) -> None:
        super().__init__(data)
        self.season = season

    def settings(self) -> dict[str, Any]:
        """Return the settings for the service that creates the season."""
        name = self.cleaned_data["name"]
        slug = slug_from(
            name, self.cleaned_data["slug"], self.season.club.seasons, nameless="season"
        )
        return {"name": name, "slug": slug, "starts_on": self.cleaned_data["starts_on"]}


class SeasonSettingsForm(RulesForm, TieBreaksForm):
    """The settings of a season of one kind of game, and of its ranking."""

    name = model_field(Season, "name", label=gettext_lazy("Name"))
    slug = slug_field()
    starts_on = forms.DateField(
        label=gettext_lazy("Starts on"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )
    ends_on = forms.DateField(
        label=gettext_lazy("Ends on"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        required=False,
    )
    visibility = forms.ChoiceField(label=gettext_lazy("Who can see it"), choices=Visibility.choices)
    archived = forms.BooleanField(
        label=gettext_lazy("Put it in the archive"),
        help_text=gettext_lazy(
            "It’s then listed below the others, and not on the first page. Its pages stay as they "
            "are."
        ),
        required=False,
    )
    online = model_field(
        Season,
        "online",
        label=gettext_lazy("Online tables may count here"),
        help_text=gettext_lazy(
            "Players of the club who have an account can then open tables "
            "whose games count in this season. "
            "The service deals, so nobody has to confirm them."
        ),
    )
    rated = forms.BooleanField(label=gettext_lazy("With ratings"), required=False)

    def __init__(
        self,
        club: Club,
        kind: str,
        data: QueryDict | None,
        *,
        season: Season | None = None,
        settled: bool = False,
    ) -> None:
        self.club = club
        self.kind = kind
        self.season = season
        super().__init__(data, initial=self._initial())
        self.add_rules(settled=settled)
        self.add_tie_breaks(TieBreak.choices, required=1)
        if season is None:
            del self.fields["archived"]
        if kind not in ONLINE_KINDS:
            del self.fields["online"]

    def _initial(self) -> dict[str, Any]:
        if self.season is None:
            today = timezone.localdate(timezone=ZoneInfo(self.club.timezone))
            return {**by_place(default_tie_breaks()), "rated": True, "starts_on": today}
        initial: dict[str, Any] = {}
        for setting in settings_of(KINDS[self.kind]):
            initial[f"rule_{setting.name}"] = FREE
        for name, value in self.season.rules.items():
            initial[f"rule_{name}"] = json.dumps(value)
        for name in SETTINGS:
            if name not in ("kind", "rules"):
                initial[name] = getattr(self.season, name)
        ranking = self.season.ranking
        initial.update(by_place(ranking.tie_breaks))
        initial["rated"] = ranking.rated
        initial["scoring"] = ranking.scoring
        return initial

    def settings(self) -> dict[str, Any]:
        """Return the settings for the service."""
        cleaned = self.cleaned_data
        chosen_slug = cleaned["slug"] or (self.season.slug if self.season else "")
        values: dict[str, Any] = {
            name: cleaned[name] for name in (*SETTINGS, *RANKING_SETTINGS) if name in cleaned
        }
        values["kind"] = self.kind
        values["slug"] = slug_from(
            cleaned["name"], chosen_slug, self.club.seasons, nameless="season"
        )
        values.update(self.rules())
        values["tie_breaks"] = [TieBreak(name) for name in self.tie_breaks()]
        return values
