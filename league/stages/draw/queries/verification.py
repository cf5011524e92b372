"""All that is false of the reasons of draws and of tables that were given without play."""

from __future__ import annotations

import json
from collections.abc import Iterator

from games.domain.difference import Difference
from league.core.club.models import Club
from league.core.log.models import LogEntry
from league.stages.draw.models import Draw
from league.stages.round.actions import RoundAction
from league.stages.table.actions import TableAction
from league.stages.table.models import Walkover


def reason_differences(club: Club) -> Iterator[Difference]:
    """Reasons of draws changed by hand, and of tables given without play, that aren't those which
    the log has sealed, or that were removed though the log doesn't say so."""
    draws = Draw.objects.filter(stage_round__stage__event__club=club, by_hand=True)
    walkovers = Walkover.objects.filter(table__stage_round__stage__event__club=club)
    stored: dict[tuple[str, str, int], str] = {
        **{("draw", draw, 0): reason for draw, reason in draws.values_list("public_id", "reason")},
        **{
            ("walkover", table, revision): reason
            for table, revision, reason in walkovers.values_list(
                "table__public_id", "revision", "reason"
            )
        },
    }
    actions = (
        RoundAction.CHANGED,
        RoundAction.REASON_REMOVED,
        TableAction.WALKOVER,
        TableAction.REASON_REMOVED,
    )
    expected: dict[tuple[str, str, int], str] = {}
    for entry in (
        LogEntry.objects.filter(club=club, action__in=actions).order_by("position").iterator(2000)
    ):
        payload = json.loads(entry.payload)
        rows = [("draw", draw, 0) for draw in payload.get("draws", ())]
        if "revision" in payload:
            rows.append(("walkover", entry.subject, payload["revision"]))
        was_removed = entry.action in (RoundAction.REASON_REMOVED, TableAction.REASON_REMOVED)
        for row in rows:
            expected[row] = "" if was_removed else entry.why or stored.get(row) or "a reason"
    for row, reason in expected.items():
        if stored.get(row) != reason:
            yield Difference(row[0], row[1], "reason", stored.get(row), reason)
