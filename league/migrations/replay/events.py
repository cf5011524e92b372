"""All that the log tells of events and their series."""

from __future__ import annotations

from typing import Final

from league.migrations.replay.ledger import LedgerEntry, Noun, changed, created, plain, put, rows_of

SETTINGS: Final = (
    *("slug", "name", "starts_at", "ends_at", "venue", "capacity", "fee", "price_note", "description"),
    *("entries_until", "check_in_until", "self_entry", "confirmation", "confirmation_minutes"),
    *("players_enter", "objection_hours"),
)
TEXTS: Final = ("slug", "name", "venue", "price_note", "description")
COLUMNS: Final = (*SETTINGS, "status", "alone", "season", "series")
EARLIER: Final = {
    "confirmation": "alone",
    "confirmation_minutes": 0,
    "players_enter": True,
    "objection_hours": 0,
}
"""What was so at every event before organisers could say otherwise."""
DATES: Final = ("name", "rule", "starts_at", "without")


def _helper(entry: LedgerEntry) -> str:
    return f"{entry.payload['event']} {entry.subject} {entry.payload['role']}"


NOUNS: Final = (
    Noun(
        "event",
        COLUMNS,
        rows_of("league.Event", "club", (*SETTINGS, "status", "alone", "season__public_id", "series__public_id")),
        {"event.created": created("event", COLUMNS), "event.changed": changed("event")},
        texts=TEXTS,
        defaults=EARLIER,
    ),
    Noun(
        "series",
        DATES,
        rows_of("league.Series", "club", DATES),
        {"series.created": created("series", DATES), "event.changed": changed("series")},
        texts=("name",),
    ),
    Noun(
        "helper",
        ("ended_at",),
        rows_of("league.Helper", "event__club", ("ended_at",), named=("event__public_id", "user__public_id", "role")),
        {
            "helper.added": put("helper", lambda entry: {"ended_at": None}, name=_helper),
            "helper.removed": put("helper", lambda entry: {"ended_at": plain(entry.at)}, name=_helper),
        },
    ),
)
