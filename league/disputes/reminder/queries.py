"""The reminders that are due, and the people who get them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db.models import Q
from django.db.models.functions import Coalesce, Lower

from games.models import Game
from league.core.player.models import Handle, Player
from league.disputes.objection.models import Objection
from league.disputes.objection.queries.objection import objection_rows
from league.disputes.reminder.models import ObjectionReminder

MOST: Final = 200
"""So many objections are looked after at a time; the next call takes those behind them."""


def reminders_due(at: datetime) -> list[int]:
    """Read the objections, by row id, of which somebody is to be told now, the longest due first.
    By an index."""
    due = ObjectionReminder.objects.filter(next_at__lte=at).order_by("next_at", "objection")
    return list(due.values_list("objection", flat=True)[:MOST])


def reminder_held(objection_id: int) -> ObjectionReminder | None:
    """Read the reminder of an open objection with its game, and hold it until the transaction ends;
    None if there is none, or the objection has ended."""
    reminders = ObjectionReminder.objects.select_for_update(of=("self",)).select_related(
        "objection__game"
    )
    return reminders.filter(objection=objection_id, objection__end=None).first()


def open_objection(public_id: str) -> Objection | None:
    """Read an objection with its game, season and club; None if it has ended."""
    objections = Objection.objects.select_related("game__season_game__season__club")
    return objections.filter(public_id=public_id, end=None).first()


def players_at_seat(objection: Objection) -> list[str]:
    """Read who sits at the seat of an objection now, by public id: one player, or nobody. One
    query."""
    row = objection_rows(Objection.objects.filter(pk=objection.pk)).get()
    return [row["player"]] if row["player"] else []


def accounts_at_table(game: Game) -> set[int | None]:
    """Read the accounts of those who sat at a game, which comes with its season: they don't let its
    result stand.

    A player who was merged into another one is the same person. Two queries.
    """
    club_id = game.season_game.season.club_id
    seats = game.seats.values(lower=Lower("handle"))
    held = Handle.objects.alias(lower=Lower("handle")).filter(club=club_id, lower__in=seats)
    people = set(held.values_list(Coalesce("player__merged_into", "player"), flat=True))
    players = Player.objects.filter(
        Q(pk__in=people) | Q(merged_into__in=people), user__isnull=False
    )
    return set(players.values_list("user", flat=True))
