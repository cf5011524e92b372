"""The receipt of a log entry: a line of text for people to keep (`engine.record.receipt`)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.utils.formats import date_format

from engine.record.receipt import Receipt
from league.core.log.actions import ACTIONS
from league.core.log.models import LogEntry


def receipt_text(entry: LogEntry) -> str:
    """Return the receipt of an entry that was read with its club: club, day, action and code.

    It is in the active language; the day is the one in the club's time zone.
    """
    club = entry.club
    receipt = Receipt.of(club.public_id, entry.position, bytes(entry.digest))
    day = date_format(entry.at.astimezone(ZoneInfo(club.timezone)), "DATE_FORMAT")
    return f"{club.name}, {day}, {ACTIONS[entry.action].label}: {receipt}"
