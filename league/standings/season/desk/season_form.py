"""The settings of a season as a form: those of its game come from the engine's ruleset."""

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
from django.utils.translation import gettext, gettext_lazy

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
"""Chosen for a setting on which the season's games needn't agree."""
FOLLOWS: Final = ""
"""Chosen for a scoring that follows from what is written down."""
OWN: Final = ""
"""Chosen where the settings say the rules, not a text by its name."""
FEW: Final = 5
"""Up to so many choices of a rule stand open; more are folded into a list."""
BEGINS_FREE: Final = frozenset({"scoring"})
"""Settings that a new season leaves free: what a record tells of points doesn't change the
table."""


def rule_field(kind: str, setting: Setting) -> forms.ChoiceField:
    """The field of one setting of the game's ruleset; its choices are JSON."""
    words = WORDS[kind, setting.name]
    sentences = [
        (json.dumps(value), value_in_words(kind, setting.name, value)) for value in setting.choices
    ]
    return forms.ChoiceField(
        widget=forms.RadioSelect if len(sentences) <= FEW else forms.Select,
        label=words.label,
        help_text=_ruling(words.ruling),
        choices=[(FREE, gettext("open: each game says for itself")), *sentences],
        initial=FREE if setting.name in BEGINS_FREE else json.dumps(setting.default),
    )


