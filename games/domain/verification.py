"""The verification of a game's facts against its digests and its header."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from engine.record.check import replay
from engine.record.header import stored_header
from engine.record.proof import proof_json
from engine.record.record import Record
from engine.record.stored import pack_record
from engine.record.verify import verify
from games.domain.difference import Difference, cell_differences
from games.models import Game, Round


def column_differences(game: Game, record: Record, digest: bytes) -> Iterator[Difference]:
    """Yield the wrong cells in the row of a game.

    Checked are the header, which must be in the record's form, the columns that repeat parts of it,
    the number of the revision, and the header's digest. `digest`: the true one.
    """
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
    cells += [
        ("header", game.header, stored_header(record)),
        ("digest", bytes(game.digest).hex(), digest.hex()),
    ]
    yield from cell_differences("game", game.public_id, cells)


def seat_differences(game: Game, numbers: Sequence[int]) -> Iterator[Difference]:
    """Yield the difference if the seats' numbers don't count from 0 without a gap."""
    yield from cell_differences(
        "seat", game.public_id, [("number", list(numbers), list(range(len(numbers))))]
    )


def round_differences(
    game: Game, record: Record, rounds: Sequence[Round], chain: Sequence[bytes]
) -> Iterator[Difference]:
    """Yield the wrong cells of rounds: digests, numbers, the end of the game, and packed bytes.

    `chain`: the digests of the record, the header's first.
    """
    verdict = replay(record)
    # The bytes of a record with errors aren't compared: its digest reveals the fault.
    bodies = pack_record(record) if verdict.ok else [bytes(row.body) for row in rounds]
    last = len(rounds) - 1
    for place, row in enumerate(rounds):
        ends_game = verdict.over and place == last
        body = bytes(row.body)
        digest = bytes(row.digest)
        cells = (
            ("number", row.number, place),
            ("ends_game", row.ends_game, ends_game),
            ("body", body.hex(), bodies[place].hex()),
            ("digest", digest.hex(), chain[place + 1].hex()),
        )
        yield from cell_differences("round", f"{game.public_id} {place + 1}", cells)


def proof_differences(game: Game, record: Record) -> Iterator[Difference]:
    """Yield the difference in the proof of the dice, if the game has one."""
    if game.proof is None:
        return
    error = verify(record).error
    if error is not None or (record.proof and proof_json(record.proof) != game.proof):
        fault = error.message if error else "another form"
        yield Difference("game", game.public_id, "proof", fault, "a proof that holds")
