"""What entries of a log tell."""

import json
from typing import Any

from league.core.log.models import LogEntry
from league.core.log.nouns import Noun, RowCells
from league.core.log.statements import ROWS, payload_fold, row_of_place
from league.core.log.texts import texts_back


def without_rows(payload: str) -> dict[str, Any]:
    """The payload of an entry without the rows that it states."""
    parts: dict[str, Any] = json.loads(payload)
    return {
        place: part
        for place, part in parts.items()
        if place != ROWS and row_of_place(place) is None
    }


def stated(action: str) -> dict[str, Any]:
    """The rows that the newest entry of an action states, without the texts that stand beside
    it."""
    rows: dict[str, Any] = json.loads(
        LogEntry.objects.filter(action=action).latest("position").payload
    )[ROWS]
    return rows


def stated_rows(club_id: int, noun: Noun) -> dict[str, RowCells]:
    """The rows of a noun as the entries of a club's log state them: the last statement of each
    cell."""
    rows: dict[str, dict[str, RowCells]] = {}
    entries = LogEntry.objects.filter(club=club_id).order_by("position")
    for payload, names in entries.values_list("payload", "names"):
        payload_fold(rows, texts_back(json.loads(payload), names))
    return rows.get(noun.name, {})
