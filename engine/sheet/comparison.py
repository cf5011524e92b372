"""Two sheets of one game, written by two who didn't see each other's: in which rounds they tell
something else."""

from __future__ import annotations

from collections.abc import Set
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from engine.illegal import Illegal
from engine.record.record import Record

MARKS: Final = ("forfeit", "void", "ended", "doubts")
"""What a record leaves out where it wasn't so: two that agree tell it both, or neither."""


def differing_rounds(record: Record, other: Record) -> list[int]:
    """Numbers, from 1, of the rounds (turns) in which two records of one game don't agree.

    Where both tell a round at one depth, all that they tell is the same. Where one tells more
    (every bid, and the other the losses alone), what follows from both is. The record that has no
    such round doesn't agree."""
    return [
        number
        for number, pair in enumerate(zip_longest(_rounds(record), _rounds(other)), 1)
        if not _agree(*pair)
    ]


class _Round(NamedTuple):
    """All that is known of a round: the keys of the record that tell it, and what they tell with
    what came of it."""

    keys: Set[str]
    facts: dict[str, Any]


def _rounds(record: Record) -> list[_Round]:
    """The rounds of a record. ValueError for one with a fault."""
    game, kind, rounds = record.start(), record.kind, []
    for unit in record.rounds:
        result = kind.settle(game, unit, "", False)
        if isinstance(result, Illegal):
            raise ValueError(result.message)
        value = kind.round_json(unit)
        rounds.append(_Round(value.keys(), result.as_json() | value))
    return rounds


def _agree(first: _Round | None, second: _Round | None) -> bool:
    """True if all that both tell is the same; of bids that one tells whole and the other in part
    the last is enough."""
    if first is None or second is None:
        return False
    in_part = set() if first.keys == second.keys else {"moves"}
    common = first.facts.keys() & second.facts.keys() - in_part
    pairs = [(first.facts[key], second.facts[key]) for key in common]
    if any(None not in pair and pair[0] != pair[1] for pair in pairs):
        return False
    return all(first.facts.get(mark) == second.facts.get(mark) for mark in MARKS)
