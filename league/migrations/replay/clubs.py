"""All that the log tells of a club, its members and its players."""

from __future__ import annotations

from typing import Final

from league.migrations.replay.ledger import Ledger, LedgerEntry, Noun, changed, created, note, put, rows_of


SETTINGS: Final = ("slug", "name", "about", "timezone", "language", "currency", "listed", "websites")
TEXTS: Final = ("slug", "name", "about")


def pseudonym(player: str) -> str:
    return f"player-{player}"


def _club_created(ledger: Ledger, entry: LedgerEntry) -> None:
    created("club", SETTINGS)(ledger, entry)
    ledger.whole = True


def _role_given(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("role")[f"{entry.subject} {entry.payload['role']}"] = {}


def _role_taken(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("role").pop(f"{entry.subject} {entry.payload['role']}", None)


def _renamed(ledger: Ledger, entry: LedgerEntry) -> None:
    row = ledger.rows("player").setdefault(entry.subject, {})
    row |= {part: entry.payload[f"{part}_after"] for part in ("handle", "name") if f"{part}_after" in entry.payload}


CLUB: Final = Noun(
    "club",
    SETTINGS,
    rows_of("league.Club", "pk", SETTINGS),
    {"club.created": _club_created, "club.changed": changed("club")},
    texts=TEXTS,
    defaults={"currency": "EUR", "websites": ""},
)
ROLE: Final = Noun(
    "role",
    (),
    rows_of("league.Membership", "club", (), named=("user__public_id", "role")),
    {"member.added": _role_given, "member.removed": _role_taken},
)
PLAYER: Final = Noun(
    "player",
    ("handle", "name", "account"),
    rows_of("league.Player", "club", ("handle", "name", "user__public_id")),
    {
        "player.created": created("player", ("handle", "name"), account=None),
        "player.renamed": _renamed,
        "player.linked": note("player", account=lambda entry: entry.payload["after"]),
        "player.claimed": note("player", account=lambda entry: entry.payload["account"]),
        "player.claim_ended": note("player", account=lambda entry: None),
        "player.erased": put(
            "player",
            lambda entry: {**dict.fromkeys(("handle", "name"), pseudonym(entry.subject)), "account": None},
        ),
    },
    texts=("handle", "name"),
)
NOUNS: Final = (CLUB, ROLE, PLAYER)
