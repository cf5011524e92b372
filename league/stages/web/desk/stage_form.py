"""The settings of a stage as a form: only those that its format has."""

from __future__ import annotations

from math import ceil, log
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from engine.pairing.sizes import SIZES
from engine.scoring.stage.rules import StageTieBreak
from league.events.models import Event
from league.frame.forms import model_field
from league.rankings.models import Scoring
from league.stages.models import Format, Seeding, Stage, StageScoring
from league.stages.services.stage import DEFAULT_TIE_BREAKS, SETTLED

KNOCK_OUT: Final = (Format.SINGLE, Format.DOUBLE)
FEW: Final = 12
"""Up to so many players three rounds are enough."""
PLACES: Final = range(1, len(StageTieBreak) + 1)
TIE_BREAKS: Final = {
    StageTieBreak.HEAD_TO_HEAD: gettext_lazy("the games among themselves"),
    StageTieBreak.WINS: gettext_lazy("most wins, then second places"),
    StageTieBreak.POINTS_SHARE: gettext_lazy("share of the points that could be had"),
    StageTieBreak.OPPONENTS_SCORE: gettext_lazy("points of the opponents"),
    StageTieBreak.LAST_TABLE: gettext_lazy("the last table"),
    StageTieBreak.BEST_GAME: gettext_lazy("the best game"),
    StageTieBreak.SEEDING: gettext_lazy("the seeding"),
    StageTieBreak.LOTS: gettext_lazy("the lot"),
}
ABOUT: Final = {
    Format.SWISS: gettext_lazy(
        "Everybody plays every round. Those with about as many points meet, and nobody meets the same people again if "
        "that can be avoided. Good for an evening with many players and few rounds."
    ),
    Format.ROUND_ROBIN: gettext_lazy(
        "Everybody meets everybody: in pairs exactly once, at larger tables as evenly as can be. Good for small groups "
        "with time."
    ),
    Format.PODS: gettext_lazy(
        "Tables are mixed anew every round, whatever the points. Good for a friendly night with as many different "
        "opponents as can be."
    ),
    Format.SINGLE: gettext_lazy(
        "Who loses is out. From each table as many go on as you say. Good when one winner has to be found."
    ),
    Format.DOUBLE: gettext_lazy(
        "Who loses goes on among the losers, and is out only after a second loss. If the winner of the losers’ side "
        "wins the final, one more game decides."
    ),
    Format.FINAL: gettext_lazy("One table of the best two to six, for the title."),
    Format.LADDER: gettext_lazy(
        "Players stand one above the other and challenge those above: who wins takes the place. It has no rounds and "
        "goes on for as long as you like."
    ),
}
"""What a format is, for whoever chooses one."""


class StageForm(forms.Form):
    """A stage of one format. Fields that the format doesn't have are left out; settled ones can't be changed."""

    name = model_field(Stage, "name", label=gettext_lazy("Name"))
    size = forms.TypedChoiceField(
        label=gettext_lazy("Wanted size of a table"), choices=[(size, str(size)) for size in SIZES], coerce=int
    )
    others = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Other sizes, where the number doesn’t fit"),
        help_text=gettext_lazy(
            "As few tables of these sizes as can be, and nobody sits at a short one twice before all others did once."
        ),
        choices=[(size, str(size)) for size in SIZES],
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    rounds = model_field(
        Stage,
        "rounds",
        label=pgettext_lazy("of an event", "Rounds"),
        help_text=gettext_lazy("The draw looks ahead: it keeps room so that nobody has to meet again later."),
        required=True,
    )
    groups = model_field(
        Stage,
        "groups",
        label=gettext_lazy("Groups"),
        help_text=gettext_lazy("1 is everybody together. Groups are made about equally strong."),
    )
    advance = model_field(Stage, "advance", label=gettext_lazy("So many of a table go on"))
    third = forms.BooleanField(label=gettext_lazy("Play for the third place"), required=False)
    takes = model_field(
        Stage,
        "takes",
        label=gettext_lazy("So many come from each group of the stage before"),
        help_text=gettext_lazy("Left empty, all of them come."),
    )
    carry = forms.BooleanField(label=gettext_lazy("Points of the stage before count on"), required=False)
    games = model_field(Stage, "games", label=gettext_lazy("Games a table"))
    scoring = forms.ChoiceField(label=gettext_lazy("Points"), choices=StageScoring.choices)
    seeding = forms.ChoiceField(
        label=gettext_lazy("Seeding"),
        help_text=gettext_lazy("Who comes into which group, and who meets whom first in a knock-out."),
        choices=Seeding.choices,
    )

    def __init__(
        self, event: Event, format: str, data: QueryDict | None, *, number: int, count: int, stage: Stage | None = None
    ) -> None:
        self.event, self.format, self.stage = event, Format(format), stage
        super().__init__(data, initial=stage_initial(stage) if stage else stage_defaults(event, format, number, count))
        for place in PLACES:
            self.fields[f"tie_break_{place}"] = forms.ChoiceField(
                label=gettext("%(place)d. tie-break") % {"place": place},
                choices=[("", "–"), *[(name.value, words) for name, words in TIE_BREAKS.items()]],
                required=False,
            )
        for name in _absent(self.format, number, event):
            del self.fields[name]
        self._narrow(number, event)
        if stage is not None and stage.status != Stage.Status.PLANNED:
            for name in {"size", *SETTLED} & self.fields.keys():
                self.fields[name].disabled = True

    def _narrow(self, number: int, event: Event) -> None:
        """Offer only what can be: no stage before the first one, no dice scores where no dice are counted."""
        seeding, scoring = self.fields["seeding"], self.fields["scoring"]
        assert isinstance(seeding, forms.ChoiceField)
        assert isinstance(scoring, forms.ChoiceField)
        if number == 1:
            seeding.choices = [choice for choice in Seeding.choices if choice[0] != Seeding.STAGE]
        else:
            seeding.choices = [choice for choice in Seeding.choices if choice[0] in (Seeding.STAGE, Seeding.HAND)]
        if event.season.ranking.scoring == Scoring.TOTALS:
            scoring.choices = [choice for choice in StageScoring.choices if choice[0] != StageScoring.CNTDICE]

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        """The choices of tie-breaks, the first one that separates first."""
        return [self[f"tie_break_{place}"] for place in PLACES]

    @property
    def own_fields(self) -> list[forms.BoundField]:
        """The fields above the tie-breaks: those of the format, in the order of the form."""
        return [self[name] for name in self.fields if not name.startswith("tie_break_")]

    def clean(self) -> dict[str, Any]:
        """Refuse a tie-break that is named twice."""
        cleaned = super().clean() or {}
        named: list[str] = []
        for place in PLACES:
            name = cleaned.get(f"tie_break_{place}", "")
            if name and name in named:
                self.add_error(f"tie_break_{place}", gettext("This one stands further up already."))
            named.append(name)
        return cleaned

    def settings(self) -> dict[str, Any]:
        """Return what `stage_create` or `stage_change` is given. A disabled field keeps what is stored."""
        cleaned = self.cleaned_data
        breaks = [cleaned[f"tie_break_{place}"] for place in PLACES]
        plain = ("name", "rounds", "groups", "advance", "third", "takes", "carry", "games", "scoring", "seeding")
        own: dict[str, Any] = {name: cleaned[name] for name in plain if name in cleaned}
        others = [size for size in cleaned.get("others", []) if size != cleaned["size"]]
        sizes = [cleaned["size"], *sorted(others, reverse=True)]
        if self.format == Format.FINAL:
            own["rounds"] = 1
        return own | {"format": self.format, "sizes": sizes, "tie_breaks": [name for name in breaks if name]}


