"""All that the log tells of rounds that were kept as they were played, of games that are void, of objections,
and of what seats agree on."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from games.models import Void
from league.core.log.ledger import Ledger, LedgerEntry, Noun, Replay, note, plain, put, rows_of
from league.disputes.agreement.models import Agreement, Proposal
from league.disputes.objection.models import Objection, ObjectionEnd
from league.disputes.otherwise.actions import KeptAction
from league.stages.round.models import StageRound
from league.standings.ranked_game.actions import GameAction, ObjectionAction, ProposalAction

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


def _proposals(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = Proposal.objects.filter(game__season_game__season__club=club_id)
    for public_id, game, content, made_at in rows.values_list("public_id", "game__public_id", "content", "made_at"):
        yield public_id, (game, sha256(content.encode()).hexdigest(), made_at)


NOUNS: Final = (
    Noun(
        "round kept",
        ("digest",),
        rows_of(StageRound.objects.exclude(kept=""), "stage__event__club", ("kept",)),
        {KeptAction.ROUND_KEPT: put("round kept", lambda entry: {"digest": entry.payload["kept"]})},
    ),
    Noun(
        "void",
        VOID,
        rows_of(Void.objects, f"game__{CLUB_OF_GAME}", VOID, named=("game__public_id", "number")),
        {GameAction.VOIDED: _void(stands=True), GameAction.RESTORED: _void(stands=False)},
    ),
    Noun(
        "objection",
        (*OBJECTION, *OBJECTION_END),
        rows_of(Objection.objects, f"game__{CLUB_OF_GAME}", STORED_OBJECTION),
        {
            ObjectionAction.RAISED: put("objection", _raised, _objection),
            ObjectionAction.ENDED: note(
                "objection",
                _objection,
                way=lambda entry: entry.payload["way"],
                reason=lambda entry: entry.payload["reason"] if entry.payload["way"] == ObjectionEnd.Way.STANDS else "",
                end_role=lambda entry: entry.payload["role"],
                ended_at=lambda entry: plain(entry.at),
            ),
            ObjectionAction.TEXT_REMOVED: _empty,
        },
        texts=("word", "reason"),
    ),
    Noun(
        "proposal",
        ("game", "content", "made_at"),
        _proposals,
        {
            ProposalAction.MADE: put(
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
            Agreement.objects,
            f"proposal__game__{CLUB_OF_GAME}",
            AGREEMENT,
            named=("proposal__public_id", "seat"),
        ),
        {
            ProposalAction.AGREED: put(
                "agreement",
                lambda entry: {"role": entry.payload["role"], "agreed_at": plain(entry.at)},
                name=lambda entry: f"{entry.payload['proposal']} {entry.payload['seat']}",
            )
        },
    ),
)
