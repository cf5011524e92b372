"""Queries of entries: who has a place, who waits, whose they are, and who might enter."""

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
from league.events.entry.queries.disputed import has_disputed_result
from league.events.event.models import Event
from league.events.event.queries.access import visible_events
from league.events.event.queries.event import coming
from league.standings.season.queries.access import visible_players

LAST_DATES: Final = 5
"""A player who had a place on one of this many last dates is a regular."""
ACTIVE: Final = (Entry.Status.ENTERED, Entry.Status.WAITING)
"""The status of entries that have a place or wait for one, which everybody sees."""


def own_player(viewer: Viewer, club_id: int) -> Player | None:
    """Return the player of the viewer's account in a club, following a merge, or None."""
    if not viewer.user.is_authenticated:
        return None
    players = Player.objects.select_related("merged_into")
    player = players.filter(club=club_id, user=viewer.user.pk).first()
    if player is None:
        return None
    return player.merged_into or player


def own_entries(user: User) -> QuerySet[Entry]:
    """Return the entries of an account's players, including those of players merged into them."""
    return Entry.objects.filter(Q(player__user=user.pk) | Q(player__merged_into__user=user.pk))


def entry_of_player(event: Event, player: Player) -> Entry | None:
    """Return a person's entry in an event, with the player: the active one if there are several,
    or else the latest.
    """
    is_player = Q(player=player) | Q(player__merged_into=player)
    entries = list(
        Entry.objects.select_related("player").filter(is_player, event=event).order_by("number")
    )
    active = [entry for entry in entries if entry.status in ACTIVE]
    if active:
        return active[0]
    return entries[-1] if entries else None


def places(event: Event) -> PlaceCounts:
    """Return the place counts of an event. One query."""
    counts = Entry.objects.filter(event=event).aggregate(
        taken=Count("pk", filter=Q(status=Entry.Status.ENTERED)),
        waiting=Count("pk", filter=Q(status=Entry.Status.WAITING)),
    )
    return PlaceCounts(event.capacity, **counts)


def waiting_place(entry: Entry) -> int:
    """Return an entry's place on the waiting list, from 1."""
    return Entry.objects.filter(
        event=entry.event_id, status=Entry.Status.WAITING, number__lte=entry.number
    ).count()


def first_waiting(event: Event) -> Entry | None:
    """Return the entry that gets the next free place, or None."""
    waiting = Entry.objects.select_related("player").filter(
        event=event, status=Entry.Status.WAITING
    )
    return waiting.order_by("number").first()


def entry_rows(event: Event) -> QuerySet[Entry]:
    """Return the entries of an event with everything that the API shows of them, in the order of
    their numbers. `provisional`: the result of a game that the entry played is disputed.
    """
    people = ("player__merged_into", "substitutes__merged_into", "final_rank", "event")
    entries = Entry.objects.filter(event=event).select_related(*people).order_by("number")
    return entries.annotate(provisional=has_disputed_result("pk", event.pk))


def status_counts(event: Event) -> dict[str, int]:
    """Return how many entries of an event have each status."""
    entries = Entry.objects.filter(event=event).order_by()
    counts = dict.fromkeys(Entry.Status.values, 0)
    counts.update(entries.values_list("status").annotate(count=Count("pk")))
    return counts


def listed_entries(event: Event, status: str = "", search: str = "") -> QuerySet[Entry]:
    """Return the entries of an event in the order of their numbers, with players; with `status`
    only those in that state, with `search` only those whose player matches.
    """
    entries = (
        Entry.objects.filter(event=event).select_related("player", "substitutes").order_by("number")
    )
    if status:
        entries = entries.filter(status=status)
    if search:
        entries = entries.filter(player__search_text__contains=folded(search))
    return entries


def labels_of(event: Event) -> list[str]:
    """Return the labels of an event's entries, which are clubs and towns, by name."""
    labels = Entry.objects.filter(event=event).exclude(label="").values_list("label", flat=True)
    return sorted(labels.order_by("label").distinct(), key=name_key)


class Regular(NamedTuple):
    """A player of the last dates before an event: whether they had a place on the last date, and
    their latest label.
    """

    player: Player
    was_last: bool
    label: str


def regulars(event: Event) -> list[Regular]:
    """Return the players of the last dates before an event, by name, without those who have an
    entry in it. Three queries.

    The dates are events of the same season or, for an event that stands alone, events with the same
    name but for a number at its end. If there are none, they are the latest events of the club, and
    nobody counts as a player of the last date.
    """
    similar_dates = _similar_event_ids(event)
    dates = similar_dates or list(_earlier_event_ids(event)[:LAST_DATES])
    entered_players = Entry.objects.filter(event=event).values("player")
    entries = (
        Entry.objects.filter(event__in=dates, status=Entry.Status.ENTERED, player__erased_at=None)
        .exclude(player__in=entered_players)
        .select_related("player__merged_into")
        .order_by("pk")
    )

    regulars_by_player: dict[Player, Regular] = {}
    for entry in entries:
        player = entry.player.merged_into or entry.player
        earlier = regulars_by_player.get(player, Regular(player, was_last=False, label=""))
        # The latest date comes first.
        was_last = earlier.was_last or entry.event_id in similar_dates[:1]
        regulars_by_player[player] = Regular(player, was_last, entry.label or earlier.label)
    return sorted(
        regulars_by_player.values(),
        key=lambda regular: (regular.player.name_key, regular.player.pk),
    )