def _absent(format: Format, number: int, event: Event) -> set[str]:
    """The fields that a format doesn't have."""
    absent = set() if number > 1 else {"takes", "carry"}
    if format in KNOCK_OUT:
        absent |= {"others", "rounds", "groups", "carry"}
    else:
        absent |= {"advance", "third"}
    if format != Format.SINGLE:
        absent.add("third")
    if format == Format.FINAL:
        absent |= {"others", "groups", "rounds"}
    if format == Format.LADDER:
        absent |= {"others", "rounds", "groups", "carry"}
    return absent


def stage_initial(stage: Stage) -> dict[str, Any]:
    """Return what the form shows of a stage that is there."""
    shown = {name: getattr(stage, name) for name in ("name", "rounds", "groups", "advance", "third", "takes", "carry")}
    shown |= {"games": stage.games, "scoring": stage.scoring, "seeding": stage.seeding}
    return shown | _sizes(stage.sizes) | _breaks(stage.tie_breaks)


def stage_defaults(event: Event, format: str, number: int, count: int) -> dict[str, Any]:
    """Return what a new stage of a format begins with, for about so many players."""
    chosen = Format(format)
    shown: dict[str, Any] = {
        "name": short_label(format),
        "rounds": default_rounds(chosen, count),
        "groups": 1,
        "advance": 1,
        "games": 1,
        "takes": 4 if number > 1 else None,
        "scoring": StageScoring.WIN_DRAW_LOSS if chosen == Format.ROUND_ROBIN else StageScoring.PLACEMENT,
        "seeding": Seeding.STAGE if number > 1 else Seeding.LOTS,
    }
    duels = chosen in (*KNOCK_OUT, Format.ROUND_ROBIN, Format.LADDER)
    breaks = (StageTieBreak.SEEDING, StageTieBreak.LOTS) if chosen in KNOCK_OUT else DEFAULT_TIE_BREAKS
    return shown | _sizes([2] if duels else [4] if chosen == Format.FINAL else [4, 3]) | _breaks(breaks)


def short_label(format: str) -> str:
    """Return what a format is called, without what it does."""
    label = str(Format(format).label).split(":")[0]
    return label[:1].upper() + label[1:]


def default_rounds(format: Format, count: int) -> int:
    """Tell how many rounds a format wants for so many players: all pairs of a round robin, else what one evening
    has."""
    if format == Format.ROUND_ROBIN:
        return min(max(1, count - 1 + count % 2), 40)
    return 3 if count <= FEW else min(2 + ceil(log(count, 4)), 7)


def _sizes(sizes: list[int]) -> dict[str, Any]:
    return {"size": sizes[0], "others": sizes[1:]}


def _breaks(names: Any) -> dict[str, str]:
    return {f"tie_break_{place}": str(name) for place, name in enumerate(names, start=1)}
