"""All that is false of who is who in a club."""

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
"""The places beside an entry where a handle stands that finds a player from then on."""
TOLD: Final = """
    SELECT told.player, owner.public_id
    FROM unnest(%(words)s::text[], %(players)s::text[]) AS told (word, player)
    LEFT JOIN league_handle handle ON handle.club_id = %(club)s AND lower(handle.handle) = lower(told.word)
    LEFT JOIN league_player owner ON owner.id = handle.player_id
    WHERE owner.public_id IS DISTINCT FROM told.player
    ORDER BY told.player
"""
"""The handles that the log tells of players, and that find somebody else, or nobody."""
UNTOLD: Final = """
    SELECT owner.public_id FROM league_handle handle JOIN league_player owner ON owner.id = handle.player_id
    WHERE handle.club_id = %(club)s AND owner.public_id = ANY(%(complete)s) AND owner.erased_at IS NULL
        AND handle.handle IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest(%(words)s::text[], %(players)s::text[]) AS told (word, player)
            WHERE told.player = owner.public_id AND lower(told.word) = lower(handle.handle))
    ORDER BY owner.public_id
"""
"""The handles that find a player of whom the log tells all handles, and not these."""
MERGES = (PlayerAction.MERGED, PlayerAction.PARTED)


def player_differences(club_id: int) -> Iterator[Difference]:
    """Players who aren't merged with whom the club's log says, or whose games don't count for the
    last on that way, and those who are erased though the log doesn't say so, or the other way
    round."""
    entries = LogEntry.objects.filter(club=club_id, action__in=MERGES).order_by("position")
    same_as = {
        player: json.loads(payload).get("into")
        for player, payload in entries.values_list("subject", "payload")
    }
    erased = set(
        LogEntry.objects.filter(club=club_id, action=PlayerAction.ERASED).values_list(
            "subject", flat=True
        )
    )
    players = Player.objects.filter(club=club_id).order_by("pk")
    for player, erased_at, stored_same, stored_kept in players.values_list(
        "public_id", "erased_at", "same_as__public_id", "merged_into__public_id"
    ):
        last = expected_same = same_as.get(player)
        while last is not None and same_as.get(last) is not None:
            last = same_as[last]
        cells = [
            ("erased_at", erased_at is not None, player in erased),
            ("same_as", stored_same, expected_same),
            ("merged_into", stored_kept, last),
        ]
        yield from cell_differences("player", player, cells)


def handle_differences(club_id: int) -> Iterator[Difference]:
    """Find handles that find somebody else than the player of whom the club's log tells them, or
    nobody, and handles of which it tells nothing. A handle that the log has forgotten can't be
    compared. Five queries."""
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
    for player, finder in sql.rows(TOLD, arguments):
        yield Difference("handle", player, "player" if finder else "row", finder, player)
    for (player,) in sql.rows(UNTOLD, arguments):
        yield Difference("handle", player, "row", True, False)
    elsewhere = Handle.objects.filter(player__club=club_id).exclude(club=club_id)
    for player in elsewhere.order_by("player").values_list("player__public_id", flat=True):
        yield Difference("handle", player, "club", "another club", "the club of the player")
