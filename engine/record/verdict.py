"""All that the checker answers about one game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.illegal import Illegal
from engine.record.kind import AnswerPart, AnyKind, Ending
from engine.record.shape import Json

UNKNOWN: Final = Ending()
"""What a game has come to that has a fault, or isn't over."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The checker's answer about one game.

    `record_id` and `kind` are None where they can't be read. `error` is the first fault, or None;
    then the game is ok. `rounds`: what came of those before the fault, or of all (turns in a game
    that has turns). `ending` says nothing of a game with a fault."""

    record_id: str | None
    kind: AnyKind | None = None
    error: Illegal | None = None
    rounds: Sequence[AnswerPart] = ()
    ending: Ending = UNKNOWN

    @property
    def ok(self) -> bool:
        """True if no fault was found."""
        return self.error is None

    @property
    def over(self) -> bool:
        """True if the game has come to its end."""
        return self.ending.over

    @property
    def rank(self) -> tuple[int, ...] | None:
        """The finishing order in seat order, once the game is over."""
        return self.ending.rank

    @property
    def points(self) -> tuple[int, ...] | None:
        """The points by the ruleset's scoring in seat order, once the game is over."""
        return self.ending.points

    def as_json(self) -> dict[str, Json]:
        """The answer as a JSON object, keys in the order of the record format."""
        answer: dict[str, Json] = {"id": self.record_id, "ok": self.ok}
        units = self.kind.units if self.kind else "rounds"
        rounds: Json = [result.as_json() for result in self.rounds]
        if self.error is not None:
            return {**answer, "error": dict(self.error.as_json()), units: rounds}
        assert self.kind is not None
        return answer | {
            key: rounds if key == units else _part(getattr(self.ending, key))
            for key in self.kind.answer
        }


def _part(value: bool | Sequence[int | AnswerPart] | None) -> Json:
    """A part of the answer as JSON."""
    if value is None or isinstance(value, bool):
        return value
    return [part if isinstance(part, int) else part.as_json() for part in value]
