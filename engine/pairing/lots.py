"""Lots: everything about a draw's input that the way in which it was written down must not
decide."""

from dataclasses import replace
from hashlib import sha256

from engine.pairing.cost import ordered
from engine.pairing.draw_file import write_draw
from engine.pairing.draw_input import Apart, DrawInput, TableIds


def settled(draw_input: DrawInput) -> DrawInput:
    """Put the input into one order, without players who are no longer there.

    Participants stand by lot, which `draw_input.seed` and the rest of the input decide; tables,
    pairs and those in them in alphabetical order. Its `seed` is 64 hexadecimal digits made of the
    whole input."""
    present = {player.player_id for player in draw_input.participants}
    plain = replace(
        draw_input,
        participants=tuple(sorted(draw_input.participants, key=lambda player: player.player_id)),
        played=tuple([_present(tables, present) for tables in draw_input.played]),
        apart=tuple(
            sorted(
                [
                    Apart(*ordered(pair.first, pair.second), must=pair.must)
                    for pair in draw_input.apart
                    if pair.first in present and pair.second in present
                ],
                key=lambda pair: (pair.first, pair.second, pair.must),
            )
        ),
    )
    seed = sha256(write_draw(plain)).hexdigest()
    shuffled = sorted(plain.participants, key=lambda player: lot(seed, player.player_id))
    return replace(plain, seed=seed, participants=tuple(shuffled))


def lot(seed: str, player_id: str) -> bytes:
    """The lot that somebody draws: 32 bytes, the least of which comes first."""
    return sha256(f"{seed} {player_id}".encode()).digest()


def _present(tables: tuple[TableIds, ...], present: set[str]) -> tuple[TableIds, ...]:
    """The tables of a round with those alone who are still there, and without those at which nobody
    met anybody."""
    met = [
        tuple(sorted([player_id for player_id in table if player_id in present]))
        for table in tables
    ]
    return tuple(sorted([table for table in met if len(table) > 1]))
