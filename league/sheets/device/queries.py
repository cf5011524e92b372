"""At which seat somebody writes: by the account, or by the key of the device."""

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

Hand: TypeAlias = tuple[int | None, int | None]
"""Who wrote, by the rows of account and device; an automatic player has neither."""


def hand_of(writer: Writer) -> Hand:
    """Return a writer by the rows of account and device."""
    return (writer.account_id, writer.device_id)


def seat_of(row: ClubOpenGame, writer: Writer) -> int | None:
    """Return the seat of an open game at which somebody writes, from 0; None for those who sit at
    none. Four queries."""
    hand = hand_of(writer)
    return seats_of_hands(players_of_game(row), [hand])[hand]


def players_at(subject: Table | ClubOpenGame) -> list[int | None]:
    """Return the players who sit at a table or an open game, by row id, in seat order. Two queries
    at most."""
    return players_of_table(subject) if isinstance(subject, Table) else players_of_game(subject)


def players_of_game(row: ClubOpenGame) -> list[int | None]:
    """Return the players who sit at an open game, by row id, in seat order. Two queries."""
    handles = list(row.open_game.seats.order_by("number").values_list("handle", flat=True))
    return players_of_handles(row.club.pk, handles)


def players_of_table(table: Table) -> list[int | None]:
    """Return the players who sit at a table, by row id, in seat order. One query."""
    player = Coalesce("entry__player__merged_into", "entry__player")
    return list(table.seats.order_by("seat").values_list(player, flat=True))


def seats_of_hands(
    players: Sequence[int | None], hands: Collection[Hand]
) -> dict[Hand, int | None]:
    """Return the seat of each writer, given the `players` in seat order: the seat of the player for
    whom the key was made, else of the account that writes or made the key; None for a scorer's key
    and for writers without a seat. Two queries at most."""
    seats = {player: seat for seat, player in enumerate(players) if player is not None}
    people = Player.objects.filter(Q(pk__in=seats) | Q(merged_into__in=seats))
    of_players: dict[int | None, int] = {}
    of_accounts: dict[int | None, int] = {}
    for player, merged_into, account in people.values_list("pk", "merged_into", "user"):
        seat = seats[merged_into or player]
        of_players[player] = seat
        if account is not None:
            of_accounts[account] = seat
    devices = [device for _, device in hands if device is not None]
    keys: dict[int | None, tuple[int | None, int | None]] = {}
    if devices:
        player_of_key = Coalesce("table_device__player", "game_device__player")
        rows = Device.objects.filter(pk__in=devices).values_list("pk", player_of_key, "made_by")
        keys = {device: (player, maker) for device, player, maker in rows}

    def seat_of_hand(hand: Hand) -> int | None:
        account, device = hand
        if device is None:
            return of_accounts.get(account)
        player, maker = keys[device]
        if player is not None:
            return of_players.get(player)
        return of_accounts.get(maker)

    return {hand: seat_of_hand(hand) for hand in hands}