def _earlier_event_ids(event: Event) -> QuerySet[Event, int]:
    before = Event.objects.filter(club=event.club_id, starts_at__lt=event.starts_at)
    not_cancelled = before.exclude(status=Event.Status.CANCELLED)
    with_entries = not_cancelled.filter(entries__status=Entry.Status.ENTERED).distinct()
    return with_entries.order_by("-starts_at", "-pk").values_list("pk", flat=True)


def _similar_event_ids(event: Event) -> list[int]:
    is_similar = Q(season=event.season_id)
    if event.alone:
        name_without_number = event.name.rstrip("0123456789")
        is_similar = Q(alone=True, name__startswith=name_without_number)
    return list(_earlier_event_ids(event).filter(is_similar)[:LAST_DATES])


UNCLAIMED: Final = Q(player__user=None, player__merged_into__user=None, player__erased_at=None)
"""The condition that an entry's player has no account and wasn't erased."""


def entries_unclaimed(event: Event) -> QuerySet[Entry]:
    """Return the checked-in entries of players without an account, by name. Anybody who taps such a
    name on the event's list becomes that player.
    """
    checked_in = Entry.objects.filter(
        UNCLAIMED, event=event, status=Entry.Status.ENTERED, checked_in_at__isnull=False
    )
    return checked_in.select_related("player").order_by("player__name_key", "number")


def is_unclaimed(entry: Entry) -> bool:
    """Return True if the entry's player has no account, or was only claimed by a tap. The link in
    its email then lets the reader claim the player.
    """
    is_tapped = Q(player__in=tapped_claims().values("player"))
    return Entry.objects.filter(UNCLAIMED | is_tapped, pk=entry.pk).exists()


def apart_of(entry: Entry) -> QuerySet[Apart]:
    """Return the pairs of an entry that shouldn't sit at the same table."""
    pairs = Apart.objects.select_related("first__player", "second__player")
    return pairs.filter(Q(first=entry) | Q(second=entry)).order_by("pk")


def entries_not_checked_in(event: Event) -> QuerySet[Entry]:
    """Return the entries that have a place but aren't checked in."""
    return Entry.objects.filter(event=event, status=Entry.Status.ENTERED, checked_in_at=None)


def both_entered(kept_player: Player, merged: Player) -> list[str]:
    """Return the names of the events in which both players take part, by date. If there are any,
    the two can't be one person.
    """
    events = Event.objects.filter(pk__in=_entries_of_person(kept_player).values("event"))
    events_of_both = events.filter(pk__in=_entries_of_person(merged).values("event"))
    return list(events_of_both.order_by("starts_at", "pk").values_list("name", flat=True))


def _entries_of_person(player: Player) -> QuerySet[Entry]:
    """Return the entries with which a player takes part: their active entries, entries with which
    they have played, and active entries of their substitutes."""
    own = Q(player=player) | Q(player__merged_into=player)
    substituted = Q(substitutes=player) | Q(substitutes__merged_into=player)
    played = Entry.objects.filter(participations__isnull=False).values("pk")
    return Entry.objects.filter((own | substituted) & Q(status__in=ACTIVE) | own & Q(pk__in=played))


def entry_counts(event: Event) -> EntryCounts:
    """Return how many entries of an event have a place, are checked in, and wait."""
    entered = Q(status=Entry.Status.ENTERED)
    counts = Entry.objects.filter(event=event).aggregate(
        entered=Count("pk", filter=entered),
        there=Count("pk", filter=entered & Q(checked_in_at__isnull=False)),
        waiting=Count("pk", filter=Q(status=Entry.Status.WAITING)),
    )
    return EntryCounts(**counts)


def entries_shown(viewer: Viewer, event: Event) -> QuerySet[Entry]:
    """Return the entries that everybody sees: by final rank, then the entries with a place, then
    the waiting ones, each by number. Players who left after playing have a final rank, too.

    Each comes with its player, the player they are merged into, the player for whom its results
    count, whether the player has a page (`known`), and whether the result of a game that the entry
    played is disputed (`provisional`).
    """
    player = Coalesce("player__merged_into", "player")
    visible = visible_players(viewer).filter(pk=OuterRef("who"))
    entries = Entry.objects.filter(Q(status__in=ACTIVE) | Q(final_rank__isnull=False), event=event)
    people = entries.select_related("player__merged_into", "substitutes", "final_rank").alias(
        who=player
    )
    marks = {"known": Exists(visible), "provisional": has_disputed_result("pk", event.pk)}
    return people.annotate(**marks).order_by(
        F("final_rank__rank").asc(nulls_last=True), "status", "number"
    )


def own_active_entries(viewer: Viewer, event: Event) -> list[Entry]:
    """Return the viewer's active entries in an event. No query if nobody is signed in."""
    if not viewer.user.is_authenticated:
        return []
    entries = own_entries(viewer.user).select_related("player")
    return list(entries.filter(event=event, status__in=ACTIVE))


def my_entries(user: User) -> list[Entry]:
    """Return the account's active entries in events that aren't past, the next first: at most 100,
    each with player, event and club.
    """
    events = coming(visible_events(Viewer(user))).order_by()
    own = own_entries(user).select_related("player", "event__club")
    active = own.filter(status__in=ACTIVE, event__in=events)
    return list(active.order_by("event__starts_at", "pk")[:MOST_ENTRIES])


MOST_ENTRIES: Final = 100
