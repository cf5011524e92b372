"""All that the log tells of rounds that were kept as they were played, of games that are void, of objections,
and of what seats agree on."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from django.db.migrations.state import StateApps
from django.db.models import Q

from league.migrations.replay.ledger import Ledger, LedgerEntry, Noun, Replay, note, plain, put, rows_of

CLUB_OF_GAME: Final = "season_game__season__club"
VOID: Final = ("stands", "role", "made_at")
AGREEMENT: Final = ("role", "agreed_at")
OBJECTION: Final = ("game", "seat", "number", "word", "role", "raised_at")
OBJECTION_END: Final = ("way", "reason", "end_role", "ended_at")
STORED_OBJECTION: Final = ("game__public_id", *OBJECTION[1:], "end__way", "end__reason", "end__role", "end__ended_at")


def _void(*, stands: bool) -> Replay:
    return put(
        "void",
        lambda entry: {"stands": stands, "role": entry.payload["role"], "made_at": plain(entry.at)},
        name=lambda entry: f"{entry.subject} {entry.payload['number']}",
    )


def _objection(entry: LedgerEntry) -> str:
    return str(entry.payload["objection"])


def _raised(entry: LedgerEntry) -> dict[str, Any]:
    row = {**entry.payload, "game": entry.subject, "word": entry.payload["reason"], "raised_at": plain(entry.at)}
    return dict.fromkeys(OBJECTION_END) | {name: row[name] for name in OBJECTION}


def _empty(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("objection").setdefault(entry.payload["objection"], {})[entry.payload["text"]] = ""


def _proposals(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = apps.get_model("league", "Proposal")._base_manager.filter(game__season_game__season__club=club_id)
    for public_id, game, content, made_at in rows.values_list("public_id", "game__public_id", "content", "made_at"):
        yield public_id, (game, sha256(content.encode()).hexdigest(), made_at)


NOUNS: Final = (
    Noun(
        "round kept",
        ("digest",),
        rows_of("league.StageRound", "stage__event__club", ("kept",), where=~Q(kept="")),
        {"round.kept": put("round kept", lambda entry: {"digest": entry.payload["kept"]})},
    ),
    Noun(
        "void",
        VOID,
        rows_of("games.Void", f"game__{CLUB_OF_GAME}", VOID, named=("game__public_id", "number")),
        {"game.voided": _void(stands=True), "game.restored": _void(stands=False)},
    ),
    Noun(
        "objection",
        (*OBJECTION, *OBJECTION_END),
        rows_of("league.Objection", f"game__{CLUB_OF_GAME}", STORED_OBJECTION),
        {
            "objection.raised": put("objection", _raised, _objection),
            "objection.ended": note(
                "objection",
                _objection,
                way=lambda entry: entry.payload["way"],
                reason=lambda entry: entry.payload["reason"] if entry.payload["way"] == "stands" else "",
                end_role=lambda entry: entry.payload["role"],
                ended_at=lambda entry: plain(entry.at),
            ),
            "objection.emptied": _empty,
        },
        texts=("word", "reason"),
    ),
    Noun(
        "proposal",
        ("game", "content", "made_at"),
        _proposals,
        {
            "proposal.made": put(
                "proposal",
                lambda entry: {
                    "game": entry.subject,
                    "content": entry.payload["content"],
                    "made_at": plain(entry.at),
                },
                name=lambda entry: str(entry.payload["proposal"]),
            )
        },
    ),
    Noun(
        "agreement",
        AGREEMENT,
        rows_of(
            "league.Agreement",
            f"proposal__game__{CLUB_OF_GAME}",
            AGREEMENT,
            named=("proposal__public_id", "seat"),
        ),
        {
            "proposal.agreed": put(
                "agreement",
                lambda entry: {"role": entry.payload["role"], "agreed_at": plain(entry.at)},
                name=lambda entry: f"{entry.payload['proposal']} {entry.payload['seat']}",
            )
        },
    ),
)
