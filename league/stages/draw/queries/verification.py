"""Verification of the reasons of draws changed by hand and of walkovers."""

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
    """Yield the reasons of draws changed by hand, and of tables given without play, that differ
    from those sealed by the log, or were removed without an entry of the log."""
    stored = _stored_reasons(club)
    for row, reason in _logged_reasons(club, stored).items():
        if stored.get(row) != reason:
            kind, public_id, _ = row
            yield Difference(kind, public_id, "reason", stored.get(row), reason)


StoredReasons = dict[tuple[str, str, int], str]
"""Reasons by `draw` or `walkover`, public id and the revision of a walkover (0 for draws)."""


def _stored_reasons(club: Club) -> StoredReasons:
    reasons: StoredReasons = {}
    draws = Draw.objects.filter(stage_round__stage__event__club=club, by_hand=True)
    for draw, reason in draws.values_list("public_id", "reason"):
        reasons["draw", draw, 0] = reason
    walkovers = Walkover.objects.filter(table__stage_round__stage__event__club=club)
    for table, revision, reason in walkovers.values_list("table__public_id", "revision", "reason"):
        reasons["walkover", table, revision] = reason
    return reasons


def _logged_reasons(club: Club, stored: StoredReasons) -> StoredReasons:
    """Return the reasons by the log. A reason that the log has forgotten, with a name in it, is
    taken from `stored`."""
    actions = (
        RoundAction.CHANGED,
        RoundAction.REASON_REMOVED,
        TableAction.WALKOVER,
        TableAction.REASON_REMOVED,
    )
    entries = LogEntry.objects.filter(club=club, action__in=actions).order_by("position")
    reasons: StoredReasons = {}
    for entry in entries.iterator(2000):
        payload = json.loads(entry.payload)
        rows = [("draw", draw, 0) for draw in payload.get("draws", ())]
        if "revision" in payload:
            rows.append(("walkover", entry.subject, payload["revision"]))
        was_removed = entry.action in (RoundAction.REASON_REMOVED, TableAction.REASON_REMOVED)
        for row in rows:
            if was_removed:
                reasons[row] = ""
            else:
                reasons[row] = entry.why or stored.get(row) or "a reason"
    return reasons
