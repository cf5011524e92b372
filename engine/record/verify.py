"""Verifying a record: not only its play, which the checker judges, but also its dice, its digests and its seal."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.dice.proof import first_mismatch
from engine.illegal import Illegal
from engine.record.canonical import canonical_json, digests
from engine.record.check import check
from engine.record.export import seal_of
from engine.record.record import Record, parse, read_header, read_id
from engine.record.shape import Json
from engine.record.throws import throws
from engine.record.verdict import UNIT


@dataclass(frozen=True, slots=True)
class Verification:
    """What could be proved of one record, in the order in which it is tried, or the first thing that is false.

    `proved`: `rules` (its play and its result), `dice` (every die comes out of the proof), `digests` (the chain is
    that of its facts), `seal` (every byte of the line is as it was written); those that the record tells. `error`
    has a code of the checker, or `proof_mismatch`, `digest_mismatch`, `seal_mismatch`; `seat` and `draw` name
    the roll where one is false.
    """

    id: str | None
    proved: tuple[str, ...] = ()
    error: Illegal | None = None
    seat: int | None = None
    draw: int | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing false was found."""
        return self.error is None

    def as_json(self) -> dict[str, Json]:
        """The answer of `python -m engine verify`."""
        if self.error is None:
            return {"id": self.id, "ok": True, "proved": list(self.proved)}
        place = {"seat": self.seat, "draw": self.draw}
        known = {key: number for key, number in place.items() if number is not None}
        return {"id": self.id, "ok": False, "error": {**self.error.as_json(), **known}}


def verify_line(line: bytes) -> Verification:
    """What a line that should hold a record proves; never an exception."""
    value = parse(line)
    if isinstance(value, Illegal):
        return Verification(None, error=value)
    record = read_header(value)
    if isinstance(record, Illegal):
        return Verification(read_id(value), error=record)
    verified = verify(record)
    if not verified.ok or not isinstance(value, dict) or "seal" not in value:
        return verified
    wrong = _wrong_seal(line, value)
    if wrong is not None:
        return Verification(record.id, error=wrong)
    return Verification(record.id, (*verified.proved, "seal"))


def verify(record: Record) -> Verification:
    """What a record proves, apart from its line."""
    verdict = check(record)
    if verdict.error is not None:
        return Verification(record.id, error=verdict.error)
    proved = ["rules"]
    if record.proof is not None and record.proof.links is not None:
        wrong = first_mismatch(record.proof, record.id, throws(record, verdict))
        if wrong is not None:
            illegal = _at(record.game, "proof_mismatch", wrong.message, wrong.round, "proof")
            return Verification(record.id, error=illegal, seat=wrong.seat, draw=wrong.draw)
        proved.append("dice")
    if record.digests is not None:
        error = wrong_digest(record.game, digests(record), record.digests)
        if error is not None:
            return Verification(record.id, error=error)
        proved.append("digests")
    return Verification(record.id, tuple(proved))


def wrong_digest(game: str, chain: Sequence[bytes], told: Sequence[bytes]) -> Illegal | None:
    """The first digest told that isn't that of the chain: the first is of the header, each other of a round."""
    if len(told) != len(chain):
        message = f"there are {len(chain)} digests, not {len(told)}"
        return Illegal("digest_mismatch", message, path="digests")
    for i, (own, claimed) in enumerate(zip(chain, told, strict=True)):
        if own != claimed:
            message = f"the digest is {own.hex()}, not {claimed.hex()}"
            return _at(game, "digest_mismatch", message, i - 1 if i else None, f"digests[{i}]")
    return None


def _wrong_seal(line: bytes, value: dict[str, Json]) -> Illegal | None:
    """A sealed line is the canonical form of what it tells, and the seal is of all the rest."""
    if canonical_json(value) != line:
        return Illegal("seal_mismatch", "the line isn't in canonical form, as every sealed one is")
    seal = seal_of({key: told for key, told in value.items() if key != "seal"}).hex()
    if value["seal"] != seal:
        return Illegal("seal_mismatch", f"the seal is {seal}: something was changed", path="seal")
    return None


def _at(game: str, code: str, message: str, number: int | None, path: str) -> Illegal:
    """A fault in one round or turn."""
    if UNIT[game] == "turns":
        return Illegal(code, message, turn=number, path=path)
    return Illegal(code, message, round=number, path=path)
