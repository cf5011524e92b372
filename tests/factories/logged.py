"""What entries of a log tell."""

import json
from typing import Any

from league.core.log.models import LogEntry
from league.core.log.statements import ROWS, row_of_place


def without_rows(payload: str) -> dict[str, Any]:
    """The payload of an entry without the rows that it states."""
    parts: dict[str, Any] = json.loads(payload)
    return {place: part for place, part in parts.items() if place != ROWS and row_of_place(place) is None}


def stated(action: str) -> dict[str, Any]:
    """The rows that the newest entry of an action states, without the texts that stand beside it."""
    rows: dict[str, Any] = json.loads(LogEntry.objects.filter(action=action).latest("position").payload)[ROWS]
    return rows
