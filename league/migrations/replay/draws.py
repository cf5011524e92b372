"""All that the log tells of rounds, draws and tables that are given without play, and of the games at tables."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from django.db.migrations.state import StateApps

from league.migrations.replay.ledger import Ledger, LedgerEntry, Noun, Replay, plain, rows_of

NO_ROUND: Final = ("taken_back", "failed")
ROUND: Final = ("number", "edition", "at_once", "ahead", "status")


def draw_digests(draw: Any, group: int) -> dict[str, Any]:
    """What the log says of a draw, whose `group` has this number: its files by their SHA-256, so that a noted head of
    the log holds them, too."""
    return {
        "group": group,
        "revision": draw.revision,
        "by_hand": draw.by_hand,
        "input": sha256(draw.input.encode()).hexdigest(),
        "answer": sha256(draw.answer.encode()).hexdigest(),
    }


def _request(ledger: Ledger, entry: LedgerEntry) -> None:
    stage, ahead = entry.payload["stage"], entry.payload.get("ahead", False)
    if not ahead:
        _finish(ledger, stage)
    ledger.rows("round")[entry.subject] = {
        "stage": stage,
        "number": entry.payload["number"],
        "edition": entry.payload.get("edition", 1),
        "at_once": entry.payload.get("at_once", False),
        "ahead": ahead,
        "status": "asked",
    }


def _challenged(ledger: Ledger, entry: LedgerEntry) -> None:
    if "round" in entry.payload:
        ledger.rows("round")[entry.payload["round"]] = {
            "stage": entry.payload["stage"],
            "number": entry.payload["number"],
            "edition": 1,
            "at_once": False,
            "ahead": False,
            "status": "published",
        }


def _finish(ledger: Ledger, stage: str) -> None:
    for row in ledger.rows("round").values():
        if row.get("stage") == stage and row["status"] == "published":
            row["status"] = "finished"


def _stage_changed(ledger: Ledger, entry: LedgerEntry) -> None:
    """The last round of a stage that goes on is played again."""
    rows = [row for row in ledger.rows("round").values() if row.get("stage") == entry.subject]
    rows = [row for row in rows if row["status"] not in NO_ROUND]
    if "finished" in entry.payload and rows:
        max(rows, key=lambda row: int(row["number"]))["status"] = "published"


def _standing(status: str) -> Replay:
    def replay(ledger: Ledger, entry: LedgerEntry) -> None:
        ledger.rows("round").setdefault(entry.subject, {})["status"] = status
        _drawn(ledger, entry)

    return replay


def _drawn(ledger: Ledger, entry: LedgerEntry) -> None:
    """The draws of an entry stand with their digests."""
    for public_id, digests in _digests(entry.payload):
        ledger.rows("draw")[public_id] = {"round": entry.subject, "made_at": plain(entry.at), **digests}


def _digests(payload: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The digests of draws in an entry; earlier ones have their ids alone."""
    draws = payload.get("draws")
    return list(draws.items()) if isinstance(draws, dict) else []


def _draws(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = apps.get_model("league", "Draw")._base_manager.select_related("stage_round", "group", "made_by")
    for draw in rows.filter(stage_round__stage__event__club=club_id).iterator(200):
        digests = draw_digests(draw, draw.group.number)
        yield draw.public_id, (draw.stage_round.public_id, draw.made_at, *digests.values())


def _walkovers(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    entries = dict(apps.get_model("league", "Entry")._base_manager.filter(event__club=club_id).values_list("pk", "public_id"))
    rows = apps.get_model("league", "Walkover")._base_manager.filter(table__stage_round__stage__event__club=club_id)
    for table, revision, stands, absent, at in rows.values_list(
        "table__public_id", "revision", "stands", "absent", "made_at"
    ):
        yield f"{table} {revision}", (stands, [entries.get(pk, str(pk)) for pk in absent], at)


def _walkover(ledger: Ledger, entry: LedgerEntry) -> None:
    if "revision" in entry.payload:
        ledger.rows("walkover")[f"{entry.subject} {entry.payload['revision']}"] = {
            "stands": entry.payload["stands"],
            "absent": entry.payload["absent"],
            "made_at": plain(entry.at),
        }


def _game(ledger: Ledger, entry: LedgerEntry) -> None:
    """A game at a table; a correction is at the table of the game that it corrects."""
    rows, payload = ledger.rows("table game"), entry.payload
    if payload.get("replaces") in rows:
        rows[entry.subject] = dict(rows[payload["replaces"]])
    elif "table" in payload:
        rows[entry.subject] = {"table": payload["table"], "number": payload["number"]}


NOUNS: Final = (
    Noun(
        "round",
        ("stage", *ROUND),
        rows_of("league.StageRound", "stage__event__club", ("stage__public_id", *ROUND)),
        {
            "round.asked": _request,
            "round.drawn": _standing("drawn"),
            "round.failed": _standing("failed"),
            "round.published": _standing("published"),
            "round.taken_back": _standing("taken_back"),
            "round.changed": _drawn,
            "table.challenged": _challenged,
            "stage.finished": lambda ledger, entry: _finish(ledger, entry.subject),
            "stage.changed": _stage_changed,
        },
    ),
    Noun("draw", ("round", "made_at", "group", "revision", "by_hand", "input", "answer"), _draws, {}),
    Noun("walkover", ("stands", "absent", "made_at"), _walkovers, {"table.walkover": _walkover}),
    Noun(
        "table game",
        ("table", "number"),
        rows_of(
            "league.TableGame",
            "table__stage_round__stage__event__club",
            ("table__public_id", "number"),
            named=("game__public_id",),
        ),
        {"game.sealed": _game, "game.corrected": _game},
    ),
)
