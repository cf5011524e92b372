"""The ranking of a stage or of one of its groups: a pure fold that knows what separates every two
neighbours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, repeat
from math import gcd

from engine.grouping import lists_by_key
from engine.scoring.natural import natural
from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.results import PARTS, StageParticipant, StageResults
from engine.scoring.stage.rules import StageRules, StageTieBreak
from engine.scoring.stage.scorebook import RoundScore, Scorebook, scorebook
from engine.scoring.stage.separation import Separation
from engine.scoring.stage.table_points import tells_points
from engine.scoring.stage.tie_breaks import NOWHERE, Figure, Figures, meetings


@dataclass(frozen=True, slots=True)
class StageRow:
    """One row of a stage's ranking.

    `score`: the points in 840ths, with those carried over and less the penalties; it can be below
    0. `figures`: of every tie-break of the stage in its order; None where it doesn't apply.
    `record`: what each round brought. `separation`: what put the row behind the one above it; None
    for the first row, and where both share the rank."""

    rank: int
    participant: StageParticipant
    rules: StageRules
    score: int
    figures: Mapping[StageTieBreak, Figure | None]
    record: tuple[RoundScore, ...]
    separation: Separation | None

    @property
    def points(self) -> Fraction:
        """The score as points: an exact fraction, those carried over included."""
        return Fraction(self.score, PARTS)

    @property
    def penalty(self) -> Fraction:
        """The points that penalties take off."""
        return Fraction(sum([score.penalty for score in self.record]), PARTS)

    @property
    def unknown(self) -> int:
        """The number of games that the player finished, and whose points aren't known yet."""
        return sum([score.unknown for score in self.record])


def stage_ranking(results: StageResults) -> tuple[StageRow, ...]:
    """The ranking of a stage without fault, the best row first; who shares a rank stands by
    seeding, then by id.

    Who withdrew keeps the rank that the points give; who withdrew before a table was over isn't
    ranked."""
    book = scorebook(results)
    ranked = {
        participant.player_id: participant
        for participant in results.participants
        if not participant.withdrawn or _has_played(book.records[participant.player_id])
    }
    order = sorted(
        ranked, key=lambda player_id: (ranked[player_id].seeding or -NOWHERE, natural(player_id))
    )
    comparison = _Comparison(
        book,
        {
            player_id: int(participant.carried * PARTS)
            + book.won[player_id]
            - book.penalties[player_id]
            for player_id, participant in ranked.items()
        },
    )
    rows: list[StageRow] = []
    for place, (player_id, separation) in enumerate(comparison.in_order(order), start=1):
        rank = rows[-1].rank if rows and separation is None else place
        figures = {
            tie_break: comparison.figures[tie_break].get(player_id)
            for tie_break in results.rules.tie_breaks
        }
        score, record = comparison.scores[player_id], book.records[player_id]
        rows.append(
            StageRow(rank, ranked[player_id], results.rules, score, figures, record, separation)
        )
    return tuple(rows)


def _has_played(record: Sequence[RoundScore]) -> bool:
    return any(score.place is not None or score.unknown for score in record)


class _Comparison:
    """The players of a ranking, compared by points and then by one tie-break after the other.

    `figures`: of each tie-break by player; those of head-to-head are of the first time that
    somebody was compared."""

    def __init__(self, book: Scorebook, scores: Mapping[str, int]) -> None:
        self.book = book
        self.scores = scores
        self.steps = (None, *book.rules.tie_breaks)
        self.figures: dict[StageTieBreak, dict[str, Figure]] = {
            name: {player_id: figure(book, player_id) for player_id in scores}
            if (figure := TIE_BREAKS[name].figure)
            else {}
            for name in book.rules.tie_breaks
        }

    def in_order(
        self, tied: Sequence[str], step: int = 0, separation: Separation | None = None
    ) -> Iterator[tuple[str, Separation | None]]:
        """Those who were equal before a step, in the order that it and the later ones make, each
        with what puts it behind the one before; `separation` is that of the first one. Who stays
        equal is left in the order given."""
        if len(tied) == 1 or step == len(self.steps):
            yield from zip(tied, chain([separation], repeat(None)), strict=False)
            return
        by = self.steps[step]
        figures = self._compared(by, tied)
        parts = _parts(tied, figures)
        again = by is not None and TIE_BREAKS[by].figure_among is not None and len(parts) > 1
        for above, part in zip([None, *parts], parts, strict=False):
            if above is not None:
                separation = self._separation(by, above[0], part[0], figures, tied)
            yield from self.in_order(part, step if again else step + 1, separation)

    def _compared(self, by: StageTieBreak | None, tied: Sequence[str]) -> Figures:
        """The figures that a step compares; none where it doesn't apply to those who are tied."""
        if by is None:
            return self.scores
        figure_among = TIE_BREAKS[by].figure_among
        if figure_among is None:
            return self.figures[by]
        figures = figure_among(self.book, tied) or {}
        for player_id, figure in figures.items():
            self.figures[by].setdefault(player_id, figure)
        return figures

    def _separation(
        self,
        by: StageTieBreak | None,
        above: str,
        below: str,
        figures: Figures,
        tied: Sequence[str],
    ) -> Separation:
        """The reason why one of those who were tied is above the other."""
        if by is None or TIE_BREAKS[by].figure_among is None:
            return Separation(by, figures[above], figures[below])
        names = tuple([self.book.names[player_id] for player_id in tied])
        met = meetings(self.book, above, below) if len(tied) == 2 else ()
        return Separation(by, figures[above], figures[below], names, met)


def _parts(tied: Sequence[str], figures: Figures) -> list[list[str]]:
    """Those who are tied, parted by their figures, the best part first; one part if there are no
    figures."""
    if not figures:
        return [list(tied)]
    parts = lists_by_key((figures[player_id], player_id) for player_id in tied)
    return [parts[figure] for figure in sorted(parts, reverse=True)]


def tables_unknown(results: StageResults) -> int:
    """Count the tables with a game that is over, and whose points aren't known yet."""
    return sum(
        [
            any(not tells_points(results.rules, game) for game in table.games)
            for table in results.tables
        ]
    )


def draw_scores(rows: Sequence[StageRow]) -> dict[str, int]:
    """The scores by which the next round is drawn, by id: whole numbers as small as keep all
    proportions. Where a penalty took somebody below 0, all are counted from the least one."""
    least = min([0, *[row.score for row in rows]])
    common = gcd(*[row.score - least for row in rows]) or 1
    return {row.participant.player_id: (row.score - least) // common for row in rows}
