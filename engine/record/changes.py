"""The differences between two records of one game: in header, result, and rounds (turns)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from engine.record.canonical import canonical_json
from engine.record.check import replay
from engine.record.record import Record
from engine.record.shape import Json, join
from engine.record.write import header_json

ALIGNED: Final = 400
"""Up to this number of rounds, equal rounds are matched at different places; beyond it only those
with the same number are compared.
"""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A value that differs; None where a record lacks it.

    `path` is as in `rules.exact` or, within a round, `moves[2]`.
    """

    path: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class RoundChange:
    """A round (turn) that differs.

    Numbers count from 1; number and JSON are None in the record without this round.
    """

    number_before: int | None
    number_after: int | None
    before: dict[str, Json] | None
    after: dict[str, Json] | None
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class RecordChanges:
    """The differences between two records, rounds in order."""

    header: tuple[FieldChange, ...]
    rounds: tuple[RoundChange, ...]


def record_changes(before: Record, after: Record) -> RecordChanges:
    """Return the differences between the canonical forms of two valid records.

    Their results are computed from the rounds, whatever the records claim, or taken from the
    outcome.
    """
    return RecordChanges(
        header=tuple(_field_changes("", _header_and_result(before), _header_and_result(after))),
        rounds=tuple(_round_changes(_canonical_rounds(before), _canonical_rounds(after))),
    )


def _header_and_result(record: Record) -> dict[str, Json]:
    ending = replay(record).ending
    # Points by placement equal the ranks: they needn't be listed twice.
    points = None if ending.points == ending.rank else ending.points
    result: dict[str, Json] = {"rank": _listed(ending.rank), "points": _listed(points)}
    outcome = record.outcome
    if outcome is not None:
        leavers = [record.seats[seat] for seat in outcome.forfeit]
        result["dice"] = _listed(outcome.dice)
        result["forfeit"] = ", ".join(leavers) or None
        result["ended"] = outcome.ended
    header = header_json(record)
    header["result"] = result
    return header


def _listed(numbers: Sequence[int] | None) -> Json:
    return None if numbers is None else list(numbers)


def _canonical_rounds(record: Record) -> list[dict[str, Json]]:
    return [record.kind.round_json(unit) for unit in record.canonical().rounds]


def _field_changes(path: str, before: Json, after: Json) -> Iterator[FieldChange]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _field_changes(join(path, key), before.get(key), after.get(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (before_value, after_value) in enumerate(zip(before, after, strict=True)):
            yield from _field_changes(f"{path}[{number}]", before_value, after_value)
    else:
        yield FieldChange(path, before, after)


def _round_changes(
    before: Sequence[dict[str, Json]], after: Sequence[dict[str, Json]]
) -> Iterator[RoundChange]:
    """Yield the rounds (turns) that differ.

    Where rounds are replaced by more or fewer, they are compared one by one, and the rest is new or
    missing."""
    before_texts = [canonical_json(unit) for unit in before]
    after_texts = [canonical_json(unit) for unit in after]
    for old_places, new_places in _different_places(before_texts, after_texts):
        for old_place, new_place in zip_longest(old_places, new_places):
            if old_place is None:
                yield RoundChange(
                    number_before=None,
                    number_after=new_place + 1,
                    before=None,
                    after=after[new_place],
                    fields=(),
                )
            elif new_place is None:
                yield RoundChange(
                    number_before=old_place + 1,
                    number_after=None,
                    before=before[old_place],
                    after=None,
                    fields=(),
                )
            else:
                old_round = before[old_place]
                new_round = after[new_place]
                changes = tuple(_field_changes("", old_round, new_round))
                yield RoundChange(old_place + 1, new_place + 1, old_round, new_round, changes)


def _different_places(
    before: Sequence[bytes], after: Sequence[bytes]
) -> Iterator[tuple[range, range]]:
    """Yield the ranges of rounds that differ: their indices before, and after."""
    # Equal ends are skipped first, so that the work grows with the difference.
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    before_part = before[start : len(before) - end]
    after_part = after[start : len(after) - end]
    if max(len(before_part), len(after_part)) > ALIGNED:
        yield from _different_places_by_number(start, before_part, after_part)
        return

    matcher = SequenceMatcher(None, before_part, after_part, autojunk=False)
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag != "equal":
            yield range(start + first, start + last), range(start + new_first, start + new_last)


def _different_places_by_number(
    start: int, before_part: Sequence[bytes], after_part: Sequence[bytes]
) -> Iterator[tuple[range, range]]:
    common = min(len(before_part), len(after_part))
    for place in range(common):
        if before_part[place] != after_part[place]:
            changed = range(start + place, start + place + 1)
            yield changed, changed
    if len(before_part) != len(after_part):
        rest = start + common
        yield range(rest, start + len(before_part)), range(rest, start + len(after_part))
