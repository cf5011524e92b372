"""Table sizes for a number of players: with as few players out as possible, then as few short
tables."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from engine.illegal import Illegal
from engine.messages import say


class SizeMix(NamedTuple):
    """The sizes of all tables, the largest first, and how many sit out."""

    tables: tuple[int, ...]
    byes: int


def size_mix(players: int, sizes: tuple[int, ...], *, bye: bool) -> SizeMix | Illegal:
    """The tables for so many players, of sizes of which the first is the wanted one.

    As few as possible sit out, and nobody where `bye` is false, unless tables of two are the only
    ones. Then come the fewest tables smaller than the wanted size, the fewest of other sizes at
    all, and of these the sizes named first. Faults: `too_few` for fewer players than the smallest
    table has, `no_such_sizes`."""
    if players < min(sizes):
        return Illegal(
            "too_few",
            say("{players} players don’t fill a table of {size}", players=players, size=min(sizes)),
            path="players",
        )
    most = players - min(sizes) if bye or sizes == (2,) else 0
    for byes in range(most + 1):
        mixes = list(_mixes(players - byes, sizes))
        if mixes:
            other_sizes = min(mixes, key=lambda other_sizes: _rank(other_sizes, sizes))
            full_tables = (players - byes - sum(other_sizes)) // sizes[0]
            return SizeMix(
                tuple(sorted((*other_sizes, *[sizes[0]] * full_tables), reverse=True)), byes
            )
    return Illegal(
        "no_such_sizes",
        say(
            "no mix of tables of {sizes} seats {players} players",
            sizes=_listed(sizes),
            players=players,
        ),
        path="sizes",
    )


def _mixes(players: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The tables of other sizes than the wanted one with which the wanted ones seat everybody.

    They are fewer than the wanted size is: of that many tables some always have together a multiple
    of it, and tables of the wanted size could stand in their place."""
    full_tables, *other_sizes = sizes
    for number in range(full_tables):
        for mix in combinations_with_replacement(other_sizes, number):
            if sum(mix) <= players and (players - sum(mix)) % full_tables == 0:
                yield mix


def _rank(other_sizes: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, int, list[int]]:
    """The smaller, the better is a mix: its short tables, its tables of other sizes, how late those
    are named."""
    short = sum(size < sizes[0] for size in other_sizes)
    return short, len(other_sizes), sorted(map(sizes.index, other_sizes))


def _listed(sizes: tuple[int, ...]) -> str:
    return ", ".join(map(str, sizes))
