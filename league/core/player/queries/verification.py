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
"""The places beside an entry of handles that find its player from then on."""
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
    """Yield players whose merges or erasure differ from the club's log, or whose games count for
    another player than they should."""
    entries = LogEntry.objects.filter(club=club_id, action__in=MERGES).order_by("position")
    same_as = {
        player: json.loads(payload).get("into")
        for player, payload in entries.values_list("subject", "payload")
    }
    erasures = LogEntry.objects.filter(club=club_id, action=PlayerAction.ERASED)
    erased = set(erasures.values_list("subject", flat=True))
    players = Player.objects.filter(club=club_id).order_by("pk")
    for player, erased_at, stored_same_as, stored_merged_into in players.values_list(
        "public_id", "erased_at", "same_as__public_id", "merged_into__public_id"
    ):
        expected_same_as = same_as.get(player)
        # The last of the chain of merges.
        expected_merged_into = expected_same_as
        while expected_merged_into is not None and same_as.get(expected_merged_into) is not None:
            expected_merged_into = same_as[expected_merged_into]
        cells = [
            ("erased_at", erased_at is not None, player in erased),
            ("same_as", stored_same_as, expected_same_as),
            ("merged_into", stored_merged_into, expected_merged_into),
        ]
        yield from cell_differences("player", player, cells)


def handle_differences(club_id: int) -> Iterator[Difference]:
    """Yield handles that find another player than the club's log says, or none, and handles that
    the log doesn't have. Handles that the log has forgotten can't be compared. Five queries."""
    entries = LogEntry.objects.filter(
        club=club_id, action__in=(PlayerAction.CREATED, PlayerAction.RENAMED)
    )
    logged_handles: list[tuple[str, str]] = []
    players: set[str] = set()
    incomplete: set[str] = set()
    for player, payload, names in entries.values_list("subject", "payload", "names").iterator(2000):
        texts = names or {}
        players.add(player)
        logged_handles += [(player, texts[place][1]) for place in HANDLES if place in texts]
        if any(place in json.loads(payload) and place not in texts for place in HANDLES):
            incomplete.add(player)
    arguments = {
        "club": club_id,
        "players": [player for player, _ in logged_handles],
        "words": [handle for _, handle in logged_handles],
        "complete": list(players - incomplete),
    }
    for player, finder in sql.rows(OF_OTHERS, arguments):
        yield Difference("handle", player, "player" if finder else "row", finder, player)
    for (player,) in sql.rows(NOT_IN_LOG, arguments):
        yield Difference("handle", player, "row", True, False)
    elsewhere = Handle.objects.filter(player__club=club_id).exclude(club=club_id)
    for player in elsewhere.order_by("player").values_list("player__public_id", flat=True):
        yield Difference("handle", player, "club", "another club", "the club of the player")
