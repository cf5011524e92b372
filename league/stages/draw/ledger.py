"""All that the log tells of rounds, draws and tables that are given without play, and of the games at tables."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from league.core.log.ledger import Ledger, LedgerEntry, Noun, Replay, plain, rows_of
from league.events.entry.models import Entry
from league.stages.draw.models import Draw
from league.stages.round.actions import RoundAction
from league.stages.round.models import StageRound
from league.stages.stage.actions import StageAction
from league.stages.stage.domain.facts import NO_ROUND
from league.stages.table.actions import TableAction
from league.stages.table.models import TableGame, Walkover
from league.standings.ranked_game.actions import GameAction

Status = StageRound.Status
ROUND: Final = ("number", "edition", "at_once", "ahead", "status")


def draw_digests(draw: Draw, group: int) -> dict[str, Any]:
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
        "status": Status.ASKED.value,
    }


def _challenged(ledger: Ledger, entry: LedgerEntry) -> None:
    if "round" in entry.payload:
        ledger.rows("round")[entry.payload["round"]] = {
            "stage": entry.payload["stage"],
            "number": entry.payload["number"],
            "edition": 1,
            "at_once": False,
            "ahead": False,
            "status": Status.PUBLISHED.value,
        }


def _finish(ledger: Ledger, stage: str) -> None:
    for row in ledger.rows("round").values():
        if row.get("stage") == stage and row["status"] == Status.PUBLISHED:
            row["status"] = Status.FINISHED.value


def _stage_changed(ledger: Ledger, entry: LedgerEntry) -> None:
    """The last round of a stage that goes on is played again."""
    rows = [row for row in ledger.rows("round").values() if row.get("stage") == entry.subject]
    rows = [row for row in rows if row["status"] not in NO_ROUND]
    if "finished" in entry.payload and rows:
        max(rows, key=lambda row: int(row["number"]))["status"] = Status.PUBLISHED.value


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


def _draws(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = Draw.objects.select_related("stage_round", "group", "made_by")
    for draw in rows.filter(stage_round__stage__event__club=club_id).iterator(200):
        digests = draw_digests(draw, draw.group.number)
        yield draw.public_id, (draw.stage_round.public_id, draw.made_at, *digests.values())


def _walkovers(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    entries = dict(Entry.objects.filter(event__club=club_id).values_list("pk", "public_id"))
    rows = Walkover.objects.filter(table__stage_round__stage__event__club=club_id)
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
        rows_of(StageRound.objects, "stage__event__club", ("stage__public_id", *ROUND)),
        {
            RoundAction.ASKED: _request,
            RoundAction.DRAWN: _standing(Status.DRAWN.value),
            RoundAction.FAILED: _standing(Status.FAILED.value),
            RoundAction.PUBLISHED: _standing(Status.PUBLISHED.value),
            RoundAction.TAKEN_BACK: _standing(Status.TAKEN_BACK.value),
            RoundAction.CHANGED: _drawn,
            TableAction.CHALLENGED: _challenged,
            StageAction.FINISHED: lambda ledger, entry: _finish(ledger, entry.subject),
            StageAction.CHANGED: _stage_changed,
        },
    ),
    Noun("draw", ("round", "made_at", "group", "revision", "by_hand", "input", "answer"), _draws, {}),
    Noun("walkover", ("stands", "absent", "made_at"), _walkovers, {TableAction.WALKOVER: _walkover}),
    Noun(
        "table game",
        ("table", "number"),
        rows_of(
            TableGame.objects,
            "table__stage_round__stage__event__club",
            ("table__public_id", "number"),
            named=("game__public_id",),
        ),
        {GameAction.SEALED: _game, GameAction.CORRECTED: _game},
    ),
)
