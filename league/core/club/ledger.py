"""All that the log tells of a club, its members and its players."""

from __future__ import annotations

from typing import Final

from league.core.club.actions import ClubAction
from league.core.club.models import Club
from league.core.club.services import SETTINGS, TEXTS
from league.core.log.ledger import Ledger, LedgerEntry, Noun, changed, created, note, put, rows_of
from league.core.member.actions import MemberAction
from league.core.member.models.member import Membership
from league.core.player.actions import PlayerAction
from league.core.player.models import Player, pseudonym


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
    rows_of(Club.objects, "pk", SETTINGS),
    {ClubAction.CREATED: _club_created, ClubAction.CHANGED: changed("club")},
    texts=TEXTS,
    defaults={"currency": "EUR", "websites": ""},
)
ROLE: Final = Noun(
    "role",
    (),
    rows_of(Membership.objects, "club", (), named=("user__public_id", "role")),
    {MemberAction.ADDED: _role_given, MemberAction.REMOVED: _role_taken},
)
PLAYER: Final = Noun(
    "player",
    ("handle", "name", "account"),
    rows_of(Player.objects, "club", ("handle", "name", "user__public_id")),
    {
        PlayerAction.CREATED: created("player", ("handle", "name"), account=None),
        PlayerAction.RENAMED: _renamed,
        PlayerAction.LINKED: note("player", account=lambda entry: entry.payload["after"]),
        PlayerAction.CLAIMED: note("player", account=lambda entry: entry.payload["account"]),
        PlayerAction.CLAIM_ENDED: note("player", account=lambda entry: None),
        PlayerAction.ERASED: put(
            "player",
            lambda entry: {**dict.fromkeys(("handle", "name"), pseudonym(entry.subject)), "account": None},
        ),
    },
    texts=("handle", "name"),
)
NOUNS: Final = (CLUB, ROLE, PLAYER)
