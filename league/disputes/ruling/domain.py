"""What an arbiter decides, and what a ruling states beside that."""

from __future__ import annotations

from dataclasses import dataclass

from league.disputes.ruling.models import Ruling


@dataclass(frozen=True, slots=True)
class Decision:
    """What an arbiter decides about a game: a verb, and what that verb asks for.

    `line`: the record of a corrected game. The others are those of a `Ruling`.
    """

    verb: Ruling.Verb
    seat: int | None = None
    points: int | None = None
    ranks: tuple[int, ...] | None = None
    round_number: int | None = None
    line: bytes | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a ruling states beside the decision: the facts found, the number of the rule (empty for none), the reason,
    and the seats to which the arbiter is close."""

    findings: str
    reason: str
    rule: str = ""
    close_to: tuple[int, ...] = ()
