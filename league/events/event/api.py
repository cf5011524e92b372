"""Events in the API: the base classes of their views, lists, and creating and changing events."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.urls import reverse
from django.utils.functional import cached_property
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.response import Response

from games.domain.rule_text import RULE_TEXTS
from games.models.game import Kind
from league.core.club.models import Club
from league.core.frame.api.links import event_link, season_link
from league.core.frame.api.operation import reads
from league.core.frame.api.pagination import PlacePagination
from league.core.frame.api.parameters import PagedByPlace
from league.core.frame.api.problems import bad_value, value_fault
from league.core.frame.api.serializers import LinkField, ModelSerializer
from league.core.log.services import Actor
from league.events.event.domain import event_place_read
from league.events.event.models import Event
from league.events.event.queries.access import event_for, event_for_organiser, visible_events
from league.events.event.queries.event import coming, counted_event, event_versions, past
from league.events.event.queries.listing import event_page
from league.events.event.services import SETTINGS, event_change, event_create
from league.events.series.services import series_change
from league.standings.ranking.api.view import SeenView, WriteView, changes
from league.standings.ranking.models import Scoring
from league.standings.season.models import Notes, Season, Visibility
from league.standings.season.queries.access import season_for


class EventView(SeenView):
    """A view of an event, or of something that belongs to it."""

    noun = "event"
    club_path = "event.club"

    @cached_property
    def event(self) -> Event:
        """Return the event of the address. Raise `Event.DoesNotExist` if the viewer may not see
        it.
        """
        club = self.kwargs["club"]
        row_for = event_for_organiser if self.for_organisers else event_for
        return row_for(self.viewer(club), club, self.kwargs["event"])

    def versions(self) -> tuple[object, ...]:
        """Return the versions of everything that is shown of an event, and whether the key is
        another club's.
        """
        return (*event_versions(self.event), self.is_foreign(self.club.slug))

    @cached_property
    def runs(self) -> bool:
        """Return True if the viewer runs the event."""
        return self.viewer(self.club.slug).user.has_perm("league.manage_event", self.event)

    @cached_property
    def scores(self) -> bool:
        """Return True if the viewer enters the event's results."""
        return self.viewer(self.club.slug).user.has_perm("league.score_event", self.event)


class EventWriteView(EventView, WriteView):
    """A view that changes an event or something that belongs to it."""

    right: ClassVar[str | None] = "league.manage_event"
    ground = "event"
    refusal = "Organisers of the club or the event may do this."


SEASON: Final = {
    "game": "kind",
    "rules": "rules",
    "notes": "notes",
    "scoring": "scoring",
    "visibility": "visibility",
}
"""The members of a body about the season of an event that stands alone, with the names of the
season's settings.
"""


class EventSerializer(ModelSerializer[Event]):
    """An event. `entered` and `waiting`: how many players have a place and how many are waiting for
    one. `entries_open`: players may enter themselves now."""

    entered = serializers.IntegerField(source="taken", read_only=True)
    waiting = serializers.IntegerField(read_only=True)
    club = serializers.CharField(source="club.slug", read_only=True)
    season = serializers.CharField(source="season.slug", read_only=True)
    season_url = LinkField(season_link, "club.slug", "season.slug")
    currency = serializers.CharField(
        source="club.currency", read_only=True, help_text="The currency of the `fee`."
    )
    series = serializers.CharField(
        source="series.public_id",
        read_only=True,
        allow_null=True,
        help_text="The id of the series it belongs to.",
    )
    url = LinkField(event_link, "club.slug", "slug")
    entries = LinkField(event_link, "club.slug", "slug", tail="entries/")
    stages = LinkField(event_link, "club.slug", "slug", tail="stages/")
    draws = LinkField(
        event_link,
        "club.slug",
        "slug",
        tail="draws.jsonl",
        help_text="The address of the files of all its draws.",
    )
    calendar = LinkField(
        lambda club, event: reverse("event-calendar", args=[club, event]),
        "club.slug",
        "slug",
        help_text="The address of its date, for calendars to subscribe to.",
    )

    class Meta:
        model = Event
        fields = [
            "id",
            "slug",
            "name",
            "status",
            "alone",
            *SETTINGS[2:],
            "entries_open",
            "entered",
            "waiting",
            "club",
            "currency",
            "season",
            "season_url",
            "series",
            "url",
            "entries",
            "stages",
            "draws",
            "calendar",
        ]
        read_only_fields = ["status"]
        extra_kwargs: ClassVar[dict[str, dict[str, Any]]] = {"call_url": {"write_only": True}}
        help_texts = {
            "slug": "Its address below the club's events.",
            "alone": "Whether it has a separate season.",
            "fee": "The price of an entry, in hundredths of the currency; null: free.",
            "starts_at": "RFC 3339; UTC if there is no offset.",
            "self_entry": "Whether players may enter themselves.",
            "confirmation": "Who confirms what was written at a table before it is sealed.",
            "confirmation_minutes": (
                "The minutes after which an unconfirmed game counts; 0: it waits."
            ),
            "players_enter": (
                "Whether players at a table may enter its result if nobody confirms it."
            ),
            "online": "Whether its tables are played online, where the service deals.",
            "move_seconds": (
                "Seconds per move at its online tables. Tables already open keep theirs."
            ),
            "bank_seconds": (
                "Extra seconds for each seat at its online tables, for the whole game."
            ),
            "call_url": "Where players at its online tables can talk; only they can see it.",
            "objection_hours": "How many hours players can object to a sealed result; 0: not at "
            "all.",
        }


