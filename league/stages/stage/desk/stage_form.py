"""The form of a stage's settings: only those that its format has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, get_args

from django import forms
from django.db.models import Q
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from league.core.frame.forms import model_field, offer
from league.core.viewer.web.confirmation import public_reason
from league.events.entry.queries.entry import labels_of
from league.events.event.models import Event
from league.events.event.queries.event import has_ended
from league.stages.stage.domain.size import table_sizes
from league.stages.stage.domain.tie_break import first_scoring, first_tie_breaks, tie_break_choices
from league.stages.stage.format import FORMATS, FormatField
from league.stages.stage.models import BY_POINTS, Seeding, SharedPlace, Stage, StageScoring
from league.stages.stage.services.stage import SETTLED
from league.standings.division.models import Division
from league.standings.season.desk.tie_break_form import TieBreaksForm, by_place
from league.standings.season.models import SCORINGS, Season

FIRST_FIELDS: Final = ("name", "size", "rounds", "takes", "advance", "by_division")
"""Settings that come first; the others are in a folded section."""
LABELS: Final = ("label_rounds", "label_must", "label_best")
"""Settings that are shown if entries have labels."""
PLAIN: Final = (
    "name",
    "meetings_first",
    "rounds",
    "groups",
    "by_division",
    "advance",
    "third",
    "separation",
    "takes",
    "carry",
    "games",
    "scoring",
    "adjusted",
    "seeding",
    *LABELS,
)
"""Settings with a field of the same name."""


class StageForm(TieBreaksForm):
    """The settings of a stage of one format, without the fields that the format doesn't have. Once
    the stage has started, the `SETTLED` ones can't be changed. After the event's end a reason is
    required."""

    name = model_field(Stage, "name", label=gettext_lazy("Name"))
    size = forms.TypedChoiceField(label=gettext_lazy("Preferred table size"), coerce=int)
    others = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Other sizes, if the numbers don’t fit"),
        help_text=gettext_lazy(
            "Used as little as possible. Nobody sits at a short table twice before everybody else "
            "has once."
        ),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    meetings_first = forms.BooleanField(
        label=gettext_lazy("Repeat short tables rather than opponents"),
        help_text=gettext_lazy(
            "Each draw shows how many repeat meetings it costs to take turns at short tables. A "
            "change applies from the next draw."
        ),
        required=False,
    )
    rounds = model_field(
        Stage,
        "rounds",
        label=pgettext_lazy("of an event", "Rounds"),
        help_text=gettext_lazy("The draw looks ahead to avoid repeat meetings in later rounds."),
        required=True,
    )
    groups = model_field(
        Stage,
        "groups",
        label=gettext_lazy("Groups"),
        help_text=gettext_lazy(
            "1 keeps everybody together. Groups are balanced to be about equally strong."
        ),
    )
    by_division = forms.BooleanField(
        label=gettext_lazy("Play in the season’s divisions"),
        help_text=gettext_lazy(
            "Each division is a separate group. Players without a division play in the lowest. "
            "Check-in, table numbers and the hall screen are shared. The number of groups above "
            "is then ignored."
        ),
        required=False,
    )
    advance = model_field(Stage, "advance", label=gettext_lazy("Players who go on from each table"))
    third = forms.BooleanField(label=gettext_lazy("Play for third place"), required=False)
    takes = model_field(
        Stage,
        "takes",
        label=gettext_lazy("Players from each group of the previous stage"),
        help_text=gettext_lazy("Leave empty to take all of them."),
    )
    carry = forms.BooleanField(
        label=gettext_lazy("Carry over points from the previous stage"), required=False
    )
    games = model_field(Stage, "games", label=gettext_lazy("Games per table"))
    separation = forms.ChoiceField(
        label=gettext_lazy("Break ties for the last place that goes on"),
        help_text=gettext_lazy(
            "Ties can happen when time was up or players left together. The lots come from the "
            "stage’s secret, so nobody can foresee them and everybody can check them afterwards."
        ),
        choices=SharedPlace.choices,
    )
    label_rounds = model_field(
        Stage,
        "label_rounds",
        label=gettext_lazy("Rounds that keep players from the same club or town apart"),
        help_text=gettext_lazy("Counted from the first round. Leave empty for none."),
    )
    label_must = forms.BooleanField(
        label=gettext_lazy("Always, even if others have to meet again"), required=False
    )
    label_best = model_field(
        Stage,
        "label_best",
        label=gettext_lazy("Players counted per club or town"),
        help_text=gettext_lazy(
            "The points of that many best players add up to a ranking of clubs and towns. Leave "
            "empty for no such ranking."
        ),
    )
    scoring = forms.ChoiceField(
        label=gettext_lazy("Points in this stage"),
        help_text=gettext_lazy(
            "They decide how rounds are drawn and who wins the stage. The season’s table counts "
            "the same games by its own points, whatever you choose here."
        ),
        choices=StageScoring.choices,
    )
    adjusted = forms.BooleanField(
        label=gettext_lazy("Short tables count as full ones"),
        help_text=gettext_lazy(
            "A win at a table of three then earns as much as one at a table of four. The season’s "
            "table counts each table as it is, so the event and the season can have different "
            "winners."
        ),
        required=False,
    )
    seeding = forms.ChoiceField(
        label=gettext_lazy("Seeding"),
        help_text=gettext_lazy(
            "Decides who is in which group, and who meets whom first in a knock-out."
        ),
        choices=Seeding.choices,
    )

    def __init__(
        self,
        event: Event,
        stage_format: str,
        data: QueryDict | None,
        *,
        number: int,
        count: int,
        stage: Stage | None = None,
    ) -> None:
        self.event = event
        self.rules = FORMATS[stage_format]
        self.stage = stage
        super().__init__(data, initial=self._initial_settings(number, count))
        self.add_tie_breaks(tie_break_choices())
        for name in self._fields_to_leave_out(number):
            del self.fields[name]
        self._narrow_choices(number, event)
        if stage is not None and stage.status != Stage.Status.PLANNED:
            for name in {"size", *SETTLED} & self.fields.keys():
                self.fields[name].disabled = True
        if stage is not None and has_ended(event):
            self.fields["reason"] = public_reason()

    def _initial_settings(self, number: int, count: int) -> dict[str, Any]:
        if self.stage:
            return stage_initial(self.stage)
        return stage_defaults(self.event.season, self.rules.name, number, count)

    def _fields_to_leave_out(self, number: int) -> set[str]:
        fields_of_some_formats: set[str] = set(get_args(FormatField))
        left_out = fields_of_some_formats - self.rules.fields
        left_out.update(self.rules.settings)
        uses_labels = self.stage and (self.stage.label_rounds or self.stage.label_best)
        if not uses_labels and not labels_of(self.event):
            left_out.update(LABELS)
        if not self._can_use_divisions(number):
            left_out.add("by_division")
        if number == 1:
            left_out.update({"takes", "carry"})
        return left_out

    def _can_use_divisions(self, number: int) -> bool:
        if self.stage and self.stage.by_division:
            return True
        if number == 1:
            return Division.objects.filter(season=self.event.season_id).exists()
        stages = Stage.objects.filter(event=self.event, number=number - 1)
        return stages.filter(Q(groups__gt=1) | Q(by_division=True)).exists()

    def _narrow_choices(self, number: int, event: Event) -> None:
        sizes = [(size, str(size)) for size in table_sizes(event.season, self.rules)]
        for name in {"size", "others"} & self.fields.keys():
            offer(self, name, sizes)

        seedings = {Seeding.STAGE, Seeding.HAND}
        if number == 1:
            seedings = set(Seeding) - {Seeding.STAGE}
        offer(self, "seeding", [choice for choice in Seeding.choices if choice[0] in seedings])

        if number > 1 and "by_division" in self.fields:
            field = self.fields["by_division"]
            field.label = gettext("Everybody stays in their group from the previous stage")
            field.help_text = gettext("The number of groups above is then ignored.")

        if "scoring" in self.fields:
            fitting_scorings = SCORINGS[event.season.kind]
            unfit = {scoring for scoring in BY_POINTS if scoring.value not in fitting_scorings}
            unfit.add(StageScoring.STRIKES)
            choices = [choice for choice in StageScoring.choices if choice[0] not in unfit]
            offer(self, "scoring", choices)

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """Return the fields that come first."""
        return [self[name] for name in FIRST_FIELDS if name in self.fields]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """Return the other fields, without the tie-breaks."""
        return [
            self[name]
            for name in self.fields
            if name not in (*FIRST_FIELDS, "reason") and not name.startswith("tie_break_")
        ]

    @property
    def has_folded_errors(self) -> bool:
        """Return True if a folded field has an error."""
        return any(field.errors for field in (*self.more_fields, *self.tie_break_fields))

    def settings(self) -> dict[str, Any]:
        """Return the settings for `stage_create` or `stage_change`. Disabled fields keep the stored
        values."""
        cleaned = self.cleaned_data
        settings: dict[str, Any] = {name: cleaned[name] for name in PLAIN if name in cleaned}
        settings.update(self.rules.settings)
        settings["format"] = self.rules.name
        more_sizes = [size for size in cleaned.get("others", []) if size != cleaned["size"]]
        settings["sizes"] = [cleaned["size"], *sorted(more_sizes, reverse=True)]
        settings["tie_breaks"] = self.tie_breaks()
        return settings


def stage_initial(stage: Stage) -> dict[str, Any]:
    """Return the stored settings of a stage, by field."""
    settings = {name: getattr(stage, name) for name in PLAIN}
    return {**settings, **_size_fields(stage.sizes), **by_place(stage.tie_breaks)}


def stage_defaults(season: Season, stage_format: str, number: int, count: int) -> dict[str, Any]:
    """Return the default settings, by field, of a new stage of a format for `count` players."""
    rules = FORMATS[stage_format]
    settings: dict[str, Any] = {
        "name": rules.short_label,
        "rounds": rules.first_rounds(count),
        "groups": 1,
        "advance": 1,
        "games": 1,
        "takes": 4 if number > 1 else None,
        "separation": SharedPlace.LOTS,
        "scoring": first_scoring(season, stage_format),
        "adjusted": False,
        "seeding": Seeding.STAGE if number > 1 else Seeding.LOTS,
    }
    tie_breaks = first_tie_breaks(season, rules)
    return {**settings, **_size_fields(rules.first_sizes), **by_place(tie_breaks)}


def _size_fields(sizes: Sequence[int]) -> dict[str, Any]:
    return {"size": sizes[0], "others": list(sizes[1:])}
