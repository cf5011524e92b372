"""The difference that puts one row of a ranking behind another: the tie-break, and its figures."""

from typing import NamedTuple

from engine.scoring.stage.rules import StageTieBreak
from engine.scoring.stage.tie_breaks import Figure, Meeting


class Separation(NamedTuple):
    """The step of a ranking that put a row behind the row above it.

    `by`: the tie-break, None for the points. `above`, `below`: their figures (points in 840ths).
    `among`: for head-to-head, the names of all tied players; `met`: the common tables of the two if
    only they were tied.
    """

    by: StageTieBreak | None
    above: Figure
    below: Figure
    among: tuple[str, ...] = ()
    met: tuple[Meeting, ...] = ()
