"""Checks of a club's players and handles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from games.domain.difference import Difference, cell_differences
from league.core import sql
from league.core.log.models import LogEntry
from league.core.player.actions import PlayerAction
from league.core.player.models import Handle, Player

HANDLES: Final = ("handle", "handle_before", "handle_after")
"""The places beside an entry with a handle that finds a player from then on."""
OF_OTHERS: Final = """
    SELECT logged.player, owner.public_id
    FROM unnest(%(words)s::text[], %(players)s::text[]) AS logged (word, player)
    LEFT JOIN league_handle handle ON handle.club_id = %(club)s AND lower(handle.handle) = lower(logged.word)
    LEFT JOIN league_player owner ON owner.id = handle.player_id
    WHERE owner.public_id IS DISTINCT FROM logged.player
    ORDER BY logged.player
"""
"""Handles that the log gives a player, and that find another player or none."""
NOT_IN_LOG: Final = """
    SELECT owner.public_id FROM league_handle handle JOIN league_player owner ON owner.id = handle.player_id
    WHERE handle.club_id = %(club)s AND owner.public_id = ANY(%(complete)s) AND owner.erased_at IS NULL
        AND handle.handle IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest(%(words)s::text[], %(players)s::text[]) AS logged (word, player)
            WHERE logged.player = owner.public_id AND lower(logged.word) = lower(handle.handle))
    ORDER BY owner.public_id
"""
"""Handles of a player that the log doesn't have, though it has all handles of that player."""
MERGES = (PlayerAction.MERGED, PlayerAction.PARTED)


def player_differences(club_id: int) -> Iterator[Difference]:
    """Find players whose merges, or the players their games count for, differ from the club's log,
    and players whose erasure does."""
    entries = LogEntry.objects.filter(club=club_id, action__in=MERGES).order_by("position")
    same_as = {
        player: json.loads(payload).get("into")
        for player, payload in entries.values_list("subject", "payload")
    }
    erasures = LogEntry.objects.filter(club=club_id, action=PlayerAction.ERASED)
    erased = set(erasures.values_list("subject", flat=True))
    players = Player.objects.filter(club=club_id).order_by("pk")
    for player, erased_at, stored_same, stored_kept in players.values_list(
        "public_id", "erased_at", "same_as__public_id", "merged_into__public_id"
    ):
        expected_same = same_as.get(player)
        last = expected_same
        while last is not None and same_as.get(last) is not None:
            last = same_as[last]
        cells = [
            ("erased_at", erased_at is not None, player in erased),
            ("same_as", stored_same, expected_same),
            ("merged_into", stored_kept, last),
        ]
        yield from cell_differences("player", player, cells)


def handle_differences(club_id: int) -> Iterator[Difference]:
    """Find handles that find another player than the club's log says, or none, and handles that it
    doesn't have. A handle that the log has forgotten can't be compared. Five queries."""
    entries = LogEntry.objects.filter(
        club=club_id, action__in=(PlayerAction.CREATED, PlayerAction.RENAMED)
    )
    known: list[tuple[str, str]] = []
    players: set[str] = set()
    incomplete: set[str] = set()
    for player, payload, names in entries.values_list("subject", "payload", "names").iterator(2000):
        words = names or {}
        players.add(player)
        known += [(player, words[place][1]) for place in HANDLES if place in words]
        if any(place in json.loads(payload) and place not in words for place in HANDLES):
            incomplete.add(player)
    arguments = {
        "club": club_id,
        "players": [player for player, _ in known],
        "words": [word for _, word in known],
        "complete": list(players - incomplete),
    }
    for player, finder in sql.rows(OF_OTHERS, arguments):
        yield Difference("handle", player, "player" if finder else "row", finder, player)
    for (player,) in sql.rows(NOT_IN_LOG, arguments):
        yield Difference("handle", player, "row", True, False)
    elsewhere = Handle.objects.filter(player__club=club_id).exclude(club=club_id)
    for player in elsewhere.order_by("player").values_list("player__public_id", flat=True):
        yield Difference("handle", player, "club", "another club", "the club of the player")
