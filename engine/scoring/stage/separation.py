"""The difference that puts one row of a ranking behind another: by which tie-break, and with which
figures."""

from typing import NamedTuple

from engine.scoring.stage.rules import StageTieBreak
from engine.scoring.stage.tie_breaks import Figure, Meeting


class Separation(NamedTuple):
    """The step of a ranking that put one row behind the row above it.

    `by`: the tie-break, None for the points alone. `above`, `below`: what the two of them have
    there (points in 840ths). `among`: for head-to-head, the names of all who were tied; `met`: the
    common tables of the two if it was only they."""

    by: StageTieBreak | None
    above: Figure
    below: Figure
    among: tuple[str, ...] = ()
    met: tuple[Meeting, ...] = ()
