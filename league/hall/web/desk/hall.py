"""The hall of an event for its organisers: its places, the times of play, and who can't play when."""

from __future__ import annotations

from collections import Counter
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.clubs.web.confirmation import Confirmation, ReasonForm, done, posted, take
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.entries.models import Entry
from league.entries.queries.access import entry_of
from league.events.models import Event
from league.events.queries.access import event_for_organiser
from league.events.web.desk.crumbs import event_crumbs
from league.frame.saying import redirect_saying
from league.hall.domain.hall import slot_names
from league.hall.queries.hall import hall_of
from league.hall.services.hall import away_set, place_change, place_drop, places_add, slot_drop, slots_add
from league.hall.web.desk.hall_form import AwayForm, PlaceForm, PlacesForm, SlotsForm


def timetable_crumbs(event: Event, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """The way to a page below that of an event's timetable."""
    page = reverse("desk-timetable", args=[event.club.slug, event.slug])
    return event_crumbs(event, (gettext("Timetable"), page), *further)


def _hall_crumbs(event: Event) -> list[tuple[str, str]]:
    return timetable_crumbs(event, (gettext("Places and times"), _hall_url(event)))


def _hall_url(event: Event) -> str:
    return reverse("desk-hall", args=[event.club.slug, event.slug])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hall_desk(request: HttpRequest, club_slug: str, event_slug: str) -> HttpResponse:
    """Places and times of an event, and a form for more of each (the button `add` says which of the two was sent)."""
    event = or_404(event_for_organiser, viewer_of(request), club_slug, event_slug)
    data, add = posted(request), request.POST.get("add")
    hall = hall_of(event)
    zone = ZoneInfo(event.club.timezone)
    number = 1 + (hall.places[-1].number if hall.places else 0)
    places = PlacesForm(data if add == "places" else None, initial={"first": number})
    starts_at = hall.slots[-1].ends_at if hall.slots else event.starts_at
    slots = SlotsForm(zone, starts_at, data if add == "slots" else None)

    def put_up(cleaned: dict[str, Any], actor: Any) -> None:
        places_add(event=event, actor=actor, **cleaned)

    def plan(cleaned: dict[str, Any], actor: Any) -> None:
        slots_add(event=event, actor=actor, **cleaned)

    for form, service, words in (
        (places, put_up, gettext("The places are there.")),
        (slots, plan, gettext("The times are planned.")),
    ):
        if form.is_bound and form.is_valid() and done(request, form, service):
            return redirect_saying(request, words, _hall_url(event))
    names = slot_names(hall.slots, zone)
    context = {
        "event": event,
        "places": hall.places,
        "slots": [(slot, names[slot.public_id]) for slot in hall.slots],
        "places_form": places,
        "slots_form": slots,
        "here": "events",
        "crumbs": timetable_crumbs(event),
    }
    return club_page(request, event.club, "league/hall/desk/hall.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def place_page(request: HttpRequest, club_slug: str, event_slug: str, place_id: str) -> HttpResponse:
    """A place: its room, its seats, and when it isn't to be had."""
    event = or_404(event_for_organiser, viewer_of(request), club_slug, event_slug)
    hall = hall_of(event)
    if (row := hall.place(place_id)) is None:
        raise Http404
    row.event = event
    form = PlaceForm(row, hall.slots, slot_names(hall.slots, ZoneInfo(event.club.timezone)), posted(request))

    def change(cleaned: dict[str, Any], actor: Any) -> None:
        place_change(place=row, actor=actor, **{"closed": [], **cleaned})

    if request.method == "POST" and form.is_valid() and done(request, form, change):
        return redirect_saying(request, gettext("The settings are saved."), _hall_url(event))
    context = {"event": event, "place": row, "form": form, "here": "events", "crumbs": _hall_crumbs(event)}
    return club_page(request, event.club, "league/hall/desk/place.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def place_drop_page(request: HttpRequest, club_slug: str, event_slug: str, place_id: str) -> HttpResponse:
    """Take a place away."""
    event = or_404(event_for_organiser, viewer_of(request), club_slug, event_slug)
    if (row := hall_of(event).place(place_id)) is None:
        raise Http404
    row.event = event
    step = Confirmation(
        title=gettext("Take place %(place)s away") % {"place": row},
        effects=[gettext("No timetable puts a table there any more.")],
        button=gettext("Take it away"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: place_drop(place=row, actor=actor),
        done=gettext("The place is gone."),
        danger=True,
    )
    return take(request, event.club, step, section="events", back=_hall_url(event), crumbs=_hall_crumbs(event))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def slot_drop_page(request: HttpRequest, club_slug: str, event_slug: str, slot_id: str) -> HttpResponse:
    """Take a time away."""
    event = or_404(event_for_organiser, viewer_of(request), club_slug, event_slug)
    hall = hall_of(event)
    if (row := hall.slot(slot_id)) is None:
        raise Http404
    row.event = event
    name = slot_names(hall.slots, ZoneInfo(event.club.timezone))[slot_id]
    step = Confirmation(
        title=gettext("Take %(slot)s away") % {"slot": name},
        effects=[
            gettext("No timetable puts a table then any more."),
            gettext("What was said about who can’t play then is gone, too."),
        ],
        button=gettext("Take it away"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: slot_drop(slot=row, actor=actor),
        done=gettext("The time is gone."),
        danger=True,
    )
    return take(request, event.club, step, section="events", back=_hall_url(event), crumbs=_hall_crumbs(event))


@login_required
@require_safe
def away_list(request: HttpRequest, club_slug: str, event_slug: str) -> HttpResponse:
    """Show who takes part, and how much was said about when they can't play."""
    event = or_404(event_for_organiser, viewer_of(request), club_slug, event_slug)
    hall = hall_of(event)
    entries = Entry.objects.filter(event=event, status=Entry.Status.ENTERED).select_related("player")
    never = Counter(row.entry_id for row in hall.away if row.must)
    wishes = Counter(row.entry_id for row in hall.away if not row.must)
    context = {
        "event": event,
        "entries": [
            (entry, _wishes_in_words(never[entry.pk], wishes[entry.pk])) for entry in entries.order_by("number")
        ],
        "slots": hall.slots,
        "here": "events",
        "crumbs": timetable_crumbs(event),
    }
    return club_page(request, event.club, "league/hall/desk/away_list.html", context)


def _wishes_in_words(never: int, wishes: int) -> str:
    """Tell how often somebody can't play, or would rather not."""
    parts = []
    if never:
        parts.append(ngettext("can’t at %(count)d time", "can’t at %(count)d times", never) % {"count": never})
    if wishes:
        words = ngettext("would rather not at %(count)d time", "would rather not at %(count)d times", wishes)
        parts.append(words % {"count": wishes})
    return ", ".join(parts)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def away_page(request: HttpRequest, club_slug: str, event_slug: str, entry_id: str) -> HttpResponse:
    """Show when somebody can't play, or would rather not."""
    event = or_404(event_for_organiser, viewer_of(request), club_slug, event_slug)
    row = or_404(entry_of, event, entry_id)
    row.event = event
    hall = hall_of(event)
    names = slot_names(hall.slots, ZoneInfo(event.club.timezone))
    form = AwayForm(
        hall.slots, names, [absence for absence in hall.away if absence.entry_id == row.pk], posted(request)
    )
    back = reverse("desk-away", args=[event.club.slug, event.slug])

    def say(cleaned: dict[str, Any], actor: Any) -> None:
        away_set(entry=row, away=form.away(), actor=actor)

    if request.method == "POST" and form.is_valid() and done(request, form, say):
        return redirect_saying(request, gettext("It is noted."), back)
    context = {
        "event": event,
        "entry": row,
        "form": form,
        "back": back,
        "here": "events",
        "crumbs": timetable_crumbs(event, (gettext("Who can’t play when"), back)),
    }
    return club_page(request, event.club, "league/hall/desk/away.html", context)
