"""All that the log tells of claims."""

from __future__ import annotations

from typing import Final

from league.migrations.replay.ledger import Ledger, LedgerEntry, Noun, note, plain, put, rows_of

COLUMNS: Final = ("player", "account", "way", "claimed_at", "ended_at")


def _claim_id(entry: LedgerEntry) -> str:
    return str(entry.payload["claim"])


def _erased(ledger: Ledger, entry: LedgerEntry) -> None:
    for row in ledger.rows("claim").values():
        if row.get("player") == entry.subject:
            row["account"] = None


NOUNS: Final = (
    Noun(
        "claim",
        COLUMNS,
        rows_of(
            "league.Claim",
            "player__club",
            ("player__public_id", "user__public_id", "way", "claimed_at", "ended_at"),
        ),
        {
            "player.claimed": put(
                "claim",
                lambda entry: {
                    "player": entry.subject,
                    "account": entry.payload["account"],
                    "way": entry.payload["way"],
                    "claimed_at": plain(entry.at),
                    "ended_at": None,
                },
                name=_claim_id,
            ),
            "player.claim_ended": note("claim", _claim_id, ended_at=lambda entry: plain(entry.at)),
            "player.erased": _erased,
        },
    ),
)