class EventChangeSerializer(EventSerializer):
    """The settings of an event. With `later`, all later dates of its series that aren't running or
    over change in the same way: times move by days, and name and slug change for this one only.
    """

    later = serializers.BooleanField(required=False, write_only=True)

    class Meta(EventSerializer.Meta):
        fields = [*EventSerializer.Meta.fields, "later"]


class EventCreateSerializer(EventSerializer):
    """A new event. Without a `season` it stands alone; then `game`, `rules`, `notes`, `scoring` and
    `visibility` say how it is played and who can see it."""

    season = serializers.SlugField(
        required=False, max_length=64, help_text="The slug of the season it counts in."
    )
    game = serializers.ChoiceField(Kind.choices, required=False)
    rules_of = serializers.ChoiceField(
        list(RULE_TEXTS),
        required=False,
        help_text="A rule text to use instead of `rules`: the rules it covers.",
    )
    rules = serializers.DictField(
        required=False, help_text="The settings of `rules` in records that all games share."
    )
    notes = serializers.ChoiceField(
        Notes.choices,
        required=False,
        help_text="What is written down of a game; `places` by default.",
    )
    scoring = serializers.ChoiceField(
        Scoring.choices,
        required=False,
        help_text="By default it follows from `notes`.",
    )
    visibility = serializers.ChoiceField(Visibility.choices, required=False)

    class Meta(EventSerializer.Meta):
        fields = [*EventSerializer.Meta.fields, *SEASON, "rules_of"]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse settings of a season together with the name of a season, and resolve
        `rules_of`.
        """
        if "season" in attrs:
            superfluous = [name for name in SEASON if name in attrs]
            if superfluous:
                message = "This is set by the season you named."
                raise serializers.ValidationError(dict.fromkeys(superfluous, message))
        if "rules_of" not in attrs:
            return attrs
        text = RULE_TEXTS[attrs.pop("rules_of")]
        if "season" in attrs or "rules" in attrs:
            message = "The rules are already set by another field."
            raise serializers.ValidationError({"rules_of": message})
        if attrs.setdefault("game", text.kind) != text.kind:
            raise serializers.ValidationError({"rules_of": "This text is for another game."})
        attrs["rules"] = dict(text.rules)
        return attrs


EXAMPLE: Final = {
    "slug": "night-1",
    "name": "First night",
    "starts_at": "2026-12-03T18:30:00Z",
    "venue": "Zum Stern",
    "capacity": 24,
    "season": "herbstliga-2026",
}


class OfEvents(PagedByPlace):
    """Parameters of a list of events. `next` and `previous` in an answer contain valid places for
    `before` and `after`.
    """

    before = serializers.CharField(required=False, help_text="The page after this place.")
    after = serializers.CharField(required=False, help_text="The page before this place.")
    place_read = staticmethod(event_place_read)
    when = serializers.ChoiceField(
        ["coming", "past"],
        required=False,
        help_text="`coming`: events that are running or aren't over yet; `past`: all others.",
    )
    season = serializers.SlugField(required=False, max_length=64, help_text="The slug of a season.")


class Events(WriteView):
    """The events of a club in one list, and creating new ones. The list has no ETag, because it
    changes with time.
    """

    noun = "club"

    @reads("A club's events", EventSerializer(many=True), parameters=OfEvents)
    def list_events(self, club: Club) -> Response:
        """The events you may see, the latest first. Drafts are shown to organisers only."""
        events = visible_events(self.viewer(club.slug)).filter(club=club)
        query = self.query
        if "season" in query:
            events = events.filter(season__slug=query["season"])
        if "when" in query:
            selected = coming if query["when"] == "coming" else past
            events = selected(events)
        page = event_page(
            events, query["page_size"], before=query.get("before", ""), after=query.get("after", "")
        )
        rows = list(EventSerializer(page.events, many=True).data)
        return PlacePagination.answer(
            self.request, rows, before=page.older, after=page.newer, latest_first=True
        )

    @changes(
        "Create an event", EventCreateSerializer, EventSerializer, created=True, example=EXAMPLE
    )
    def create_event(self, club: Club, body: dict[str, Any], actor: Actor) -> Event:
        """Create an event as a draft, as an organiser."""
        kind = {SEASON[name]: body.pop(name) for name in SEASON if name in body}
        season = self._season(club, body.pop("season", None))
        return counted_event(event_create(club=club, actor=actor, season=season, kind=kind, **body))

    def _season(self, club: Club, slug: str | None) -> Season | None:
        if slug is None:
            return None
        try:
            return season_for(self.viewer(club.slug), club.slug, slug)
        except Season.DoesNotExist:
            message = f"The club has no season {slug}."
            raise bad_value([value_fault("/season", message, "no_such_season")]) from None


class OneEvent(EventWriteView):
    """One event, by its slug."""

    @reads("An event", EventSerializer)
    def get_event(self, event: Event) -> Event:
        """One event, by its slug."""
        return counted_event(event)

    @changes("Change an event", EventChangeSerializer(partial=True), EventSerializer)
    def change_event(self, event: Event, body: dict[str, Any], actor: Actor) -> Event:
        """Change the settings of an event, as an organiser; members left out stay as they are. Only
        organisers of the club can also change later dates."""
        later = body.pop("later", False)
        if later and not self.writer().has_perm("league.manage_club", self.club):
            raise PermissionDenied(WriteView.refusal)
        service = series_change if later else event_change
        service(event=event, actor=actor, **body)
        return counted_event(event)
