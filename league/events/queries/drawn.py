"""The next round of a group, drawn from a stage's facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.illegal import Illegal
from engine.pairing.bracket import BracketInput
from engine.pairing.bracket_file import bracket_input_json, bracket_round_json
from engine.pairing.draw_file import write_answer, write_draw
from engine.pairing.draw_input import DrawInput
from engine.record.canonical import canonical_json
from league.events.queries.draw import Pair, bracket_input, draw_input, next_of_bracket
from league.events.queries.stage import StageFacts

KEPT: Final = 32
"""So many of the latest draws a process keeps."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a draw came to: its file, its answer, and the tables as ids of entries, with a label each."""

    input: str
    answer: str
    tables: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]


def drawn_next(facts: StageFacts, group: int, apart: Sequence[Pair]) -> Drawn | Illegal:
    """The next round of a group: the same whenever and wherever it is drawn from the same facts."""
    if facts.stage.knock_out:
        return drawn_from_bracket(bracket_input(facts, group))
    return drawn_from_input(draw_input(facts, group, apart))


@lru_cache(maxsize=KEPT)
def drawn_from_input(input: DrawInput) -> Drawn | Illegal:
    """What a draw file comes to, always the same. After a correction every page asks again what it would be."""
    from engine.pairing.draw import draw  # NumPy and rustworkx: for the job that draws

    answer = draw(input)
    if isinstance(answer, Illegal):
        return answer
    labels = ("",) * len(answer.tables)
    return Drawn(write_draw(input).decode(), write_answer(answer).decode(), answer.tables, labels)


def drawn_from_bracket(given: BracketInput) -> Drawn | Illegal:
    """The next tables of a knock-out."""
    given, drawn = next_of_bracket(given)
    if isinstance(drawn, Illegal):
        return drawn
    return Drawn(
        canonical_json(bracket_input_json(given)).decode(),
        canonical_json(bracket_round_json(drawn)).decode(),
        tuple(table.ids for table in drawn.tables),
        tuple(table.label for table in drawn.tables),
    )
