"""The checker: the verdict on a record."""

from engine.illegal import Illegal
from engine.record.record import FORMATS, Record, Result, parse, read_game, read_header, read_id
from engine.record.verdict import Verdict


def check_line(line: bytes | str) -> Verdict:
    """The verdict on a line that should hold a record; never an exception."""
    value = parse(line)
    if isinstance(value, Illegal):
        return Verdict(None, error=value)
    record = read_header(value)
    if isinstance(record, Illegal):
        return Verdict(read_id(value), read_game(value), record)
    return check(record)


def check(record: Record) -> Verdict:
    """The verdict on a record: its first fault in reading order, or what came of the game."""
    verdict = FORMATS[record.game].check(record)
    if verdict.error is not None or record.result is None:
        return verdict
    wrong = _result_mismatch(record.result, verdict)
    if wrong is None:
        return verdict
    return Verdict(verdict.id, verdict.game, wrong, rounds=verdict.rounds, turns=verdict.turns)


def _result_mismatch(claims: Result, verdict: Verdict) -> Illegal | None:
    """What a record claims and didn't come of the game, if anything."""
    if not verdict.over:
        return Illegal("result_mismatch", "the game isn't over, so it has no result", path="result")
    for key, claimed, true in (
        ("rank", claims.rank, verdict.rank),
        ("points", claims.points, verdict.points),
    ):
        if claimed is not None and claimed != true:
            message = f"the seats have {list(true or ())}, not {list(claimed)}"
            return Illegal("result_mismatch", message, path=f"result.{key}")
    return None