def text_field(kind: str) -> forms.ChoiceField:
    """The field of the rule text that is played by; what it settles goes before the fields of the
    settings."""
    return forms.ChoiceField(
        label=gettext("By which rules do you play?"),
        help_text=format_html(
            '{} <a href="{}">{}</a>',
            gettext(
                "A text by its name sets the rules that it settles, with its expansions and "
                "options off."
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
    """The field of what the club writes down of a game of a kind."""
    return forms.ChoiceField(
        widget=forms.RadioSelect,
        label=gettext("What do you write down?"),
        help_text=gettext(
            "This is what the form of a result asks for, and how games count in the table and in "
            "new stages. Whoever "
            "has more can always enter more: a record of all rounds, too."
        ),
        choices=list(NOTES_OF[Kind(kind)].items()),
        initial=Notes.PLACES.value,
        required=False,
    )


def scoring_field(kind: str) -> forms.ChoiceField:
    """The field of a table's scoring, which follows from what is written down where nothing else is
    chosen."""
    return forms.ChoiceField(
        label=gettext("Points of a game in the table"),
        help_text=gettext(
            "For the table of the season alone. A stage of an event has a scoring of its own, by "
            "which its rounds are "
            "drawn and its winner is found; it begins with what fits this."
        ),
        choices=[
            (FOLLOWS, gettext("as it follows from what you write down")),
            *[(choice.value, choice.label) for choice in SCORINGS[Kind(kind)]],
        ],
        required=False,
    )


def counted_chosen(kind: str, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The `notes` and the `scoring` that a form's fields agree on."""
    if not cleaned["notes"]:
        scoring = Scoring(cleaned["scoring"] or Scoring.PLACEMENT)
        return {"notes": scoring_notes(scoring), "scoring": scoring}
    return {
        "notes": Notes(cleaned["notes"]),
        "scoring": Scoring(cleaned["scoring"] or notes_scoring(kind, cleaned["notes"])),
    }


def rules_chosen(kind: str, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that a form's fields `text` and `rule_<setting>` agree on; what is left free isn't
    in it."""
    fields = {setting.name: cleaned[f"rule_{setting.name}"] for setting in settings_of(KINDS[kind])}
    rules = {name: json.loads(value) for name, value in fields.items() if value != FREE}
    return rules | dict(RULE_TEXTS[cleaned["text"]].rules if cleaned.get("text") else {})


def _ruling(number: str) -> SafeString | str:
    if not number:
        return ""
    return format_html(
        '<a href="{}#{}">{}</a>',
        reverse("rules"),
        number.lower(),
        gettext("Ruling %(number)s") % {"number": number},
    )


class RulesForm(forms.Form):
    """What is played: the rules are fields `rule_<setting>`, which `text` overrules; then how it
    counts."""

    kind: str

    def add_rules(self, *, settled: bool = False) -> None:
        """Add the fields for the kind of game. Where `settled`, because games are in, rules and
        scoring can't be chosen any more."""
        if not settled:
            self.fields["text"] = text_field(self.kind)
        for setting in settings_of(KINDS[self.kind]):
            self._add_settled(f"rule_{setting.name}", rule_field(self.kind, setting), settled)
        self.fields["notes"] = notes_field(self.kind)
        self._add_settled("scoring", scoring_field(self.kind), settled)

    def _add_settled(self, name: str, field: forms.ChoiceField, settled: bool) -> None:
        """Add a field that can't be changed any more where `settled`, which is said beside it."""
        if settled:
            field.disabled = True
            field.help_text = SETTLED_ADVICE
        self.fields[name] = field

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """The fields of the game's rules."""
        return [self[name] for name in self.fields if name.startswith("rule_")]

    def rules(self) -> dict[str, Any]:
        """The rules, what is noted and how it counts, as they are chosen."""
        return {
            "rules": rules_chosen(self.kind, self.cleaned_data),
            **counted_chosen(self.kind, self.cleaned_data),
        }


class NextSeasonForm(forms.Form):
    """A season that is made from an earlier one: what it is called, and when it begins."""

    name = model_field(Season, "name", label=gettext_lazy("Name of the new season"))
    slug = slug_field()
    starts_on = forms.DateField(
        label=gettext_lazy("Starts on"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, season: Season, data: QueryDict | None) -> None:
        super().__init__(data)
        self.season = season

    def settings(self) -> dict[str, Any]:
        """Return what the service that makes it is given."""
        name, slug = self.cleaned_data["name"], self.cleaned_data["slug"]
        slug = slug_from(name, slug, self.season.club.seasons, nameless="season")
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
    visibility = forms.ChoiceField(label=gettext_lazy("Who may see it"), choices=Visibility.choices)
    archived = forms.BooleanField(
        label=gettext_lazy("Put it in the archive"),
        help_text=gettext_lazy(
            "It then stands below the others, and not on the first page. Its pages stay as "
            "they are."
        ),
        required=False,
    )
    online = model_field(
        Season,
        "online",
        label=gettext_lazy("Online tables may count here"),
        help_text=gettext_lazy(
            "Players of the club who have an account can then open tables whose games count in "
            "this season. "
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
        self.club, self.kind, self.season = club, kind, season
        super().__init__(data, initial=self._initial())
        self.add_rules(settled=settled)
        self.add_tie_breaks(TieBreak.choices, required=1)
        if season is None:
            del self.fields["archived"]
        if kind not in ONLINE_KINDS:
            del self.fields["online"]

    def _initial(self) -> dict[str, Any]:
        """Return what the season has, or what a new one begins with."""
        ranking = self.season.ranking if self.season else None
        breaks = ranking.tie_breaks if ranking else default_tie_breaks()
        if self.season is None or ranking is None:
            return by_place(breaks) | {
                "rated": True,
                "starts_on": timezone.localdate(timezone=ZoneInfo(self.club.timezone)),
            }
        agreed = {f"rule_{name}": json.dumps(value) for name, value in self.season.rules.items()}
        free = {f"rule_{setting.name}": FREE for setting in settings_of(KINDS[self.kind])}
        season_values = {
            name: getattr(self.season, name) for name in SETTINGS if name not in ("kind", "rules")
        }
        return (
            free
            | agreed
            | season_values
            | by_place(breaks)
            | {"rated": ranking.rated, "scoring": ranking.scoring}
        )

    def settings(self) -> dict[str, Any]:
        """Return what the service is given."""
        cleaned = self.cleaned_data
        slug_asked = cleaned["slug"] or (self.season.slug if self.season else "")
        slug = slug_from(cleaned["name"], slug_asked, self.club.seasons, nameless="season")
        values: dict[str, Any] = {
            name: cleaned[name] for name in (*SETTINGS, *RANKING_SETTINGS) if name in cleaned
        }
        return values | {
            "kind": self.kind,
            "slug": slug,
            **self.rules(),
            "tie_breaks": [TieBreak(name) for name in self.tie_breaks()],
        }
