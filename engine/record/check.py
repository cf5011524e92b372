"""The checker: the verdict on a record."""

from dataclasses import replace

from engine.illegal import Illegal
from engine.messages import say
from engine.record.kind import AnswerPart, Ending
from engine.record.outcome import KnownEnd
from engine.record.record import Record, Result, parse, read_id, read_kind, read_value
from engine.record.verdict import UNKNOWN, Verdict


def check_line(line: bytes | str) -> Verdict:
    """Return the verdict on a line that should hold a record; never raise an exception."""
    value = parse(line)
    if isinstance(value, Illegal):
        return Verdict(None, error=value)
    record = read_value(value)
    if isinstance(record, Illegal):
        return Verdict(read_id(value), read_kind(value), record)
    return check(record)


def check(record: Record) -> Verdict:
    """Return the verdict on a new record: its first fault in reading order, or its result."""
    verdict = replay(record)
    wrong = impossible_end(record)
    if wrong is None:
        return verdict
    return Verdict(record.record_id, record.kind, wrong)


def impossible_end(record: Record) -> Illegal | None:
    """Return why no game can have this outcome; None if one can, or if it breaks the format.

    Only new records are refused for this: one already sealed stays valid.
    """
    if record.outcome is None:
        return None
    ending = record.kind.known_end(record.rules, record.outcome)
    if isinstance(ending, Illegal):
        return None
    return record.kind.impossible_end(record.rules, record.outcome)


def replay(record: Record) -> Verdict:
    """Return the verdict on a sealed record, by its rounds (turns) or its outcome.

    An outcome that no game can have isn't refused, unlike by `check`: games with impossible points
    were sealed before `check` refused them.
    """
    if record.outcome is not None:
        return _check_outcome(record, record.outcome)
    kind = record.kind
    game = record.start()
    results: list[AnswerPart] = []
    for i, round_or_turn in enumerate(record.rounds):
        is_last = i + 1 == len(record.rounds) and record.fault is None
        result = kind.settle(game, round_or_turn, kind.path(i), is_last)
        if isinstance(result, Illegal):
            return Verdict(record.record_id, kind, kind.at(i, result), results)
        results.append(result)
    if record.fault is not None:
        # If the game was over before, the fault is that there is another round, not that it can't
        # be read.
        fault = _round_after_the_end(record) if game.over else record.fault
        return Verdict(record.record_id, kind, fault, results)

    ending = kind.ending(game)
    if record.result is not None:
        wrong = _result_mismatch(record.result, ending)
        if wrong is not None:
            return Verdict(record.record_id, kind, wrong, results, UNKNOWN)
    return Verdict(record.record_id, kind, error=None, rounds=results, ending=ending)


def _check_outcome(record: Record, outcome: KnownEnd) -> Verdict:
    ending = record.kind.known_end(record.rules, outcome)
    if isinstance(ending, Illegal):
        return Verdict(record.record_id, record.kind, ending)
    return Verdict(record.record_id, record.kind, ending=ending)


def _round_after_the_end(record: Record) -> Illegal:
    number = len(record.rounds)
    fault = replace(record.kind.game_over, path=record.kind.path(number))
    return record.kind.at(number, fault)


def _result_mismatch(claims: Result, ending: Ending) -> Illegal | None:
    if not ending.over:
        return Illegal(
            "result_mismatch", say("the game isn't over, so it has no result"), path="result"
        )
    claimed_and_computed = (
        ("rank", claims.rank, ending.rank),
        ("points", claims.points, ending.points),
    )
    for key, claimed, computed in claimed_and_computed:
        if claimed is not None and claimed != computed:
            return Illegal(
                "result_mismatch",
                say(
                    "the seats have {figures}, not {claimed}",
                    figures=list(computed or ()),
                    claimed=list(claimed),
                ),
                path=f"result.{key}",
            )
    return None
