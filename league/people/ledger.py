"""All that the log tells of claims."""

from __future__ import annotations

from typing import Final

from league.clubs.actions import PlayerAction
from league.log.ledger import Ledger, LedgerEntry, Noun, plain, stored
from league.people.models import Claim

COLUMNS: Final = ("player", "account", "way", "claimed_at", "ended_at")


def _claimed(ledger: Ledger, entry: LedgerEntry) -> None:
    payload = entry.payload
    ledger.rows("claim")[payload["claim"]] = {
        "player": entry.subject,
        "account": payload["account"],
        "way": payload["way"],
        "claimed_at": plain(entry.at),
        "ended_at": None,
    }


def _ended(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("claim").setdefault(entry.payload["claim"], {})["ended_at"] = plain(entry.at)


def _erased(ledger: Ledger, entry: LedgerEntry) -> None:
    for row in ledger.rows("claim").values():
        if row.get("player") == entry.subject:
            row["account"] = None


NOUNS: Final = (
    Noun(
        "claim",
        COLUMNS,
        stored(
            Claim.objects,
            "player__club",
            ("player__public_id", "user__public_id", "way", "claimed_at", "ended_at"),
        ),
        {
            PlayerAction.CLAIMED: _claimed,
            PlayerAction.CLAIM_ENDED: _ended,
            PlayerAction.ERASED: _erased,
        },
    ),
)
