"""The facts of a game against its digests and its header: every cell that contradicts them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from engine.record.check import replay
from engine.record.proof import proof_json
from engine.record.record import Record
from engine.record.verify import verify
from games.domain.difference import Difference, cell_differences
from games.models import Game, Round


def column_differences(game: Game, digest: bytes) -> Iterator[Difference]:
    """The columns that repeat the header, the place among the revisions, and the digest that the header has."""
    header: dict[str, Any] = json.loads(game.header)
    played_at = header.get("played_at")
    columns = {
        "external_id": header["id"],
        "kind": header["game"],
        "event": header.get("event", ""),
        "table": header.get("table", ""),
        "played_at": datetime.fromisoformat(played_at.upper()) if played_at else None,
        "revision": game.replaces.revision + 1 if game.replaces else 1,
    }
    if game.replaces:
        columns |= {"source": game.replaces.source}
    cells = [(column, getattr(game, column), value) for column, value in columns.items()]
    yield from cell_differences("game", game.public_id, [*cells, ("digest", bytes(game.digest).hex(), digest.hex())])


def seat_differences(game: Game, numbers: Sequence[int]) -> Iterator[Difference]:
    """The numbers of the seats, which count from 0 without a gap."""
    yield from cell_differences("seat", game.public_id, [("number", list(numbers), list(range(len(numbers))))])


def round_differences(
    game: Game, record: Record, rounds: Sequence[Round], chain: Sequence[bytes]
) -> Iterator[Difference]:
    """The digests of the rounds, their numbers, and which of them ends the game.

    `chain`: the digests that the record has, that of the header first.
    """
    over = replay(record).over
    for place, row in enumerate(rounds):
        cells = (
            ("number", row.number, place),
            ("ends_game", row.ends_game, over and place == len(rounds) - 1),
            ("digest", bytes(row.digest).hex(), chain[place + 1].hex()),
        )
        yield from cell_differences("round", f"{game.public_id} {place + 1}", cells)


def proof_differences(game: Game, record: Record) -> Iterator[Difference]:
    """The proof of the dice, if the game has one."""
    if game.proof is None:
        return
    error = verify(record).error
    if error is not None or (record.proof and proof_json(record.proof) != game.proof):
        fault = error.message if error else "another form"
        yield Difference("game", game.public_id, "proof", fault, "a proof that holds")
