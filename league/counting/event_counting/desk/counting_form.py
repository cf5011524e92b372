"""Forms of how a season's events count, and of its divisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from league.core.frame.forms import model_field
from league.core.player.models import Player
from league.core.player.queries.player import players_of_handles
from league.counting.event_counting.domain import DivisionRows
from league.counting.event_counting.models import EventCounting, Per
from league.standings.division.models import Division
from league.standings.season.models import Season

EMPTY_DIVISIONS: Final = 2
"""The number of empty divisions at the end of the form."""


class CountingForm(forms.Form):
    """The settings of how the events of a season count together."""

    per = forms.ChoiceField(
        label=gettext_lazy("What counts from each event"),
        choices=[
            ("", gettext_lazy("nothing: the season’s table counts games only")),
            *Per.choices,
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    best = model_field(
        EventCounting,
        "best",
        label=gettext_lazy("Events counted per player"),
        help_text=gettext_lazy(
            "Each player’s best events count. Leave empty to count all of them."
        ),
    )
    points = forms.CharField(
        label=gettext_lazy("Points by rank"),
        help_text=gettext_lazy(
            "For example 10 6 4 3 2 1. Leave empty for one point per player you finish ahead of."
        ),
        max_length=200,
        required=False,
    )

    def __init__(self, counting: EventCounting | None, data: QueryDict | None) -> None:
        initial: dict[str, Any] = {"per": ""}
        if counting is not None:
            points = " ".join(map(str, counting.points_table or ()))
            initial = {"per": counting.per, "best": counting.best, "points": points}
        super().__init__(data, initial=initial)

    def clean_points(self) -> list[int] | None:
        """Return the points of rank 1, 2, …; None if the field is empty."""
        numbers = self.cleaned_data["points"].replace(",", " ").split()
        if (
            any(not number.isdecimal() or int(number) > 10_000 for number in numbers)
            or len(numbers) > 100
        ):
            raise ValidationError(
                gettext("Enter up to 100 whole numbers, for example 10 6 4 3 2 1.")
            )
        return [int(number) for number in numbers] or None

    def settings(self) -> dict[str, Any]:
        """Return the settings for `counting_change`."""
        cleaned = self.cleaned_data
        return {
            "per": cleaned["per"] or None,
            "best": cleaned["best"],
            "points_table": cleaned["points"],
        }


class DivisionsForm(forms.Form):
    """The divisions from the highest down, each with its players, one handle a line."""

    def __init__(
        self, season: Season, divisions: Sequence[DivisionRows], data: QueryDict | None
    ) -> None:
        super().__init__(data)
        self.season = season
        handles = {}
        if divisions:
            players = Player.objects.filter(club=season.club_id)
            handles = dict(players.values_list("public_id", "handle"))
        rows = [*divisions, *[None] * EMPTY_DIVISIONS]
        self.rows = [
            self._add_division_fields(number, division, handles)
            for number, division in enumerate(rows, start=1)
        ]

    def _add_division_fields(
        self, number: int, division: DivisionRows | None, handles: Mapping[str, str]
    ) -> list[str]:
        division = division or DivisionRows(public_id="", name="", up=0, down=0, players=())
        self.fields[f"name{number}"] = model_field(
            Division,
            "name",
            label=gettext("Division %(number)d") % {"number": number},
            required=False,
            initial=division.name,
        )
        self.fields[f"up{number}"] = model_field(
            Division, "up", label=gettext("go up"), initial=division.up, required=False
        )
        self.fields[f"down{number}"] = model_field(
            Division, "down", label=gettext("go down"), initial=division.down, required=False
        )
        self.fields[f"players{number}"] = forms.CharField(
            label=gettext("Players, one handle per line"),
            widget=forms.Textarea(attrs={"rows": 6}),
            max_length=20_000,
            required=False,
            initial="\n".join(handles[player_id] for player_id, _, _ in division.players),
        )
        return [f"{part}{number}" for part in ("name", "up", "down", "players")]

    @property
    def divisions(self) -> list[list[forms.BoundField]]:
        """Return the fields, division by division."""
        return [[self[name] for name in row] for row in self.rows]

    def clean(self) -> dict[str, Any]:
        """Look up the players; refuse unknown handles, and a player in two divisions."""
        cleaned = super().clean() or {}
        players_named: set[int] = set()
        self.division_rows: list[tuple[str, int, int, list[int]]] = []
        for name, up, down, players in self.rows:
            lines = [line.strip() for line in cleaned.get(players, "").splitlines() if line.strip()]
            if not cleaned.get(name):
                if lines:
                    self.add_error(name, gettext("Give the division a name."))
                continue
            ids = players_of_handles(self.season.club_id, lines)
            missing = [
                line for line, player_id in zip(lines, ids, strict=True) if player_id is None
            ]
            if missing:
                words = gettext("No player in the club is called %(handles)s.")
                self.add_error(players, words % {"handles": ", ".join(missing[:5])})
            player_ids = [player_id for player_id in ids if player_id is not None]
            if len(set(player_ids)) < len(player_ids) or players_named & set(player_ids):
                self.add_error(players, gettext("Somebody is listed twice."))
            players_named |= set(player_ids)
            self.division_rows.append(
                (cleaned[name], cleaned.get(up) or 0, cleaned.get(down) or 0, player_ids)
            )
        return cleaned

    def settings(self) -> dict[str, Any]:
        """Return the settings for `divisions_set`."""
        players = Player.objects.filter(club=self.season.club_id)
        public_ids = dict(players.values_list("pk", "public_id"))
        numbers = {}
        for number, (_, _, _, player_ids) in enumerate(self.division_rows, start=1):
            for player_id in player_ids:
                numbers[public_ids[player_id]] = number
        return {
            "divisions": [(name, up, down) for name, up, down, _ in self.division_rows],
            "players": numbers,
        }
