"""Lots, and an input in one settled order, so that the way it was written doesn't influence the
draw."""

from dataclasses import replace
from hashlib import sha256

from engine.pairing.cost import ordered
from engine.pairing.draw_file import write_draw
from engine.pairing.draw_input import Apart, DrawInput, TableIds


def settled(draw_input: DrawInput) -> DrawInput:
    """Return the input in a fixed order, without players who are no longer there.

    Participants are ordered by lot, which `draw_input.seed` and the rest of the input decide;
    tables, pairs and the ids in them alphabetically. The new `seed` is 64 hexadecimal digits made
    from the whole input."""
    present = {player.player_id for player in draw_input.participants}
    apart = [
        Apart(*ordered(pair.first, pair.second), must=pair.must)
        for pair in draw_input.apart
        if pair.first in present and pair.second in present
    ]
    plain = replace(
        draw_input,
        participants=tuple(sorted(draw_input.participants, key=lambda player: player.player_id)),
        played=tuple([_tables_of_present(tables, present) for tables in draw_input.played]),
        apart=tuple(sorted(apart, key=lambda pair: (pair.first, pair.second, pair.must))),
    )
    seed = sha256(write_draw(plain)).hexdigest()
    shuffled = sorted(plain.participants, key=lambda player: lot(seed, player.player_id))
    return replace(plain, seed=seed, participants=tuple(shuffled))


def lot(seed: str, player_id: str) -> bytes:
    """Return a player's lot: 32 bytes, the least of which comes first."""
    return sha256(f"{seed} {player_id}".encode()).digest()


def _tables_of_present(tables: tuple[TableIds, ...], present: set[str]) -> tuple[TableIds, ...]:
    remaining = []
    for table in tables:
        ids = [player_id for player_id in sorted(table) if player_id in present]
        if len(ids) > 1:
            remaining.append(tuple(ids))
    return tuple(sorted(remaining))
