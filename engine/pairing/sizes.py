"""Table sizes for a number of players: as few byes as possible, then as few short tables."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from engine.illegal import Illegal
from engine.messages import say


class SizeMix(NamedTuple):
    """The sizes of all tables, the largest first, and how many players sit out."""

    tables: tuple[int, ...]
    byes: int


def size_mix(players: int, sizes: tuple[int, ...], *, bye: bool) -> SizeMix | Illegal:
    """Return the tables for a number of players; the first of `sizes` is the wanted size.

    As few players as possible sit out; none if `bye` is false, unless tables of two are the only
    ones. Then come the fewest tables smaller than the wanted size, the fewest tables of other
    sizes, and of these the sizes named first. Errors: `too_few` for fewer players than the smallest
    table has, `no_such_sizes`."""
    if players < min(sizes):
        return Illegal(
            "too_few",
            say(
                "a table of {size} needs {size} players, not {players}",
                size=min(sizes),
                players=players,
            ),
            path="players",
        )
    may_sit_out = bye or sizes == (2,)
    most_byes = players - min(sizes) if may_sit_out else 0
    for byes in range(most_byes + 1):
        mixes = list(_mixes(players - byes, sizes))
        if mixes:
            other_tables = min(mixes, key=lambda mix: _mix_sort_key(mix, sizes))
            full_tables = (players - byes - sum(other_tables)) // sizes[0]
            tables = [*other_tables, *[sizes[0]] * full_tables]
            return SizeMix(tuple(sorted(tables, reverse=True)), byes)
    return Illegal(
        "no_such_sizes",
        say(
            "no mix of tables of {sizes} seats {players} players",
            sizes=", ".join(map(str, sizes)),
            players=players,
        ),
        path="sizes",
    )


def _mixes(players: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield each combination of other sizes that leaves a number of players divisible by the wanted
    size.

    Fewer than `wanted_size` such tables are ever needed: the sizes of some of `wanted_size` tables
    always add up to a multiple of the wanted size, so tables of that size could replace them."""
    wanted_size, *other_sizes = sizes
    for table_count in range(wanted_size):
        for mix in combinations_with_replacement(other_sizes, table_count):
            if sum(mix) <= players and (players - sum(mix)) % wanted_size == 0:
                yield mix


def _mix_sort_key(mix: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, int, list[int]]:
    """Return a key that sorts the best tables of other sizes first: the fewest tables smaller than
    the wanted size, then the fewest tables in all, then the sizes named first in `sizes`."""
    wanted_size = sizes[0]
    short_tables = sum(size < wanted_size for size in mix)
    preferences = sorted(map(sizes.index, mix))
    return short_tables, len(mix), preferences
