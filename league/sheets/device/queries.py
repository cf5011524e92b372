"""The seats at which writers sit, by their account or by the key of their device."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from django.db.models import Q
from django.db.models.functions import Coalesce

from games.models import Device
from games.services.open_game import Writer
from league.core.player.models import Player
from league.core.player.queries.player import players_of_handles
from league.sheets.sheet.models import ClubOpenGame
from league.stages.table.models import Table

WriterIds: TypeAlias = tuple[int | None, int | None]
"""A writer by the row ids of account and device; an automatic player has neither."""


def writer_ids(writer: Writer) -> WriterIds:
    """Return the row ids of a writer's account and device."""
    return (writer.account_id, writer.device_id)


def seat_of(row: ClubOpenGame, writer: Writer) -> int | None:
    """Return the seat of a writer in an open game, from 0; None for a writer without a seat. Four
    queries."""
    ids = writer_ids(writer)
    return seats_of_writers(players_of_game(row), [ids])[ids]


def players_at(subject: Table | ClubOpenGame) -> list[int | None]:
    """Return the row ids of the players at a table or in an open game, in seat order. Two queries
    at most."""
    return players_of_table(subject) if isinstance(subject, Table) else players_of_game(subject)


def players_of_game(row: ClubOpenGame) -> list[int | None]:
    """Return the row ids of an open game's players, in seat order; None for a handle without a
    player. Two queries."""
    handles = list(row.open_game.seats.order_by("number").values_list("handle", flat=True))
    return players_of_handles(row.club.pk, handles)


def players_of_table(table: Table) -> list[int | None]:
    """Return the row ids of a table's players, in seat order. One query."""
    player = Coalesce("entry__player__merged_into", "entry__player")
    return list(table.seats.order_by("seat").values_list(player, flat=True))


def seats_of_writers(
    players: Sequence[int | None], writers: Collection[WriterIds]
) -> dict[WriterIds, int | None]:
    """Return the seat of each writer, from 0; None for writers without a seat. Two queries at most.

    `players`: row ids in seat order. An account has the seat of its player. A device has the seat
    of the player for whom its key was made; for a scorer's key, that of the account that made it.
    """
    seats = {player: seat for seat, player in enumerate(players) if player is not None}
    seated = Player.objects.filter(Q(pk__in=seats) | Q(merged_into__in=seats))
    seat_of_player: dict[int | None, int] = {}
    seat_of_account: dict[int | None, int] = {}
    for player, merged_into, account in seated.values_list("pk", "merged_into", "user"):
        seat = seats[merged_into or player]
        seat_of_player[player] = seat
        if account is not None:
            seat_of_account[account] = seat
    devices = [device for _, device in writers if device is not None]
    holders: dict[int | None, tuple[int | None, int | None]] = {}
    if devices:
        holder = Coalesce("table_device__player", "game_device__player")
        rows = Device.objects.filter(pk__in=devices).values_list("pk", holder, "made_by")
        holders = {device: (player, maker) for device, player, maker in rows}

    def seat_of_writer(account: int | None, device: int | None) -> int | None:
        if device is None:
            return seat_of_account.get(account)
        player, maker = holders[device]
        if player is not None:
            return seat_of_player.get(player)
        return seat_of_account.get(maker)

    return {writer: seat_of_writer(*writer) for writer in writers}
