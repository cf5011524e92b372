"""Entries as pages show them: who has a place, who waits, whose they are, and what a new one would
come to."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from league.core.account.models import User
from league.core.claim.queries import tapped_claims
from league.core.frame.name_key import folded, name_key
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer
from league.events.entry.domain.entry import EntryCounts, PlaceCounts
from league.events.entry.models import Apart, Entry
from league.events.entry.queries.disputed import sat_at_disputed
from league.events.event.models import Event
from league.events.event.queries.access import visible_events
from league.events.event.queries.event import coming
from league.standings.season.queries.access import visible_players

LAST_DATES: Final = 5
"""Who had a place on one of so many dates is a regular."""
ACTIVE: Final = (Entry.Status.ENTERED, Entry.Status.WAITING)
"""The entries of those who have a place or wait for one, whom everybody sees."""


def own_player(viewer: Viewer, club_id: int) -> Player | None:
    """The player that the viewer's account is in a club: the one for whom games count."""
    if not viewer.user.is_authenticated:
        return None
    player = (
        Player.objects.select_related("merged_into")
        .filter(club=club_id, user=viewer.user.pk)
        .first()
    )
    return player and (player.merged_into or player)


def own_entries(user: User) -> QuerySet[Entry]:
    """The entries of an account's players, those who are merged into them included."""
    return Entry.objects.filter(Q(player__user=user.pk) | Q(player__merged_into__user=user.pk))


def entry_of_player(event: Event, player: Player) -> Entry | None:
    """The entry of a person in an event, with the player; the one that stands where there are
    several."""
    is_player = Q(player=player) | Q(player__merged_into=player)
    entries = list(
        Entry.objects.select_related("player").filter(is_player, event=event).order_by("number")
    )
    return next(
        (entry for entry in entries if entry.status in ACTIVE), entries[-1] if entries else None
    )


def places(event: Event) -> PlaceCounts:
    """The places of an event, by one query."""
    counts = Entry.objects.filter(event=event).aggregate(
        taken=Count("pk", filter=Q(status=Entry.Status.ENTERED)),
        waiting=Count("pk", filter=Q(status=Entry.Status.WAITING)),
    )
    return PlaceCounts(event.capacity, **counts)


def waiting_place(entry: Entry) -> int:
    """Read where an entry stands on the waiting list, from 1."""
    return Entry.objects.filter(
        event=entry.event_id, status=Entry.Status.WAITING, number__lte=entry.number
    ).count()


def first_waiting(event: Event) -> Entry | None:
    """Read who gets the next free place."""
    waiting = Entry.objects.select_related("player").filter(
        event=event, status=Entry.Status.WAITING
    )
    return waiting.order_by("number").first()


def entry_rows(event: Event) -> QuerySet[Entry]:
    """The entries of an event with all that programs are told of them, in the order of their
    numbers. `provisional`: the result of a game that the entry played is disputed."""
    people = ("player__merged_into", "substitutes__merged_into", "final_rank", "event")
    entries = Entry.objects.filter(event=event).select_related(*people).order_by("number")
    return entries.annotate(provisional=sat_at_disputed("pk", event.pk))


def status_counts(event: Event) -> dict[str, int]:
    """Read how many entries of an event have each status."""
    rows = (
        Entry.objects.filter(event=event)
        .order_by()
        .values_list("status")
        .annotate(count=Count("pk"))
    )
    return dict.fromkeys(Entry.Status.values, 0) | dict(rows)


def listed_entries(event: Event, status: str = "", search: str = "") -> QuerySet[Entry]:
    """The entries of an event in the order of their numbers, with players; of one status, or whose
    name is so."""
    entries = (
        Entry.objects.filter(event=event).select_related("player", "substitutes").order_by("number")
    )
    if status:
        entries = entries.filter(status=status)
    if search:
        entries = entries.filter(player__search_text__contains=folded(search))
    return entries


def labels_of(event: Event) -> list[str]:
    """The labels that entries of an event have: clubs and towns, by name."""
    labels = Entry.objects.filter(event=event).exclude(label="").values_list("label", flat=True)
    return sorted(labels.order_by("label").distinct(), key=name_key)


class Regular(NamedTuple):
    """A player of the last dates before an event: whether they had a place the last time, and the
    latest label."""

    player: Player
    was_last: bool
    label: str


def regulars(event: Event) -> list[Regular]:
    """The players of the last dates before an event, by name.

    Dates of the same season; for an event that stands alone those of its name, numbers apart. Where
    there are none, those of the club, and nobody had a place the last time. Who has an entry in the
    event is left out. Three queries."""
    before = Event.objects.filter(club=event.club_id, starts_at__lt=event.starts_at)
    before = (
        before.exclude(status=Event.Status.CANCELLED)
        .filter(entries__status=Entry.Status.ENTERED)
        .distinct()
    )
    dates_before = before.order_by("-starts_at", "-pk").values_list("pk", flat=True)
    stem = event.name.rstrip("0123456789")
    is_like = Q(alone=True, name__startswith=stem) if event.alone else Q(season=event.season_id)
    like = list(dates_before.filter(is_like)[:LAST_DATES])
    dates = like or list(dates_before[:LAST_DATES])
    entries = Entry.objects.filter(
        event__in=dates, status=Entry.Status.ENTERED, player__erased_at=None
    )
    entered = Entry.objects.filter(event=event).values("player")
    last: dict[Player, Regular] = {}
    for entry in (
        entries.exclude(player__in=entered).select_related("player__merged_into").order_by("pk")
    ):
        player = entry.player.merged_into or entry.player
        earlier = last.get(player, Regular(player, False, ""))
        was_last = earlier.was_last or entry.event_id in like[:1]
        last[player] = Regular(player, was_last, entry.label or earlier.label)
    return sorted(last.values(), key=lambda regular: (regular.player.name_key, regular.player.pk))


