"""The hall of an event for its organisers: its places, the times of play, and who can't play
when."""

from __future__ import annotations

from collections import Counter
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import Confirmation, ReasonForm, posted, run_action
from league.core.viewer.web.viewer import page_of, required
from league.events.entry.models import Entry
from league.events.entry.queries.access import entry_for_organiser
from league.events.event.desk.page import (
    desk_event_crumbs,
    desk_url,
    event_desk_page,
    take_event_step,
)
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser
from league.floor.hall.desk.hall_form import AwayForm, PlaceForm, PlacesForm, SlotsForm
from league.floor.hall.queries import hall_of
from league.floor.hall.services import (
    away_set,
    place_change,
    place_drop,
    places_add,
    slot_drop,
    slots_add,
)


def desk_timetable_crumbs(event: Event, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the breadcrumbs of a page below an event's timetable."""
    return desk_event_crumbs(
        event, (gettext("Timetable"), desk_url(event, "desk-timetable")), *further
    )


def _hall_crumbs(event: Event) -> list[tuple[str, str]]:
    return desk_timetable_crumbs(event, (gettext("Spots and times"), desk_url(event, "desk-hall")))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def hall_desk(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the places and times of an event, with a form to add more of each; the button `add` says
    which form was sent."""
    data = posted(request)
    sent_form = request.POST.get("add")
    hall = hall_of(event)
    zone = ZoneInfo(event.club.timezone)
    next_number = 1 + (hall.places[-1].number if hall.places else 0)
    places_form = PlacesForm(
        data if sent_form == "places" else None, initial={"first": next_number}
    )
    starts_at = hall.slots[-1].ends_at if hall.slots else event.starts_at
    slots_form = SlotsForm(zone, starts_at, data if sent_form == "slots" else None)
    if places_form.is_valid() and run_action(
        request, places_form, lambda cleaned, actor: places_add(event=event, actor=actor, **cleaned)
    ):
        return redirect_saying(
            request, gettext("The spots have been added."), desk_url(event, "desk-hall")
        )
    if slots_form.is_valid() and run_action(
        request, slots_form, lambda cleaned, actor: slots_add(event=event, actor=actor, **cleaned)
    ):
        return redirect_saying(
            request, gettext("The times have been added."), desk_url(event, "desk-hall")
        )
    names = hall.slot_names
    return event_desk_page(
        request,
        event,
        "league/floor/hall/desk/hall.html",
        crumbs=desk_timetable_crumbs(event),
        places=hall.places,
        slots=[(slot, names[slot.public_id]) for slot in hall.slots],
        places_form=places_form,
        slots_form=slots_form,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def place_page(request: HttpRequest, event: Event, place_id: str) -> HttpResponse:
    """Show a place and its settings: its room, its seats, and the times when it isn't available."""
    hall = hall_of(event)
    place = required(hall.place(place_id))
    form = PlaceForm(place, hall.slots, hall.slot_names, posted(request))
    if form.is_valid() and run_action(
        request,
        form,
        lambda cleaned, actor: place_change(place=place, actor=actor, **{"closed": [], **cleaned}),
    ):
        return redirect_saying(request, gettext("Settings saved."), desk_url(event, "desk-hall"))
    return event_desk_page(
        request,
        event,
        "league/floor/hall/desk/place.html",
        crumbs=_hall_crumbs(event),
        place=place,
        form=form,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def place_drop_page(request: HttpRequest, event: Event, place_id: str) -> HttpResponse:
    """Take a place away."""
    place = required(hall_of(event).place(place_id))
    step = Confirmation(
        title=gettext("Remove spot %(place)s") % {"place": place},
        effects=[gettext("The timetable will no longer put tables there.")],
        button=gettext("Remove it"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: place_drop(place=place, actor=actor),
        done=gettext("Spot removed."),
        danger=True,
    )
    return take_event_step(
        request, event, step, back=desk_url(event, "desk-hall"), crumbs=_hall_crumbs(event)
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def slot_drop_page(request: HttpRequest, event: Event, slot_id: str) -> HttpResponse:
    """Take a time away."""
    hall = hall_of(event)
    slot = required(hall.slot(slot_id))
    step = Confirmation(
        title=gettext("Remove %(slot)s") % {"slot": hall.slot_names[slot_id]},
        effects=[
            gettext("The timetable will no longer put tables at that time."),
            gettext("What you noted about who can’t play then is removed, too."),
        ],
        button=gettext("Remove it"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: slot_drop(slot=slot, actor=actor),
        done=gettext("Time removed."),
        danger=True,
    )
    return take_event_step(
        request, event, step, back=desk_url(event, "desk-hall"), crumbs=_hall_crumbs(event)
    )


@login_required
@require_safe
@page_of(event_for_organiser)
def away_list(request: HttpRequest, event: Event) -> HttpResponse:
    """List the players of an event, each with the number of times at which they can't play."""
    hall = hall_of(event)
    entries = Entry.objects.filter(event=event, status=Entry.Status.ENTERED).select_related(
        "player"
    )
    never = Counter(row.entry_id for row in hall.away if row.must)
    wishes = Counter(row.entry_id for row in hall.away if not row.must)
    return event_desk_page(
        request,
        event,
        "league/floor/hall/desk/away_list.html",
        crumbs=desk_timetable_crumbs(event),
        entries=[
            (entry, _absence_words(never[entry.pk], wishes[entry.pk]))
            for entry in entries.order_by("number")
        ],
        slots=hall.slots,
    )


def _absence_words(never: int, wishes: int) -> str:
    phrases = []
    if never:
        phrases.append(
            ngettext("can’t at %(count)d time", "can’t at %(count)d times", never)
            % {"count": never}
        )
    if wishes:
        words = ngettext(
            "would rather not at %(count)d time", "would rather not at %(count)d times", wishes
        )
        phrases.append(words % {"count": wishes})
    return ", ".join(phrases)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(entry_for_organiser)
def away_page(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show the times at which a player can't play, or would rather not, and change them."""
    event = entry.event
    hall = hall_of(event)
    absences = [absence for absence in hall.away if absence.entry_id == entry.pk]
    form = AwayForm(hall.slots, hall.slot_names, absences, posted(request))
    back = desk_url(event, "desk-away")
    if form.is_valid() and run_action(
        request, form, lambda cleaned, actor: away_set(entry=entry, away=form.away(), actor=actor)
    ):
        return redirect_saying(request, gettext("Saved."), back)
    return event_desk_page(
        request,
        event,
        "league/floor/hall/desk/away.html",
        crumbs=desk_timetable_crumbs(event, (gettext("Who can’t play when"), back)),
        entry=entry,
        form=form,
        back=back,
    )
