"""Verification of the reasons of draws changed by hand and of walkovers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

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
    for key, reason in _logged_reasons(club, stored).items():
        if stored.get(key) != reason:
            kind, public_id, revision = key
            row = public_id if revision == NO_REVISION else f"{public_id} {revision}"
            yield Difference(kind, row, "reason", stored.get(key), reason)


StoredReasons = dict[tuple[str, str, int], str]
"""Reasons by kind (`draw` or `walkover`), public id of the draw or the table, and revision of the
walkover (`NO_REVISION` for draws)."""
NO_REVISION: Final = 0


def _stored_reasons(club: Club) -> StoredReasons:
    reasons: StoredReasons = {}
    draws = Draw.objects.filter(stage_round__stage__event__club=club, by_hand=True)
    for draw_id, reason in draws.values_list("public_id", "reason"):
        reasons["draw", draw_id, NO_REVISION] = reason
    walkovers = Walkover.objects.filter(table__stage_round__stage__event__club=club)
    for table_id, revision, reason in walkovers.values_list(
        "table__public_id", "revision", "reason"
    ):
        reasons["walkover", table_id, revision] = reason
    return reasons


def _logged_reasons(club: Club, stored: StoredReasons) -> StoredReasons:
    """Return the reasons by the log; the stored one where the log has lost a reason because it held
    a name that was removed."""
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
        keys = [("draw", draw_id, NO_REVISION) for draw_id in payload.get("draws", ())]
        if "revision" in payload:
            keys.append(("walkover", entry.subject, payload["revision"]))
        was_removed = entry.action in (RoundAction.REASON_REMOVED, TableAction.REASON_REMOVED)
        for key in keys:
            if was_removed:
                reasons[key] = ""
            else:
                # There was a reason, so a stored reason that is missing now is a difference.
                reasons[key] = entry.why or stored.get(key) or "a reason"
    return reasons
