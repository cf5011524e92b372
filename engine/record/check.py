"""The checker: the verdict on a record."""

from dataclasses import replace

from engine.illegal import Illegal
from engine.messages import say
from engine.record.kind import AnswerPart, Ending
from engine.record.outcome import KnownEnd
from engine.record.record import Record, Result, parse, read_id, read_kind, read_value
from engine.record.verdict import UNKNOWN, Verdict


def check_line(line: bytes | str) -> Verdict:
    """The verdict on a line that should hold a record; never an exception."""
    value = parse(line)
    if isinstance(value, Illegal):
        return Verdict(None, error=value)
    record = read_value(value)
    return (
        Verdict(read_id(value), read_kind(value), record)
        if isinstance(record, Illegal)
        else check(record)
    )


def check(record: Record) -> Verdict:
    """The verdict on a record that comes in: its first fault in reading order, or what came of the
    game."""
    verdict = replay(record)
    wrong = impossible_end(record)
    return verdict if wrong is None else Verdict(record.record_id, record.kind, wrong)


def impossible_end(record: Record) -> Illegal | None:
    """The fault of an outcome that no game can end with, though it counts where it was sealed; None
    if it can be, or breaks the format."""
    if record.outcome is None or isinstance(
        record.kind.known_end(record.rules, record.outcome), Illegal
    ):
        return None
    return record.kind.impossible_end(record.rules, record.outcome)


def replay(record: Record) -> Verdict:
    """The verdict on a record that is sealed: as that of `check`, but points of an outcome that no
    game can bring count as they did before anybody refused them."""
    if record.outcome is not None:
        return _check_outcome(record, record.outcome)
    kind, game = record.kind, record.start()
    results: list[AnswerPart] = []
    for i, unit in enumerate(record.rounds):
        result = kind.settle(
            game, unit, kind.path(i), i + 1 == len(record.rounds) and record.fault is None
        )
        if isinstance(result, Illegal):
            return Verdict(record.record_id, kind, kind.at(i, result), results)
        results.append(result)
    if record.fault is not None:
        return Verdict(
            record.record_id, kind, _unread(record, record.fault, over=game.over), results
        )
    ending = kind.ending(game)
    wrong = None if record.result is None else _result_mismatch(record.result, ending)
    return Verdict(record.record_id, kind, wrong, results, UNKNOWN if wrong else ending)


def _check_outcome(record: Record, outcome: KnownEnd) -> Verdict:
    """The verdict on a game of which only the end is known."""
    ending = record.kind.known_end(record.rules, outcome)
    if isinstance(ending, Illegal):
        return Verdict(record.record_id, record.kind, ending)
    return Verdict(record.record_id, record.kind, ending=ending)


def _unread(record: Record, fault: Illegal, *, over: bool) -> Illegal:
    """Return what is wrong with the first round that can't be read: after the end of the game, that
    it is there at all."""
    number = len(record.rounds)
    return (
        record.kind.at(number, replace(record.kind.game_over, path=record.kind.path(number)))
        if over
        else fault
    )


def _result_mismatch(claims: Result, ending: Ending) -> Illegal | None:
    """Return what a record claims and didn't come of the game, if anything."""
    if not ending.over:
        return Illegal(
            "result_mismatch", say("the game isn't over, so it has no result"), path="result"
        )
    for key, claimed, computed in (
        ("rank", claims.rank, ending.rank),
        ("points", claims.points, ending.points),
    ):
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
