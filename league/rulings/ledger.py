"""All that the log tells of rounds that were kept as they were played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from league.log.ledger import Ledger, LedgerEntry, Noun
from league.rulings.actions import KeptAction
from league.tables.models import StageRound


def _rounds(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = StageRound.objects.filter(stage__event__club=club_id).exclude(kept="")
    for public_id, digest in rows.values_list("public_id", "kept"):
        yield public_id, (digest,)


def _keep(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("round kept")[entry.subject] = {"digest": entry.payload["kept"]}


NOUNS: Final = (Noun("round kept", ("digest",), _rounds, {KeptAction.ROUND_KEPT: _keep}),)
