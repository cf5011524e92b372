"""All that is false of who is who in a club."""

from __future__ import annotations

import json
from collections.abc import Iterator

from games.domain.difference import Difference
from league.clubs.actions import PlayerAction
from league.clubs.models import Player
from league.log.models import LogEntry

MERGES = (PlayerAction.MERGED, PlayerAction.PARTED)


def player_differences(club_id: int) -> Iterator[Difference]:
    """Players who aren't merged with whom the club's log says, or whose games don't count for the last on that way."""
    same_as: dict[str, str | None] = {}
    entries = LogEntry.objects.filter(club=club_id, action__in=MERGES).order_by("position")
    for subject, payload in entries.values_list("subject", "payload"):
        same_as[subject] = json.loads(payload).get("into")
    players = Player.objects.filter(club=club_id).order_by("pk")
    for player, stored_same, stored_kept in players.values_list(
        "public_id", "same_as__public_id", "merged_into__public_id"
    ):
        expected_same = same_as.get(player)
        if stored_same != expected_same:
            yield Difference("player", player, "same_as", stored_same, expected_same)
        last = expected_same
        while last is not None and same_as.get(last) is not None:
            last = same_as[last]
        if stored_kept != last:
            yield Difference("player", player, "merged_into", stored_kept, last)
