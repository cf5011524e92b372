"""The season that came of another one."""

from __future__ import annotations

import json

from league.core.log.models import LogEntry
from league.counting.promotion.actions import PromotionAction
from league.standings.season.models import Season


def season_after(season: Season) -> Season | None:
    """The season that began when this one was closed, as the club's log tells; None: it isn't closed."""
    closing = LogEntry.objects.filter(
        club=season.club_id, action=PromotionAction.SEASON_CLOSED, subject=season.public_id
    )
    payload = closing.values_list("payload", flat=True).first()
    return None if payload is None else Season.objects.get(club=season.club_id, public_id=json.loads(payload)["next"])
