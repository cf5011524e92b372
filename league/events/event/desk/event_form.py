"""The settings of an event as forms: times are those of the club's clocks."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from league.core.club.models import Club
from league.core.frame.forms import model_field
from league.core.frame.money import MoneyField
from league.core.frame.slug import slug_field, slug_from
from league.events.event.models import FEES, Event
from league.events.event.services import SETTINGS, TIMES
from league.standings.season.desk.season_form import RulesForm
from league.standings.season.models import Visibility

PICKED: Final = "%Y-%m-%dT%H:%M"
"""A time as browsers send it."""


class ClubTimeField(forms.DateTimeField):
    """A time as the clocks of the club show it, kept as a moment.

    Of an hour that they repeat it is the first, unless `kept`, the moment that is there already,
    shows the same time. A time that they skip is refused."""

    widget = forms.DateTimeInput({"type": "datetime-local"}, format=PICKED)

    def __init__(self, zone: ZoneInfo, stored_time: datetime | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.zone, self.kept = zone, stored_time.astimezone(zone) if stored_time else None

    def prepare_value(self, value: object) -> object:
        """Return what the field shows: a moment on the club's clocks, else what was typed."""
        return (
            value.astimezone(self.zone).strftime(PICKED) if isinstance(value, datetime) else value
        )

    def to_python(self, value: object) -> datetime | None:
        """The moment. Raises `ValidationError` for no time, or one that the clocks skip."""
        if value in self.empty_values:
            return None
        if isinstance(value, datetime):
            return value
        try:
            wall = datetime.fromisoformat(str(value).strip()).replace(tzinfo=None, fold=0)
            moment = wall.replace(tzinfo=self.zone).astimezone(UTC).astimezone(self.zone)
        except (ValueError, OverflowError):
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None
        if self.kept and self.kept.strftime(PICKED) == moment.strftime(PICKED):
            return self.kept
        if moment.replace(tzinfo=None, fold=0) != wall:
            raise ValidationError(gettext("The clocks go forward that night and skip this time."))
        return moment


class EventSettingsForm(forms.Form):
    """The settings of an event of a club. `later`: how many dates of its series come after it."""

    slug = slug_field()
    capacity = model_field(
        Event,
        "capacity",
        help_text=gettext_lazy(
            "Leave it empty for as many as come. Who enters beyond waits, and moves up by itself."
        ),
    )
    confirmation_minutes = model_field(
        Event,
        "confirmation_minutes",
        help_text=gettext_lazy(
            "So long a game that is over waits for another’s word; then it counts without. 0: it "
            "waits until somebody "
            "confirms it, as it always does where two write it down unseen. After five minutes "
            "those at the table are "
            "reminded."
        ),
    )
    players_enter = model_field(
        Event,
        "players_enter",
        help_text=gettext_lazy(
            "Where somebody else confirms, they write their game down and never enter it alone."
        ),
    )
    objection_hours = model_field(
        Event,
        "objection_hours",
        help_text=gettext_lazy(
            "So long after a result is in, who sat there can say that it is wrong; 0: not at all."
        ),
    )
    online = model_field(
        Event,
        "online",
        label=gettext_lazy("Its tables are online tables"),
        help_text=gettext_lazy(
            "The service deals. Each player finds “To my table” once a round is published."
        ),
    )
    move_seconds = model_field(
        Event,
        "move_seconds",
        label=gettext_lazy("Online tables: seconds for a move"),
        help_text=gettext_lazy("Tables that are open already keep their time."),
    )
    bank_seconds = model_field(
        Event,
        "bank_seconds",
        label=gettext_lazy("Online tables: seconds more for the whole game"),
        help_text=gettext_lazy("Each seat has them beside the time of its moves."),
    )
    call_url = model_field(
        Event,
        "call_url",
        label=gettext_lazy("Link for a call"),
        widget=forms.URLInput({"placeholder": "https://"}),
        help_text=gettext_lazy(
            "Those who sit at an online table of the event see it, and nobody else."
        ),
    )
    field_order: tuple[str, ...] = (
        *(
            "name",
            "slug",
            "starts_at",
            "ends_at",
            "venue",
            "capacity",
            "fee",
            "price_note",
            "description",
        ),
        *("self_entry", *SETTINGS),
    )

    def __init__(
        self, club: Club, data: QueryDict | None, *, event: Event | None = None, later: int = 0
    ) -> None:
        self.club, self.event = club, event
        super().__init__(
            data, initial={name: getattr(event, name) for name in SETTINGS} if event else {}
        )
        zone = ZoneInfo(club.timezone)
        for name in SETTINGS:
            if name in TIMES:
                self.fields[name] = model_field(
                    Event,
                    name,
                    form_class=partial(
                        ClubTimeField, zone, getattr(event, name) if event else None
                    ),
                )
            elif name == "fee":
                self.fields[name] = _fee_field(club)
            elif name not in self.fields:
                self.fields[name] = model_field(Event, name)
        self.fields["starts_at"].help_text = gettext(
            "All times are those of the club: %(zone)s."
        ) % {"zone": club.timezone.replace("_", " ")}
        self.order_fields(self.field_order)
        if later:
            self.fields["later"] = forms.ChoiceField(
                label=gettext("What do you change?"),
                choices=[
                    ("", gettext("this date only")),
                    ("yes", gettext("this and all later dates of the series")),
                ],
                widget=forms.RadioSelect,
                required=False,
            )

    def settings(self) -> dict[str, Any]:
        """Return what `event_create`, `event_change` or `series_change` is given."""
        cleaned = {name: self.cleaned_data[name] for name in SETTINGS}
        slug = cleaned["slug"] or (self.event.slug if self.event else "")
        return cleaned | {
            "slug": slug_from(cleaned["name"], slug, self.club.events, nameless="event")
        }


def _fee_field(club: Club) -> MoneyField:
    """The amount of an event, in the club's currency."""
    label, (least, most) = Event._meta.get_field("fee").verbose_name, FEES
    words = gettext("What an entry costs, in %(currency)s. Leave it empty if it costs nothing.")
    help_text = words % {"currency": club.get_currency_display()}
    return MoneyField(
        currency=club.currency,
        least=least,
        most=most,
        label=str(label).capitalize(),
        help_text=help_text,
        required=False,
    )


class AloneForm(RulesForm):
    """All that the season of an event that stands alone is: what is played, by which rules, how it
    counts, who sees it."""

    visibility = forms.ChoiceField(label=gettext_lazy("Who may see it"), choices=Visibility.choices)

    def __init__(self, kind: str, data: QueryDict | None) -> None:
        self.kind = kind
        super().__init__(data)
        self.add_rules()

    def settings(self) -> dict[str, Any]:
        """Return what the service is given as `kind`."""
        return {"kind": self.kind, "visibility": self.cleaned_data["visibility"], **self.rules()}
