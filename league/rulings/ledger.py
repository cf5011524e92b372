"""All that the log tells of rounds that were kept as they were played, and of games that are void."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.models import Void
from league.log.ledger import Ledger, LedgerEntry, Noun, Replay, plain
from league.rankings.actions import GameAction
from league.rulings.actions import KeptAction
from league.tables.models import StageRound


def _rounds(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = StageRound.objects.filter(stage__event__club=club_id).exclude(kept="")
    for public_id, digest in rows.values_list("public_id", "kept"):
        yield public_id, (digest,)


def _keep(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("round kept")[entry.subject] = {"digest": entry.payload["kept"]}


def _voids(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = Void.objects.filter(game__season_game__season__club=club_id)
    for game, number, *values in rows.values_list("game__public_id", "number", "stands", "role", "made_at"):
        yield f"{game} {number}", tuple(values)


def _void(*, stands: bool) -> Replay:
    def replay(ledger: Ledger, entry: LedgerEntry) -> None:
        ledger.rows("void")[f"{entry.subject} {entry.payload['number']}"] = {
            "stands": stands,
            "role": entry.payload["role"],
            "made_at": plain(entry.at),
        }

    return replay


NOUNS: Final = (
    Noun("round kept", ("digest",), _rounds, {KeptAction.ROUND_KEPT: _keep}),
    Noun(
        "void",
        ("stands", "role", "made_at"),
        _voids,
        {GameAction.VOIDED: _void(stands=True), GameAction.RESTORED: _void(stands=False)},
    ),
)
