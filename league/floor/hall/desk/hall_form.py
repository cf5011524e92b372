"""Forms of the hall of an event: places, times, and the times at which players can't play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from engine.pairing.timetables.timetable_input import MOST_SLOTS
from league.core.frame.forms import model_field, offer
from league.events.event.desk.event_form import ClubTimeField
from league.floor.hall.models import Away, HallPlace, Slot
from league.floor.hall.services import LONGEST


class PlacesForm(forms.Form):
    """Several places in a row, as in “tables 1 to 8 in the cellar, 4 seats each”."""

    first = model_field(HallPlace, "number", label=gettext_lazy("From number"))
    last = model_field(HallPlace, "number", label=gettext_lazy("To number"))
    room = model_field(HallPlace, "room")
    size = model_field(HallPlace, "size", label=gettext_lazy("Seats each"), initial=6)


class SlotsForm(forms.Form):
    """Consecutive times, as in “from 18:30, 40 minutes each, a break of 10, six times”."""

    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes each"), min_value=1, max_value=LONGEST, initial=45
    )
    pause = forms.IntegerField(
        label=gettext_lazy("Break after each, in minutes"),
        min_value=0,
        max_value=LONGEST,
        initial=10,
    )
    count = forms.IntegerField(
        label=gettext_lazy("How many"), min_value=1, max_value=MOST_SLOTS, initial=4
    )

    field_order = ("starts_at", "minutes", "pause", "count")

    def __init__(self, zone: ZoneInfo, starts_at: datetime, data: QueryDict | None) -> None:
        super().__init__(data, initial={"starts_at": starts_at})
        self.fields["starts_at"] = ClubTimeField(zone, label=gettext_lazy("First one starts"))
        self.order_fields(self.field_order)


class PlaceForm(forms.Form):
    """A place's room and seats, and the slots when it isn't available."""

    room = model_field(HallPlace, "room")
    size = model_field(HallPlace, "size")
    closed = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Not available at"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(
        self,
        place: HallPlace,
        slots: Sequence[Slot],
        names: Mapping[str, str],
        data: QueryDict | None,
    ) -> None:
        super().__init__(
            data, initial={"room": place.room, "size": place.size, "closed": place.closed}
        )
        offer(self, "closed", [(slot.pk, names[slot.public_id]) for slot in slots])
        if not slots:
            del self.fields["closed"]


class AwayForm(forms.Form):
    """For each slot, whether a player can play then."""

    CHOICES = (
        ("", gettext_lazy("can play")),
        ("wish", gettext_lazy("would rather not")),
        ("must", gettext_lazy("can’t play")),
    )

    def __init__(
        self,
        slots: Sequence[Slot],
        names: Mapping[str, str],
        away: Sequence[Away],
        data: QueryDict | None,
    ) -> None:
        super().__init__(data)
        self.slots = slots
        wishes = {row.slot_id: "must" if row.must else "wish" for row in away}
        for slot in slots:
            self.fields[slot.public_id] = forms.ChoiceField(
                label=names[slot.public_id],
                choices=self.CHOICES,
                required=False,
                initial=wishes.get(slot.pk, ""),
            )

    def away(self) -> dict[int, bool]:
        """Return the slots, by row id, at which the player can't play (True) or would rather not
        (False)."""
        wishes: dict[str, Any] = self.cleaned_data
        return {
            slot.pk: wishes[slot.public_id] == "must"
            for slot in self.slots
            if wishes[slot.public_id]
        }
