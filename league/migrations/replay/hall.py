"""All that the log tells of places and times of play, of who can't play when, and of timetables."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.db.migrations.state import StateApps

from league.migrations.replay.ledger import Ledger, LedgerEntry, Noun, Replay, plain, put, rows_of



def _places(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    slots = dict(apps.get_model("league", "Slot")._base_manager.filter(event__club=club_id).values_list("pk", "public_id"))
    rows = apps.get_model("league", "HallPlace")._base_manager.filter(event__club=club_id)
    for event, number, room, size, closed in rows.values_list("event__public_id", "number", "room", "size", "closed"):
        yield f"{event} {number}", (room, size, sorted(slots.get(pk, str(pk)) for pk in closed))


def _places_changed(ledger: Ledger, entry: LedgerEntry) -> None:
    payload, places = entry.payload, ledger.rows("place")
    if "added" in payload:
        added = payload["added"]
        for number in range(added["first"], added["last"] + 1):
            places[f"{entry.subject} {number}"] = {"room": added["room"], "size": added["size"], "closed": []}
    elif "dropped" in payload:
        places.pop(f"{entry.subject} {payload['dropped']}", None)
    elif "number" in payload:
        places[f"{payload['event']} {payload['number']}"] = dict(payload["after"])


def _slots_changed(ledger: Ledger, entry: LedgerEntry) -> None:
    slots, added = ledger.rows("slot"), entry.payload.get("added", {})
    for number, public_id in enumerate(added.get("slots", ())):
        length, pause = timedelta(minutes=added["minutes"]), timedelta(minutes=added["pause"])
        start = datetime.fromisoformat(added["starts_at"]) + (length + pause) * number
        slots[public_id] = {"event": entry.subject, "starts_at": plain(start), "ends_at": plain(start + length)}
    if slot := slots.pop(entry.payload.get("slot", ""), None):
        _forget_slot(ledger, entry.payload["slot"], slot["starts_at"])


def _forget_slot(ledger: Ledger, public_id: str, starts_at: str) -> None:
    """No place is closed at a slot that isn't there, and nobody away."""
    for place in ledger.rows("place").values():
        place["closed"] = [slot for slot in place["closed"] if slot != public_id]
    away = ledger.rows("away")
    for row in away.values():
        row |= {column: [start for start in row[column] if start != starts_at] for column in row}
    for name in [name for name, row in away.items() if not any(row.values())]:
        del away[name]


def _away(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    entries: dict[str, tuple[list[datetime], list[datetime]]] = {}
    rows = apps.get_model("league", "Away")._base_manager.filter(slot__event__club=club_id).order_by("slot__starts_at")
    for entry, start, must in rows.values_list("entry__public_id", "slot__starts_at", "must"):
        entries.setdefault(entry, ([], []))[not must].append(start)
    yield from entries.items()


def _away_set(ledger: Ledger, entry: LedgerEntry) -> None:
    row = {
        column: sorted(plain(datetime.fromisoformat(start)) for start in entry.payload[column])
        for column in ("never", "rather_not")
    }
    if any(row.values()):
        ledger.rows("away")[entry.subject] = row
    else:
        ledger.rows("away").pop(entry.subject, None)


def tables_digests(apps: StateApps, timetables: Collection[Any]) -> dict[int, str]:
    """What the log says of the tables of timetables, by their row ids: SHA-256 of when and where each is played; empty
    for those that were dropped."""
    tables: dict[int, list[list[object]]] = {row.pk: [] for row in timetables if row.status != "dropped"}
    rows = apps.get_model("league", "TimetableTable")._base_manager.filter(timetable__in=tables).order_by("stage", "round", "number")
    columns = ("stage__public_id", "round", "number", "slot__starts_at", "place__number")
    for pk, *values in rows.values_list("timetable", *columns):
        tables[pk].append(plain(values))
    return {pk: sha256(json.dumps(sorted(rows)).encode()).hexdigest() for pk, rows in tables.items()}


def _timetables(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = list(apps.get_model("league", "Timetable")._base_manager.select_related("event").filter(event__club=club_id))
    digests = tables_digests(apps, rows)
    for row in rows:
        made = row.status in ("ready", "published")
        digest = sha256(row.input.encode()).hexdigest()
        yield row.public_id, (row.event.public_id, digest, row.status, digests[row.pk] if made else "")


def _standing(status: str = "") -> Replay:
    """A timetable stands elsewhere, or as the entry says; with other tables, if it says so."""

    def replay(ledger: Ledger, entry: LedgerEntry) -> None:
        row = ledger.rows("timetable").setdefault(entry.subject, {})
        if new_status := status or entry.payload.get("status"):
            row["status"] = new_status
        if "digest" in entry.payload:
            row["tables"] = entry.payload["digest"]

    return replay


NOUNS: Final = (
    Noun("place", ("room", "size", "closed"), _places, {"places.changed": _places_changed}, texts=("room",)),
    Noun(
        "slot",
        ("event", "starts_at", "ends_at"),
        rows_of("league.Slot", "event__club", ("event__public_id", "starts_at", "ends_at")),
        {"slots.changed": _slots_changed},
    ),
    Noun("away", ("never", "rather_not"), _away, {"entry.away": _away_set}),
    Noun(
        "timetable",
        ("event", "input", "status", "tables"),
        _timetables,
        {
            "timetable.asked": put(
                "timetable",
                lambda entry: {
                    **{column: entry.payload.get(column) for column in ("event", "input")},
                    "status": "asked",
                    "tables": "",
                },
            ),
            "timetable.failed": _standing("failed"),
            "timetable.made": _standing("ready"),
            "timetable.changed": _standing(),
            "timetable.published": _standing("published"),
            "timetable.dropped": _standing(),
        },
    ),
)
