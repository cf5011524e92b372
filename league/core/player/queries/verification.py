"""All that is false of who is who in a club."""

from __future__ import annotations

import json
from collections.abc import Iterator

from games.domain.difference import Difference, cell_differences
from league.core.log.models import LogEntry
from league.core.player.actions import PlayerAction
from league.core.player.models import Player

MERGES = (PlayerAction.MERGED, PlayerAction.PARTED)


def player_differences(club_id: int) -> Iterator[Difference]:
    """Players who aren't merged with whom the club's log says, or whose games don't count for the last on that way, and
    those who are erased though the log doesn't say so, or the other way round."""
    entries = LogEntry.objects.filter(club=club_id, action__in=MERGES).order_by("position")
    same_as = {player: json.loads(payload).get("into") for player, payload in entries.values_list("subject", "payload")}
    erased = set(LogEntry.objects.filter(club=club_id, action=PlayerAction.ERASED).values_list("subject", flat=True))
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
