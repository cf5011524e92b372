"""All that the log tells of entries, and of who is kept apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.migrations.state import StateApps

from league.migrations.replay.ledger import Ledger, LedgerEntry, Noun, changed, note, plain, rows_of

OWN: Final = ("fee", "payment", "checked_in_at", "label")
COLUMNS: Final = ("event", "player", "number", "status", "guest", "substitutes", *OWN)
STORED: Final = (
    *("event__public_id", "player__public_id", "number", "status", "guest", "substitutes__public_id", *OWN),
)
"""Where the database has these."""


def _added(ledger: Ledger, entry: LedgerEntry) -> None:
    """A new entry, or one that comes back: who plays for whom stays, and what was paid."""
    row = ledger.rows("entry").setdefault(entry.subject, {"substitutes": None, "payment": None})
    row |= {column: entry.payload.get(column) for column in ("event", "player", "number", "status", "guest")}
    row["checked_in_at"] = None


def _aparts(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = apps.get_model("league", "Apart")._base_manager.filter(event__club=club_id)
    columns = ("first__public_id", "second__public_id", "event__public_id", "must")
    for first, second, *values in rows.values_list(*columns):
        yield _pair(first, second), tuple(values)


def _kept_apart(ledger: Ledger, entry: LedgerEntry) -> None:
    pair, must = _pair(entry.subject, entry.payload["other"]), entry.payload["must"]
    if must is None:
        ledger.rows("pair apart").pop(pair, None)
    else:
        event = ledger.rows("entry").get(entry.subject, {}).get("event")
        ledger.rows("pair apart")[pair] = {"event": event, "must": must}


def _pair(first: str, second: str) -> str:
    return " ".join(sorted((first, second)))


NOUNS: Final = (
    Noun(
        "entry",
        COLUMNS,
        rows_of("league.Entry", "event__club", STORED),
        {
            "entry.added": _added,
            "entry.changed": changed("entry"),
            "entry.fee_changed": changed("entry"),
            "entry.labelled": note("entry", label=lambda entry: entry.payload["label"]),
            "entry.moved_up": changed("entry", status="entered"),
            "entry.checked_in": note(
                "entry", checked_in_at=lambda entry: entry.payload.get("at") or plain(entry.at)
            ),
        },
        texts=("label",),
        defaults={"fee": "open", "payment": None, "label": ""},
    ),
    Noun("pair apart", ("event", "must"), _aparts, {"entry.kept_apart": _kept_apart}),
)
