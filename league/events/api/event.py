"""Events: lists of them, one, making one, changing it, and letting it go on."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models.game import Kind
from league.clubs.models import Club
from league.clubs.queries.access import club_for
from league.events.api.view import EventWriteView, actor
from league.events.domain.listing import event_place_read
from league.events.models import Event
from league.events.queries.access import visible_events
from league.events.queries.event import coming, entries_open, event_versions, past, with_counts
from league.events.queries.listing import event_page
from league.events.services.event import event_change, event_create
from league.events.services.series import series_change
from league.frame.api.body import Body, bad_value, value_fault
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link, season_link
from league.frame.api.pagination import PlacePagination
from league.frame.api.parameters import PageSize, SeenBy
from league.frame.names import all_seen
from league.rankings.models import Scoring
from league.seasons.api.view import SeenListView
from league.seasons.models import Season, Visibility

OWN: Final = (
    *("slug", "name", "status", "alone", "starts_at", "ends_at", "venue", "capacity", "price_note", "description"),
    *("entries_until", "check_in_until", "self_entry"),
)
"""What answers tell of an event as it is stored."""
SEASON: Final = {"game": "kind", "rules": "rules", "scoring": "scoring", "visibility": "visibility"}
"""What a body says of the season of an event that stands alone, and what that season calls it."""


class EventShape(serializers.Serializer[None]):
    """An event. `entered` have a place, `waiting` wait for one; `entries_open`: players may enter themselves now."""

    id = serializers.CharField()
    slug = serializers.CharField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Event.Status.choices)
    alone = serializers.BooleanField(help_text="It has a season of its own.")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)
    venue = serializers.CharField()
    capacity = serializers.IntegerField(allow_null=True)
    price_note = serializers.CharField()
    description = serializers.CharField()
    entries_until = serializers.DateTimeField(allow_null=True)
    check_in_until = serializers.DateTimeField(allow_null=True)
    self_entry = serializers.BooleanField()
    entries_open = serializers.BooleanField()
    entered = serializers.IntegerField()
    waiting = serializers.IntegerField()
    club = serializers.CharField()
    season = serializers.CharField()
    season_url = serializers.CharField()
    series = serializers.CharField(allow_null=True, help_text="The id of the series that it is a date of.")
    url = serializers.CharField()
    entries = serializers.CharField()
    stages = serializers.CharField()
    draws = serializers.CharField(help_text="The address of the files of all its draws.")
    calendar = serializers.CharField(help_text="The address of its date, for calendars to subscribe to.")


def event_json(event: Event) -> dict[str, Any]:
    """An event of `with_counts` as it is sent."""
    club, slug = event.club.slug, event.slug
    url = event_link(club, slug)
    counts: Any = event
    return {
        "id": event.public_id,
        **{name: getattr(event, name) for name in OWN},
        "entries_open": entries_open(event),
        "entered": counts.taken,
        "waiting": counts.waiting,
        "club": club,
        "season": event.season.slug,
        "season_url": season_link(club, event.season.slug),
        "series": event.series.public_id if event.series else None,
        "url": url,
        "entries": f"{url}entries/",
        "stages": f"{url}stages/",
        "draws": f"{url}draws.jsonl",
        "calendar": reverse("event-calendar", args=[club, slug]),
    }


def event_now(event: Event) -> dict[str, Any]:
    """An event as it is stored now, as it is sent."""
    return event_json(with_counts(Event.objects.filter(pk=event.pk)).get())


SAID: Final = {
    "slug": "night-1", "name": "First night", "starts_at": "2026-12-03T18:30:00Z", "ends_at": None,
    "venue": "Zum Stern", "capacity": 24, "price_note": "", "description": "Bring a cup.", "entries_until": None,
    "check_in_until": None, "self_entry": True,
}  # fmt: skip
EXAMPLE: Final = {
    "id": "f4xk8tq2wn", **SAID, "status": "open", "alone": False, "entries_open": True, "entered": 17, "waiting": 0,
    "club": "zum-stern", "season": "herbstliga-2026", "season_url": season_link("zum-stern", "herbstliga-2026"),
    "series": None,
    "url": event_link("zum-stern", "night-1"), "entries": f"{event_link('zum-stern', 'night-1')}entries/",
    "stages": f"{event_link('zum-stern', 'night-1')}stages/", "calendar": "/clubs/zum-stern/events/night-1.ics",
    "draws": f"{event_link('zum-stern', 'night-1')}draws.jsonl",
}  # fmt: skip


class EventBody(Body):
    """What an organiser says of an event."""

    slug = serializers.SlugField(max_length=64, help_text="Its address below the club's events.")
    name = serializers.CharField(max_length=120, validators=[all_seen])
    starts_at = serializers.DateTimeField(help_text="RFC 3339; without offset it is UTC.")
    ends_at = serializers.DateTimeField(required=False, allow_null=True)
    venue = serializers.CharField(required=False, allow_blank=True, max_length=200)
    capacity = serializers.IntegerField(required=False, allow_null=True, min_value=2, max_value=32767)
    price_note = serializers.CharField(required=False, allow_blank=True, max_length=120)
    description = serializers.CharField(required=False, allow_blank=True, max_length=4000)
    entries_until = serializers.DateTimeField(required=False, allow_null=True)
    check_in_until = serializers.DateTimeField(required=False, allow_null=True)
    self_entry = serializers.BooleanField(required=False, help_text="Whether players may enter themselves.")


class ChangedEventBody(EventBody):
    """What an organiser says of an event. With `later` all later dates of its series that aren't running or over change
    as this one does; times move by days, and name and address are this one's alone."""

    later = serializers.BooleanField(required=False)