UNCLAIMED: Final = Q(player__user=None, player__merged_into__user=None, player__erased_at=None)


def entries_unclaimed(event: Event) -> QuerySet[Entry]:
    """Read who is checked in and has no account, by name: whoever taps such a name on the event's
    list is that player."""
    checked_in = Entry.objects.filter(
        UNCLAIMED, event=event, status=Entry.Status.ENTERED, checked_in_at__isnull=False
    )
    return checked_in.select_related("player").order_by("player__name_key", "number")


def is_unclaimed(entry: Entry) -> bool:
    """True for an entry of a player who has no account, or whose name was only tapped: its letter's
    link lets somebody be that player."""
    is_tapped = Q(player__in=tapped_claims().values("player"))
    return Entry.objects.filter(UNCLAIMED | is_tapped, pk=entry.pk).exists()


def apart_of(entry: Entry) -> QuerySet[Apart]:
    """With whom an entry should not sit at one table."""
    pairs = Apart.objects.select_related("first__player", "second__player")
    return pairs.filter(Q(first=entry) | Q(second=entry)).order_by("pk")


def missing(event: Event) -> QuerySet[Entry]:
    """Read who has a place and wasn't seen yet."""
    return Entry.objects.filter(event=event, status=Entry.Status.ENTERED, checked_in_at=None)


def both_entered(kept_player: Player, merged: Player) -> list[str]:
    """The names of events in which both take part, so that the two can't be one person, by date.

    Who has played there takes part, and for whom somebody plays.
    """

    def part(player: Player) -> QuerySet[Entry]:
        own = Q(player=player) | Q(player__merged_into=player)
        absent = Q(substitutes=player) | Q(substitutes__merged_into=player)
        played = Entry.objects.filter(participations__isnull=False).values("pk")
        return Entry.objects.filter((own | absent) & Q(status__in=ACTIVE) | own & Q(pk__in=played))

    events = Event.objects.filter(pk__in=part(kept_player).values("event")).filter(
        pk__in=part(merged).values("event")
    )
    return list(events.order_by("starts_at", "pk").values_list("name", flat=True))


def entry_counts(event: Event) -> EntryCounts:
    """Read how many have entered an event, are there, and wait."""
    entered = Q(status=Entry.Status.ENTERED)
    counts = Entry.objects.filter(event=event).aggregate(
        entered=Count("pk", filter=entered),
        there=Count("pk", filter=entered & Q(checked_in_at__isnull=False)),
        waiting=Count("pk", filter=Q(status=Entry.Status.WAITING)),
    )
    return EntryCounts(**counts)


def entries_shown(viewer: Viewer, event: Event) -> QuerySet[Entry]:
    """Read who has a place in an event, by final rank where there is one (who left after playing
    has one, too), then who waits; else in the order of entering.

    Each with the player, who that is merged into, for whom the results count, whether the player
    has a page (`known`), and whether the result of a game that the entry played is disputed
    (`provisional`)."""
    player = Coalesce("player__merged_into", "player")
    visible = visible_players(viewer).filter(pk=OuterRef("who"))
    entries = Entry.objects.filter(Q(status__in=ACTIVE) | Q(final_rank__isnull=False), event=event)
    people = entries.select_related("player__merged_into", "substitutes", "final_rank").alias(
        who=player
    )
    marks = {"known": Exists(visible), "provisional": sat_at_disputed("pk", event.pk)}
    return people.annotate(**marks).order_by(
        F("final_rank__rank").asc(nulls_last=True), "status", "number"
    )


def entries_there(viewer: Viewer, event: Event) -> list[Entry]:
    """With which entries the viewer has a place in an event, or waits for one; no query where
    nobody is signed in."""
    if not viewer.user.is_authenticated:
        return []
    return list(
        own_entries(viewer.user).select_related("player").filter(event=event, status__in=ACTIVE)
    )


def my_entries(user: User) -> list[Entry]:
    """Read what the account's players are entered for, or wait for, and isn't past, the next first:
    at most 100 entries, each with player, event and club."""
    events = coming(visible_events(Viewer(user))).order_by()
    mine = own_entries(user).select_related("player", "event__club")
    return list(
        mine.filter(status__in=ACTIVE, event__in=events).order_by("event__starts_at", "pk")[
            :MOST_ENTRIES
        ]
    )


MOST_ENTRIES: Final = 100
