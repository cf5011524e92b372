"""The loaders: views get events and what hangs on them only from here, and only what the viewer may see.

What may not be seen is answered as if it didn't exist.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from league.clubs.models import Club, Membership, Role
from league.clubs.queries.access import Viewer
from league.events.models import Draw, Entry, EntryByMail, Event, Stage, StageRound, Table, TableSeat
from league.events.models.entry import CONFIRMED_WITHIN
from league.events.models.event import ANNOUNCED
from league.frame.token import digest_of
from league.rankings.queries.access import visible_seasons

DRAWN = (StageRound.Status.PUBLISHED, StageRound.Status.FINISHED)
"""The rounds that everybody may see who sees the event."""


def visible_events(viewer: Viewer) -> QuerySet[Event]:
    """Events that the viewer may see: those of seasons that the viewer sees; drafts, cancelled ones too, for organisers
    alone."""
    found = Event.objects.filter(season__in=visible_seasons(viewer))
    user = viewer.user
    if user.is_authenticated and user.is_superuser:
        return found
    organised = Club.objects.filter(pk__in=Membership.objects.filter(user=user.pk, role=Role.ORGANISER).values("club"))
    return found.filter(ANNOUNCED | Q(club__in=organised))


def event_for(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event with its club, season and ranking. Raises `Event.DoesNotExist`."""
    found = visible_events(viewer).select_related("club", "season__ranking")
    return found.get(club__slug=club_slug, slug=slug)


def event_for_organiser(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event for the organisers of its club. Raises `Event.DoesNotExist`."""
    event = event_for(viewer, club_slug, slug)
    if not viewer.user.has_perm("league.manage_club", event.club):
        raise Event.DoesNotExist
    return event


def entry_of(event: Event, public_id: str) -> Entry:
    """An entry of an event that comes from a loader, with its player. Raises `Entry.DoesNotExist`."""
    return Entry.objects.select_related("player", "substitutes").get(event=event, public_id=public_id)


def entry_for(viewer: Viewer, public_id: str) -> Entry:
    """An entry with player, event and club, for whom it belongs to and for organisers of the club.

    Raises `Entry.DoesNotExist`.
    """
    found = Entry.objects.select_related("player__merged_into", "event__club", "event__season__ranking")
    entry = found.get(public_id=public_id)
    if not is_own(viewer, entry) and not viewer.user.has_perm("league.manage_club", entry.event.club):
        raise Entry.DoesNotExist
    return entry


def is_own(viewer: Viewer, entry: Entry) -> bool:
    """Whether an entry is that of a player of the viewer's account."""
    player = entry.player
    accounts = {player.user_id, player.merged_into.user_id if player.merged_into else None} - {None}
    return viewer.user.is_authenticated and viewer.user.pk in accounts


def entry_by_mail_for_bearer(token: str) -> EntryByMail:
    """What a letter's link opens, with event, club and entry, for whoever has the link.

    Raises `EntryByMail.DoesNotExist`, also once it is too old.
    """
    found = EntryByMail.objects.select_related("event__club", "event__season__ranking", "entry__player")
    good = found.filter(Q(entry__isnull=False) | Q(asked_at__gt=timezone.now() - CONFIRMED_WITHIN))
    asked = good.get(digest=digest_of(token))
    if asked.entry is not None:
        asked.entry.event = asked.event
    return asked


def stage_of(event: Event, number: int) -> Stage:
    """A stage of an event that comes from a loader, by its number. Raises `Stage.DoesNotExist`."""
    stage = Stage.objects.get(event=event, number=number)
    stage.event = event
    return stage


def round_of(stage: Stage, number: int, *, organiser: bool = False) -> StageRound:
    """A round of a stage, by its number: what is not published yet for organisers alone. Raises `DoesNotExist`."""
    found = StageRound.objects.filter(stage=stage, number=number).exclude(status=StageRound.Status.TAKEN_BACK)
    if not organiser:
        found = found.filter(status__in=DRAWN)
    stage_round = found.order_by("-pk")[:1].get()
    stage_round.stage = stage
    return stage_round


def table_for(viewer: Viewer, public_id: str) -> Table:
    """A published table by its public id, with round, stage, event, club and season. Raises `Table.DoesNotExist`."""
    found = Table.objects.select_related(
        "group", "stage_round__stage__event__club", "stage_round__stage__event__season__ranking"
    )
    return found.get(
        public_id=public_id, stage_round__status__in=DRAWN, stage_round__stage__event__in=visible_events(viewer)
    )


def table_for_result(viewer: Viewer, public_id: str) -> Table:
    """A table whose result the viewer may enter: as a scorer or organiser of the club, or sitting there.

    Raises `Table.DoesNotExist`.
    """
    table = table_for(viewer, public_id)
    if not may_enter_result(viewer, table):
        raise Table.DoesNotExist
    return table


def table_for_organiser(viewer: Viewer, public_id: str) -> Table:
    """A published table for the organisers of its club. Raises `Table.DoesNotExist`."""
    table = table_for(viewer, public_id)
    if not viewer.user.has_perm("league.manage_club", table.stage_round.stage.event.club):
        raise Table.DoesNotExist
    return table


def may_enter_result(viewer: Viewer, table: Table) -> bool:
    """Whether the viewer may enter what came of a table that comes from a loader."""
    user = viewer.user
    if not user.is_authenticated:
        return False
    if user.has_perm("league.enter_games", table.stage_round.stage.event.club):
        return True
    own = Q(entry__player__user=user.pk) | Q(entry__player__merged_into__user=user.pk)
    return TableSeat.objects.filter(own, table=table).exists()


def draw_for(viewer: Viewer, public_id: str) -> Draw:
    """A draw by its public id, with its round, stage, event and club; of a round that isn't published for organisers
    alone. Raises `Draw.DoesNotExist`."""
    found = Draw.objects.select_related("group", "stage_round__stage__event__club", "made_by")
    draw = found.get(public_id=public_id, stage_round__stage__event__in=visible_events(viewer))
    club = draw.stage_round.stage.event.club
    if draw.stage_round.status not in DRAWN and not viewer.user.has_perm("league.manage_club", club):
        raise Draw.DoesNotExist
    return draw
