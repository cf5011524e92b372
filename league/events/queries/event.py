"""Events as pages show them: lists of them, who takes part, and what the page of one depends on."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.clubs.models import User
from league.clubs.queries.access import Viewer
from league.events.models import Entry, Event
from league.events.queries.access import visible_events
from league.events.queries.entry import ACTIVE, own_entries
from league.rankings.models import RankedGame
from league.rankings.queries.access import visible_players

LASTS: Final = timedelta(hours=12)
"""How long an event is taken to last that doesn't say when it ends."""


def events_named(club: str, season: str | None = None) -> list[tuple[str, int]]:
    """The names and row ids of the events of a club, or of one of its seasons, in order; both are given by slug."""
    events = Event.objects.filter(club__slug=club, **({} if season is None else {"season__slug": season}))
    return list(events.order_by("starts_at", "pk").values_list("name", "pk"))


def with_counts(events: QuerySet[Event]) -> QuerySet[Event]:
    """The events with clubs, seasons and series, each with how many have a place (`taken`) and wait (`waiting`)."""

    def count(status: str) -> Coalesce:
        entries = Entry.objects.filter(event=OuterRef("pk"), status=status).order_by().values("event")
        return Coalesce(Subquery(entries.annotate(count=Count("pk")).values("count")), 0)

    counts = {"taken": count(Entry.Status.ENTERED), "waiting": count(Entry.Status.WAITING)}
    return events.select_related("club", "season", "series").annotate(**counts)


def coming(events: QuerySet[Event]) -> QuerySet[Event]:
    """Those that run or aren't past yet, also if they are cancelled, the next first."""
    return _with_end(events).filter(_ahead()).order_by("starts_at", "pk")


def past(events: QuerySet[Event]) -> QuerySet[Event]:
    """All others, the latest first."""
    return _with_end(events).exclude(_ahead()).order_by("-starts_at", "-pk")


def _with_end(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.alias(over_at=Coalesce(F("ends_at"), F("starts_at") + LASTS))


def _ahead() -> Q:
    """Of events `_with_end`: whether they are still to come, or run."""
    return Q(status=Event.Status.RUNNING) | Q(over_at__gte=timezone.now()) & ~Q(status=Event.Status.FINISHED)


def entries_shown(viewer: Viewer, event: Event) -> QuerySet[Entry]:
    """Who has a place in an event, by final rank where there is one, then who waits; else in the order of entering.

    Each with the player, who that is merged into, for whom the results count, and whether the player has a page
    (`known`).
    """
    player = Coalesce("player__merged_into", "player")
    known = visible_players(viewer).filter(pk=OuterRef("who"))
    shown = Entry.objects.filter(event=event, status__in=ACTIVE)
    people = shown.select_related("player__merged_into", "substitutes", "final_rank").alias(who=player)
    rank = F("final_rank__rank").asc(nulls_last=True)
    return people.annotate(known=Exists(known)).order_by("status", rank, "number")


def entries_there(viewer: Viewer, event: Event) -> list[Entry]:
    """With which entries the viewer has a place in an event, or waits for one; no query where nobody is signed in."""
    if not viewer.user.is_authenticated:
        return []
    return list(own_entries(viewer.user).select_related("player").filter(event=event, status__in=ACTIVE))


def my_entries(user: User) -> list[Entry]:
    """What the account's players are entered for, or wait for, and isn't past, the next first: at most 100 entries,
    each with player, event and club."""
    events = coming(visible_events(Viewer(user))).order_by()
    mine = own_entries(user).select_related("player", "event__club")
    return list(mine.filter(status__in=ACTIVE, event__in=events).order_by("event__starts_at", "pk")[:MOST_ENTRIES])


def has_games(event: Event) -> bool:
    """Whether games of the event count in its season."""
    return RankedGame.objects.filter(ranking=event.season.ranking_id, event=event.slug).exists()


def entries_open(event: Event) -> bool:
    """Whether players can enter an event themselves at this moment."""
    until = event.entries_until
    return event.self_entry and event.status == Event.Status.OPEN and (until is None or until >= timezone.now())


MOST_ENTRIES: Final = 100
VERSIONS: Final = """
    SELECT (SELECT position FROM league_loghead WHERE club_id = %(club)s),
        (SELECT sum(version) FROM league_stage WHERE event_id = %(event)s),
        (SELECT sum(version) FROM league_ranking WHERE club_id = %(club)s)
"""


def event_versions(event: Event) -> tuple[object, ...]:
    """What everything that an event's pages show has come to, one query: the club's log, in which every change of an
    event, an entry or a name stands, the stages' versions, the rankings' versions, and what changes with the time.
    """
    with connection.cursor() as cursor:
        cursor.execute(VERSIONS, {"club": event.club_id, "event": event.pk})
        versions = cursor.fetchone()
    return (event.public_id, event.changes, event.changed_at, *versions, entries_open(event))
