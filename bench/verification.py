"""Stored games replayed, as they are counted and rebuilt, and verified whole, as `manage.py verify`
does.

A replay reads each header, and checks and settles every round up to the game's result. Verifying
seals the names besides, writes every round in canonical form, and compares every digest of the
chain. Beside them stands what nobody can save: one SHA-256 over the bytes that each digest is made
of, which are there already.

Dealt games without lay-outs are what is verified with the fewest steps; the demo's seasons tell
their rounds as clubs do, at every level of detail, half of them with lay-outs; interrupted, they
are the shortest that clubs enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from time import process_time
from typing import TypeAlias

from bench.games import KNIFFEL_SEASON, interrupted, season
from bench.measure import Contest, run
from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.kniffel.combinations import Ruleset as SheetRules
from engine.players.match import Entrant, play_match
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import RoundRecord
from engine.record.bluff.settle import settle
from engine.record.canonical import canonical_rounds, digests
from engine.record.header import stored_header
from engine.record.kniffel.kind import KNIFFEL
from engine.record.names import Name
from engine.record.record import Record, begin, with_names
from engine.record.stored import pack_record, replay_stored, unpack_record
from engine.record.verify import verify

GAMES, EIGHTS = 300, 40
SALT = bytes(16)
ROUNDS = 4000
"""At least so many are verified at once: the few games of one level that the demo has, several
times."""

StoredGame: TypeAlias = tuple[str, tuple[str, ...], tuple[Name, ...], list[bytes], list[bytes]]


def measure() -> None:
    """Print how many rounds are replayed, and how many verified, in a second of CPU time."""
    demo = season()
    _measure("games of the demo's season", "rounds", demo)
    for level in sorted({told.level for record in demo for told in record.rounds}):
        for reroll in (False, True):
            records = [
                record
                for record in demo
                if record.rules.reroll == reroll and record.rounds[0].level == level
            ]
            lay_outs = "with lay-outs" if reroll else "without lay-outs"
            _measure(f"games of the demo's season, {level}, {lay_outs}", "rounds", records)
    for level in sorted({record.rounds[0].level for record in demo}):
        records = interrupted([record for record in demo if record.rounds[0].level == level])
        _measure(f"games of the demo's season, {level}, interrupted", "rounds", records)
    _measure(
        "games of the demo's season, of their losses alone",
        "rounds",
        [_by_losses(record) for record in demo],
    )
    match = play_match(
        [Entrant(f"player {seat}", "odds", 1.0) for seat in range(4)], GAMES, 1, Ruleset()
    )
    _measure(
        "dealt four-seat games without lay-outs", "rounds", [played.record for played in match]
    )
    _measure("games of Lügen-Kniffel of the demo's season", "turns", season(KNIFFEL_SEASON))
    eight = play_match(
        [Entrant(f"player {seat}", "odds") for seat in range(8)], EIGHTS, 1, SheetRules(), KNIFFEL
    )
    _measure(
        "games of Lügen-Kniffel of eight automatic players",
        "turns",
        [played.record for played in eight],
    )


def _by_losses(record: Record) -> Record:
    """The same game, of which only the losses are told."""
    game, rounds = begin(record, BLUFF)
    untold = []
    for told in rounds:
        result = settle(game, told, "")
        if isinstance(result, Illegal):
            raise ValueError(result.message)
        untold.append(RoundRecord("result", losses=tuple([-dice for dice in result.delta])))
    return replace(record, rounds=tuple(untold))


def _measure(title: str, unit: str, records: Sequence[Record]) -> None:
    records = [with_names(record, [SALT] * len(record.seats)) for record in records]
    games = [
        (
            stored_header(record),
            record.seats,
            record.names or (),
            pack_record(record),
            digests(record),
        )
        for record in records
    ]
    hashed = [bytes(32) + body for record in records for body in canonical_rounds(record)]
    start = process_time()
    _replay(games, 1)
    first = process_time() - start
    times = 1 + ROUNDS // len(hashed)
    run(
        Contest(
            f"Replayed to the result: {title}",
            unit,
            len(hashed) * times,
            {
                "Cups Up, replayed": lambda: _replay(games, times),
                "Cups Up, verified with digests": lambda: _verify(games, times),
                "SHA-256 of the same bytes alone": lambda: [
                    sha256(bytes_).digest() for bytes_ in hashed * times
                ],
            },
        )
    )
    print(f"  {'Cups Up, replayed the first time':<42} {len(hashed) / first:>12,.0f} {unit}/CPU s")


def _replay(games: list[StoredGame], times: int) -> None:
    """Replay all games so many times."""
    for header, handles, _, bodies, _ in games * times:
        if not replay_stored(header, handles, bodies).ok:
            raise AssertionError("a good game was refused")


def _verify(games: list[StoredGame], times: int) -> None:
    """Verify all games so many times."""
    for header, handles, names, bodies, chain in games * times:
        record = unpack_record(header, handles, names, bodies)
        if not verify(replace(record, digests=tuple(chain))).ok:
            raise AssertionError("a good game was refused")
