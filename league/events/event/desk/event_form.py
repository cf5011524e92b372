"""The forms for an event's settings. Times are in the club's time zone."""

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
"""The format in which browsers send a picked time."""


class ClubTimeField(forms.DateTimeField):
    """A time in the club's time zone.

    If clocks repeat an hour, a time in it is the first of both, unless the stored time is the
    second. A time that clocks skip is refused.
    """

    widget = forms.DateTimeInput({"type": "datetime-local"}, format=PICKED)

    def __init__(self, zone: ZoneInfo, stored_time: datetime | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.zone = zone
        self.stored_time = stored_time.astimezone(zone) if stored_time else None

    def prepare_value(self, value: object) -> object:
        """Return a time as the club's clocks show it, or the text that was typed."""
        if isinstance(value, datetime):
            return value.astimezone(self.zone).strftime(PICKED)
        return value

    def to_python(self, value: object) -> datetime | None:
        """Return the time, None if empty. Raise `ValidationError` for an invalid time, or one
        that the clocks skip.
        """
        if value in self.empty_values:
            return None
        if isinstance(value, datetime):
            return value
        try:
            clock_time = datetime.fromisoformat(str(value).strip()).replace(tzinfo=None, fold=0)
            # A time that is skipped comes back from UTC as another one.
            moment = clock_time.replace(tzinfo=self.zone).astimezone(UTC).astimezone(self.zone)
        except (ValueError, OverflowError):
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None
        if self.stored_time and self.stored_time.strftime(PICKED) == moment.strftime(PICKED):
            return self.stored_time
        if moment.replace(tzinfo=None, fold=0) != clock_time:
            raise ValidationError(gettext("The clocks go forward that night and skip this time."))
        return moment


class EventSettingsForm(forms.Form):
    """The settings of an event of a club. `later`: how many later dates its series has."""

    slug = slug_field()
    capacity = model_field(
        Event,
        "capacity",
        help_text=gettext_lazy(
            "Leave empty for no limit. Once it’s reached, players go on the waiting list and move "
            "up automatically."
        ),
    )
    confirmation_minutes = model_field(
        Event,
        "confirmation_minutes",
        help_text=gettext_lazy(
            "A finished game waits this long to be confirmed, then counts anyway. 0: it waits "
            "until somebody confirms it, as it always does when two people write it down "
            "independently. After five minutes the players at the table get a reminder."
        ),
    )
    players_enter = model_field(
        Event,
        "players_enter",
        help_text=gettext_lazy(
            "Where somebody else has to confirm, players write their game down and never enter "
            "its result alone."
        ),
    )
    objection_hours = model_field(
        Event,
        "objection_hours",
        help_text=gettext_lazy(
            "How long players at the table can object to a result once it is in. 0: not at all."
        ),
    )
    online = model_field(
        Event,
        "online",
        label=gettext_lazy("Play at online tables"),
        help_text=gettext_lazy(
            "The service rolls the dice. Each player sees “Go to my table” once a round is "
            "published."
        ),
    )
    move_seconds = model_field(
        Event,
        "move_seconds",
        label=gettext_lazy("Online tables: seconds per move"),
        help_text=gettext_lazy("Tables already open keep their times."),
    )
    bank_seconds = model_field(
        Event,
        "bank_seconds",
        label=gettext_lazy("Online tables: extra seconds for the whole game"),
        help_text=gettext_lazy("Each player gets these on top of their time per move."),
    )
    call_url = model_field(
        Event,
        "call_url",
        label=gettext_lazy("Link for a call"),
        widget=forms.URLInput({"placeholder": "https://"}),
        help_text=gettext_lazy("Only players at one of the event’s online tables see it."),
    )
    field_order: tuple[str, ...] = (
        "name",
        "slug",
        "starts_at",
        "ends_at",
        "venue",
        "capacity",
        "fee",
        "price_note",
        "description",
        "self_entry",
        *SETTINGS,
    )

    def __init__(
        self, club: Club, data: QueryDict | None, *, event: Event | None = None, later: int = 0
    ) -> None:
        self.club = club
        self.event = event
        initial = {name: getattr(event, name) for name in SETTINGS} if event else {}
        super().__init__(data, initial=initial)
        for name in SETTINGS:
            if name in TIMES:
                self.fields[name] = self._time_field(name)
            elif name == "fee":
                self.fields[name] = _fee_field(club)
            elif name not in self.fields:
                self.fields[name] = model_field(Event, name)
        words = gettext("All times are in the club’s time zone: %(zone)s.")
        zone_name = club.timezone.replace("_", " ")
        self.fields["starts_at"].help_text = words % {"zone": zone_name}
        self.order_fields(self.field_order)
        if later:
            self.fields["later"] = forms.ChoiceField(
                label=gettext("What do you want to change?"),
                choices=[
                    ("", gettext("this date only")),
                    ("yes", gettext("this and all later dates of the series")),
                ],
                widget=forms.RadioSelect,
                required=False,
            )

    def _time_field(self, name: str) -> forms.Field:
        stored_time = getattr(self.event, name) if self.event else None
        form_class = partial(ClubTimeField, ZoneInfo(self.club.timezone), stored_time)
        return model_field(Event, name, form_class=form_class)

    def settings(self) -> dict[str, Any]:
        """Return the settings for `event_create`, `event_change` or `series_change`."""
        settings = {name: self.cleaned_data[name] for name in SETTINGS}
        former_slug = self.event.slug if self.event else ""
        settings["slug"] = slug_from(
            settings["name"],
            settings["slug"] or former_slug,
            self.club.events,
            nameless="event",
        )
        return settings


def _fee_field(club: Club) -> MoneyField:
    least, most = FEES
    label = Event._meta.get_field("fee").verbose_name
    words = gettext("The price of an entry, in %(currency)s. Leave empty if it’s free.")
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
    """The settings for the season of an event that stands alone: its game, rules, scoring and
    visibility.
    """

    visibility = forms.ChoiceField(label=gettext_lazy("Who can see it"), choices=Visibility.choices)

    def __init__(self, kind: str, data: QueryDict | None) -> None:
        self.kind = kind
        super().__init__(data)
        self.add_rules()

    def settings(self) -> dict[str, Any]:
        """Return the settings as `kind` for `event_create`."""
        return {"kind": self.kind, "visibility": self.cleaned_data["visibility"], **self.rules()}
