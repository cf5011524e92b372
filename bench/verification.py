"""Stored games verified whole: play, results and digests of dealt games of four seats, straight from their bytes.

Ours reads each header, seals the names, checks and settles every round up to the game's result, writes it in canonical
form, and compares every digest of the chain. Beside it stands what nobody can save: one SHA-256 over the bytes
that each digest is made of, which are there already.
"""

from __future__ import annotations

from hashlib import sha256

from bench.measure import Contest, run
from engine.bluff.ruleset import Ruleset
from engine.players.match import Entrant, play_match
from engine.record.canonical import canonical_rounds, digests
from engine.record.record import with_names
from engine.record.stored import pack_record, stored_header, verify_stored

GAMES = 300
SALTS = [bytes(16)] * 4


def measure() -> None:
    """Print how many rounds are verified in a second of CPU time."""
    match = play_match([Entrant(f"player {seat}", "odds", 1.0) for seat in range(4)], GAMES, 1, Ruleset())
    records = [with_names(played.record, SALTS) for played in match]
    games = [
        (stored_header(record), record.seats, record.names, pack_record(record), digests(record)) for record in records
    ]
    hashed = [bytes(32) + body for record in records for body in canonical_rounds(record)]
    run(
        Contest(
            "Stored four-seat games verified with digests and results",
            "rounds",
            len(hashed),
            {
                "Cups Up, verify_stored": lambda: [verify_stored(*game).ok for game in games],  # type: ignore[arg-type]
                "SHA-256 of the same bytes alone": lambda: [sha256(bytes_).digest() for bytes_ in hashed],
            },
        )
    )
