"""The checker's verdict on one game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.illegal import Illegal
from engine.record.kind import AnswerPart, AnyKind, Ending
from engine.record.shape import Json

UNKNOWN: Final = Ending()
"""The end of a game that has a fault or isn't over."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The checker's verdict on one game.

    `record_id` and `kind` are None if they can't be read. `error` is the first fault, or None if
    the game is ok. `rounds` are the results of the rounds (turns) before the fault, or of all.
    `ending` is `UNKNOWN` for a game with a fault.
    """

    record_id: str | None
    kind: AnyKind | None = None
    error: Illegal | None = None
    rounds: Sequence[AnswerPart] = ()
    ending: Ending = UNKNOWN

    @property
    def ok(self) -> bool:
        """Return True if no fault was found."""
        return self.error is None

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        return self.ending.over

    @property
    def rank(self) -> tuple[int, ...] | None:
        """Return the finishing places in seat order, once the game is over."""
        return self.ending.rank

    @property
    def points(self) -> tuple[int, ...] | None:
        """Return the points by the ruleset's scoring in seat order, once the game is over."""
        return self.ending.points

    def as_json(self) -> dict[str, Json]:
        """Return the verdict as a JSON object, keys in the order of the record format."""
        answer: dict[str, Json] = {"id": self.record_id, "ok": self.ok}
        units = self.kind.units if self.kind else "rounds"
        rounds: Json = [result.as_json() for result in self.rounds]
        if self.error is not None:
            answer["error"] = dict(self.error.as_json())
            answer[units] = rounds
            return answer

        assert self.kind is not None
        for key in self.kind.answer:
            answer[key] = rounds if key == units else _part_json(getattr(self.ending, key))
        return answer


def _part_json(value: bool | Sequence[int | AnswerPart] | None) -> Json:
    if value is None or isinstance(value, bool):
        return value
    return [part if isinstance(part, int) else part.as_json() for part in value]
