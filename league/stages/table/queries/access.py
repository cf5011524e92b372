"""Loaders of rounds, tables and draws: what isn’t published is for organisers alone."""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef, Q

from league.core.viewer.queries.access import Viewer
from league.events.event.models import Event
from league.events.event.permissions import RUNNERS, SCORERS, with_role
from league.events.event.queries.access import visible_events
from league.stages.draw.models import Draw
from league.stages.round.models import StageRound
from league.stages.round.queries import is_public
from league.stages.stage.domain.facts import DRAWN
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_for_organiser
from league.stages.table.models import Table, TableSeat

EVENT: Final = "stage_round__stage__event__"
"""The lookup from a table to its event."""
CONFIRMED_ALONE: Final = Q((f"{EVENT}confirmation", Event.Confirmer.ALONE))
PLAYED_ONLINE: Final = Q((f"{EVENT}online", True))
"""Tables of online events."""
PLAYERS_ENTER: Final = ~PLAYED_ONLINE & CONFIRMED_ALONE & Q((f"{EVENT}players_enter", True))
"""Tables of events whose players may enter results alone, without confirmation."""
PLAYERS_WRITE: Final = ~PLAYED_ONLINE & (~CONFIRMED_ALONE | Q((f"{EVENT}players_enter", True)))
"""Tables of events whose players may write games down: alone, or with somebody who confirms."""
STANDS: Final = Q(stage_round__status__in=DRAWN)
"""Tables of published rounds that weren't taken back."""


def round_of(stage: Stage, number: int, *, organiser: bool = False) -> StageRound:
    """Return a round of a stage by its number; one that isn't published yet for organisers alone.
    Raise `DoesNotExist` otherwise."""
    rounds = stage.stage_rounds.filter(number=number).exclude(status=StageRound.Status.TAKEN_BACK)
    if not organiser:
        rounds = rounds.filter(status__in=DRAWN)
    return rounds.order_by("-pk")[:1].get()


def round_for_organiser(
    viewer: Viewer, club_slug: str, event_slug: str, stage: int, number: int
) -> StageRound:
    """Return a round for the organisers of its event, published or not. Raise `DoesNotExist`
    otherwise."""
    return round_of(
        stage_for_organiser(viewer, club_slug, event_slug, stage), number, organiser=True
    )


def table_for(viewer: Viewer, public_id: str, *conditions: Q) -> Table:
    """Return a published table by its public id, with its group, round, stage, event, club and
    season. A table whose round was published and then taken back is returned, too. Raise
    `Table.DoesNotExist` otherwise."""
    tables = Table.objects.select_related(
        "group",
        "stage_round__stage__event__club",
        "stage_round__stage__event__season__ranking",
        "stage_round__stage__event__season__club__all_time",
    )
    table = tables.filter(*conditions).get(
        public_id=public_id, stage_round__stage__event__in=visible_events(viewer)
    )
    if not is_public(table.stage_round):
        raise Table.DoesNotExist
    return table


def table_for_result(viewer: Viewer, public_id: str) -> Table:
    """Return a table whose result the viewer may enter: as a scorer or organiser of the club or the
    event or, if the event allows it, as a player at the table.

    Raise `Table.DoesNotExist` otherwise.
    """
    return table_for(viewer, public_id, _at_table(viewer, PLAYERS_ENTER))


def table_for_writing(viewer: Viewer, public_id: str) -> Table:
    """Return a table whose game the viewer may write down, with or without confirmation by others.
    Raise `Table.DoesNotExist` otherwise."""
    return table_for(viewer, public_id, _at_table(viewer, PLAYERS_WRITE))


def table_for_playing(viewer: Viewer, public_id: str) -> Table:
    """Return a table of an online event for its players and for scorers. Raise `Table.DoesNotExist`
    otherwise."""
    return table_for(viewer, public_id, PLAYED_ONLINE, _at_table(viewer, Q()))


def may_play(viewer: Viewer, table: Table) -> bool:
    """Return True if the viewer may go to the online table of a loaded table."""
    return Table.objects.filter(PLAYED_ONLINE, _at_table(viewer, Q()), pk=table.pk).exists()


def table_for_organiser(viewer: Viewer, public_id: str) -> Table:
    """Return a published table for the organisers of its club and event. Raise `Table.DoesNotExist`
    otherwise."""
    return table_for(viewer, public_id, STANDS, with_role(viewer.user, RUNNERS, EVENT))


def may_enter_result(viewer: Viewer, table: Table) -> bool:
    """Return True if the viewer may enter a result at a loaded table; False if its round was taken
    back."""
    return Table.objects.filter(_at_table(viewer, PLAYERS_ENTER), pk=table.pk).exists()


def may_write(viewer: Viewer, table: Table) -> bool:
    """Return True if the viewer may write down a game of a loaded table; False if its round was
    taken back."""
    return Table.objects.filter(_at_table(viewer, PLAYERS_WRITE), pk=table.pk).exists()


def _at_table(viewer: Viewer, players: Q) -> Q:
    """Return the condition for tables at which the viewer may act: as a scorer or, if `players`
    holds for the table (`Q()` holds for all), as a player who sits there."""
    user = viewer.user
    if not user.is_authenticated:
        return Q(pk__in=[])  # no table
    own_seats = TableSeat.objects.filter(
        Q(entry__player__user=user.pk) | Q(entry__player__merged_into__user=user.pk),
        table=OuterRef("pk"),
    )
    return STANDS & (with_role(user, SCORERS, EVENT) | (Q(Exists(own_seats)) & players))


def draw_for(viewer: Viewer, public_id: str) -> Draw:
    """Return a draw by its public id, with its round, stage, event and club; one of a round that
    was never published for organisers alone. Raise `Draw.DoesNotExist` otherwise."""
    draws = Draw.objects.select_related("group", "stage_round__stage__event__club", "made_by")
    draw = draws.get(public_id=public_id, stage_round__stage__event__in=visible_events(viewer))
    event = draw.stage_round.stage.event
    if not is_public(draw.stage_round) and not viewer.user.has_perm("league.manage_event", event):
        raise Draw.DoesNotExist
    return draw
