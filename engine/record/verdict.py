"""What the checker answers about one game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from engine.illegal import Illegal
from engine.record.shape import Json


class Report(Protocol):
    """What the checker tells about one round or one turn."""

    def as_json(self) -> dict[str, Json]:
        """The report as a JSON object, keys in the order of the record format."""


ANSWER: Final = {
    "bluff": ("over", "rank", "cntdice", "points", "rounds"),
    "luegen-kniffel": ("over", "rank", "totals", "bonus", "turns", "sheets"),
}
"""The keys of a good answer after `id` and `ok`, by game."""
UNIT: Final = {"bluff": "rounds", "luegen-kniffel": "turns"}
"""What a record is a list of, by game."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The checker's answer about one game.

    `id` is None where it can't be read. `error` is the first fault, or None; then the game is ok. `rank`,
    `points` and the other figures are in seat order, and None while the game isn't over. `rounds` (Bluff) or
    `turns` (Lügen-Kniffel) are those before the fault, or all. `points` are by the ruleset's scoring.
    """

    id: str | None
    game: str = "bluff"
    error: Illegal | None = None
    over: bool = False
    rank: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    rounds: Sequence[Report] = ()
    cntdice: tuple[int, ...] | None = None
    turns: Sequence[Report] = ()
    totals: tuple[int, ...] | None = None
    bonus: tuple[int, ...] | None = None
    sheets: Sequence[Report] = ()

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return self.error is None

    def as_json(self) -> dict[str, Json]:
        """The answer as a JSON object, keys in the order of the record format."""
        answer: dict[str, Json] = {"id": self.id, "ok": self.ok}
        if self.error is not None:
            unit = UNIT[self.game]
            return {**answer, "error": dict(self.error.as_json()), unit: self._part(unit)}
        return answer | {key: self._part(key) for key in ANSWER[self.game]}

    def _part(self, key: str) -> Json:
        if key == "over":
            return self.over
        if key in ("rounds", "turns", "sheets"):
            reports: Sequence[Report] = getattr(self, key)
            return [report.as_json() for report in reports]
        figures: tuple[int, ...] | None = getattr(self, key)
        return None if figures is None else list(figures)
