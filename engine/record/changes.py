"""All that differs between two records of one game: its header and result, and its rounds (turns),
value by value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from engine.record.canonical import canonical_json
from engine.record.check import replay
from engine.record.record import Record
from engine.record.shape import Json, join
from engine.record.write import header_json

ALIGNED: Final = 400
"""So many rounds are compared in any order; of more, those with the same number are compared."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One value that differs: `path` as in `rules.exact` or, within a round, `moves[2]`; None for
    what isn't there."""

    path: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class RoundChange:
    """A round (turn) that differs. Numbers count from 1; None, like its JSON, in the record that
    hasn't this round."""

    number_before: int | None
    number_after: int | None
    before: dict[str, Json] | None
    after: dict[str, Json] | None
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class RecordChanges:
    """All that differs between two records, rounds in order."""

    header: tuple[FieldChange, ...]
    rounds: tuple[RoundChange, ...]


def record_changes(before: Record, after: Record) -> RecordChanges:
    """Return what differs between two good records, in their canonical form: what a round tells
    twice is no difference.

    The result is what the rounds give, whatever the records claim, or the outcome, which has no
    rounds."""
    return RecordChanges(
        tuple(_fields("", _head(before), _head(after))),
        tuple(_rounds(_canonical(before), _canonical(after))),
    )


def _head(record: Record) -> dict[str, Json]:
    """The header with the result: points by placement are the places, and stand there once; who
    left is named."""
    ending = replay(record).ending
    points = None if ending.points == ending.rank else ending.points
    outcome = record.outcome
    result: dict[str, Json] = {
        "rank": None if ending.rank is None else list(ending.rank),
        "points": None if points is None else list(points),
    }
    if outcome is not None:
        result |= {
            "dice": None if outcome.dice is None else list(outcome.dice),
            "forfeit": ", ".join([record.seats[seat] for seat in outcome.forfeit]) or None,
            "ended": outcome.ended,
        }
    return header_json(record) | {"result": result}


def _canonical(record: Record) -> list[dict[str, Json]]:
    return [record.kind.round_json(unit) for unit in record.canonical().rounds]


def _fields(path: str, before: Json, after: Json) -> Iterator[FieldChange]:
    """The values that differ; lists are compared item by item where they have equally many."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _fields(join(path, key), before.get(key), after.get(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (before_value, after_value) in enumerate(zip(before, after, strict=True)):
            yield from _fields(f"{path}[{number}]", before_value, after_value)
    else:
        yield FieldChange(path, before, after)


def _rounds(
    before: Sequence[dict[str, Json]], after: Sequence[dict[str, Json]]
) -> Iterator[RoundChange]:
    """The rounds that were changed, taken out or put in."""
    for first, last, new_first, new_last in _unlike(
        [*map(canonical_json, before)], [*map(canonical_json, after)]
    ):
        for step in range(max(last - first, new_last - new_first)):
            old_place, new_place = first + step, new_first + step
            was = before[old_place] if old_place < last else None
            after_text = after[new_place] if new_place < new_last else None
            yield RoundChange(
                number_before=None if was is None else old_place + 1,
                number_after=None if after_text is None else new_place + 1,
                before=was,
                after=after_text,
                fields=()
                if was is None or after_text is None
                else tuple(_fields("", was, after_text)),
            )


def _unlike(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[tuple[int, int, int, int]]:
    """Tell where two lists differ: the first and the last but one of each, between what they have
    in common.

    Equal ends are passed over first, so that the work grows with the difference.
    """
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    before_part, after_part = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(before_part), len(after_part)) > ALIGNED:
        yield from _by_number(start, before_part, after_part)
        return
    for tag, first, last, new_first, new_last in SequenceMatcher(
        None, before_part, after_part, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            yield start + first, start + last, start + new_first, start + new_last


def _by_number(
    start: int, before_part: Sequence[bytes], after_part: Sequence[bytes]
) -> Iterator[tuple[int, int, int, int]]:
    """The places at which two long lists differ, and what one of them has behind the end of the
    other."""
    common = min(len(before_part), len(after_part))
    for place in range(common):
        if before_part[place] != after_part[place]:
            yield start + place, start + place + 1, start + place, start + place + 1
    if len(before_part) != len(after_part):
        yield start + common, start + len(before_part), start + common, start + len(after_part)