class NewEventBody(EventBody):
    """A new event. Without a `season` it stands alone: then `game`, `rules`, `scoring` and `visibility` say how it is
    played and who sees it."""

    season = serializers.SlugField(required=False, max_length=64, help_text="The slug of the season that it counts in.")
    game = serializers.ChoiceField(Kind.choices, required=False)
    rules = serializers.DictField(required=False, help_text="The settings of `rules` in records that all games share.")
    scoring = serializers.ChoiceField(Scoring.choices, required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse settings of an own season beside that of a season."""
        both = [name for name in SEASON if name in attrs and "season" in attrs]
        if both:
            raise serializers.ValidationError(dict.fromkeys(both, "The season that is named settles this."))
        return attrs


def is_event_place(text: str) -> None:
    """Refuse what is no place in a list of events."""
    if event_place_read(text) is None:
        raise serializers.ValidationError("This is no place in the list.")


class OfEvents(SeenBy):
    """Of a list of events. `next` and `previous` name the places beside a page; nobody needs to make one up."""

    page_size = PageSize()
    before = serializers.CharField(required=False, validators=[is_event_place], help_text="The page after this place.")
    after = serializers.CharField(required=False, validators=[is_event_place], help_text="The page before this place.")
    when = serializers.ChoiceField(
        ["coming", "past"], required=False, help_text="`coming`: those that run or aren't past yet; `past`: all others."
    )
    season = serializers.SlugField(required=False, max_length=64, help_text="The slug of a season.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse two places at once."""
        if "before" in attrs and "after" in attrs:
            raise serializers.ValidationError({"after": "Name one place, before or after which."})
        return attrs


class Events(EventWriteView, SeenListView):
    """The events of a club in one list, and where organisers make new ones."""

    parameters = OfEvents
    pagination_class = PlacePagination

    @documented(
        "list_events", "A club's events", EventShape(many=True), problems=[404], parameters=[OfEvents], example=EXAMPLE
    )
    def get(self, request: Request, club: str) -> Response:
        """The events that you may see, the latest first; drafts are for organisers."""
        viewer = self.viewer(club)
        events = visible_events(viewer).filter(club=club_for(viewer, club))
        if "season" in self.query:
            events = events.filter(season__slug=self.query["season"])
        if "when" in self.query:
            events = (coming if self.query["when"] == "coming" else past)(events)
        places = {name: self.query[name] for name in ("before", "after") if name in self.query}
        page = event_page(events, self.query["page_size"], **places)
        rows = [event_json(event) for event in page.events]
        return PlacePagination.answer(request, rows, before=page.older, after=page.newer, latest_first=True)

    @change_documented(
        "create_event", "Make an event", NewEventBody, EventShape, created=True,
        example={**SAID, "season": "herbstliga-2026"}, answered=EXAMPLE | {"status": "draft"},
    )  # fmt: skip
    def post(self, request: Request, club: str) -> Response:
        """Make an event, as a draft, as an organiser."""
        viewer = self.viewer(club)
        found = club_for(viewer, club)
        account = self.organiser(found)
        sent = self.sent()
        said = NewEventBody.of(sent.content)
        own = {name: said.pop(name) for name in SEASON if name in said}
        season = self._season(found, said.pop("season", None))
        settings = {SEASON[name]: value for name, value in own.items()}

        def create() -> dict[str, Any]:
            made = event_create(club=found, actor=actor(account), season=season, kind=settings, **said)
            return event_now(made)

        return self.done(sent, create, status=201)

    def _season(self, club: Club, slug: str | None) -> Season | None:
        """The season that a new event counts in. Raises a problem 400 for one that isn't there."""
        if slug is None:
            return None
        try:
            return self.season(club.slug, slug)
        except Season.DoesNotExist:
            raise bad_value([value_fault("/season", f"The club has no season {slug}.", "no_such_season")]) from None


class OneEvent(EventWriteView):
    """One event, by its slug."""

    @documented("get_event", "An event", EventShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """One event, by its slug."""
        found = self.event(club, event)
        return self.unless_unchanged(event_versions(found), lambda: Response(event_now(found)))

    @change_documented(
        "change_event", "Change an event", ChangedEventBody(partial=True), EventShape,
        example={"capacity": 32, "venue": "Zum Anker"}, answered=EXAMPLE | {"capacity": 32, "venue": "Zum Anker"},
    )  # fmt: skip
    def patch(self, request: Request, club: str, event: str) -> Response:
        """Change what is said of an event, as an organiser; what is left out stays."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = ChangedEventBody.of(sent.content, partial=True)
        service = series_change if said.pop("later", False) else event_change

        def change() -> dict[str, Any]:
            service(event=found, actor=actor(account), **said)
            return event_now(found)

        return self.done(sent, change)
