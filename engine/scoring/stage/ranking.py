"""The ranking of a stage or a group, with what separates every two neighbours."""

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
    """A row of a stage's ranking.

    `score`: the points in 840ths, including those carried over, less the penalties; it can be below
    0. `figures`: the figure of each of the stage's tie-breaks, in order; None where it doesn't
    apply. `record`: the score of each round. `separation`: what put the row behind the one above
    it; None for the first row, and if both share the rank.
    """

    rank: int
    participant: StageParticipant
    rules: StageRules
    score: int
    figures: Mapping[StageTieBreak, Figure | None]
    record: tuple[RoundScore, ...]
    separation: Separation | None

    @property
    def points(self) -> Fraction:
        """Return the score as points: an exact fraction, including those carried over."""
        return Fraction(self.score, PARTS)

    @property
    def penalty(self) -> Fraction:
        """Return the points that penalties deduct."""
        return Fraction(sum([score.penalty for score in self.record]), PARTS)

    @property
    def unknown(self) -> int:
        """Return the number of the player's finished games whose points aren't known yet."""
        return sum([score.unknown for score in self.record])


def stage_ranking(results: StageResults) -> tuple[StageRow, ...]:
    """Return the ranking of a stage whose results are valid, the best row first.

    Players who share a rank are sorted by seeding, then by id. Withdrawn players keep the rank of
    their points; those who withdrew before they finished a table aren't ranked.
    """
    book = scorebook(results)
    ranked: dict[str, StageParticipant] = {}
    scores: dict[str, int] = {}
    for participant in results.participants:
        player_id = participant.player_id
        if not participant.withdrawn or _has_played(book.records[player_id]):
            ranked[player_id] = participant
            carried = int(participant.carried * PARTS)
            scores[player_id] = carried + book.won[player_id] - book.penalties[player_id]

    def by_seeding(player_id: str) -> tuple[int, str]:
        return ranked[player_id].seeding or -NOWHERE, natural(player_id)

    comparison = _Comparison(book, scores)
    in_order = comparison.in_order(sorted(ranked, key=by_seeding))
    rows: list[StageRow] = []
    for place, (player_id, separation) in enumerate(in_order, start=1):
        rank = rows[-1].rank if rows and separation is None else place
        figures = {
            tie_break: comparison.figures[tie_break].get(player_id)
            for tie_break in results.rules.tie_breaks
        }
        row = StageRow(
            rank=rank,
            participant=ranked[player_id],
            rules=results.rules,
            score=scores[player_id],
            figures=figures,
            record=book.records[player_id],
            separation=separation,
        )
        rows.append(row)
    return tuple(rows)


def _has_played(record: Sequence[RoundScore]) -> bool:
    return any(score.place is not None or score.unknown for score in record)


class _Comparison:
    """The players of a ranking, compared by points and then by one tie-break after the other.

    `scores`: the points of each player. `figures`: by tie-break, what it compares for each player
    (a `Figure`, larger is better). What head-to-head compares depends on who else is tied;
    `figures` has that of the first comparison.
    """

    def __init__(self, book: Scorebook, scores: Mapping[str, int]) -> None:
        self.book = book
        self.scores = scores
        # None stands for the points.
        self.steps = (None, *book.rules.tie_breaks)
        self.figures: dict[StageTieBreak, dict[str, Figure]] = {}
        for name in book.rules.tie_breaks:
            figure = TIE_BREAKS[name].figure
            self.figures[name] = {}
            if figure is not None:
                self.figures[name] = {player_id: figure(book, player_id) for player_id in scores}

    def in_order(
        self, tied: Sequence[str], step: int = 0, separation: Separation | None = None
    ) -> Iterator[tuple[str, Separation | None]]:
        """Yield players who are equal before a step, sorted by this step and the later ones.

        Each player comes with what puts them behind the player before; `separation` is that of the
        first player. Players who stay equal keep the order of `tied`. `step`: an index of `steps`.
        """
        if len(tied) == 1 or step == len(self.steps):
            yield from zip(tied, chain([separation], repeat(None)), strict=False)
            return
        by = self.steps[step]
        figures = self._figures_at_step(by, tied)
        parts = _split_by_figure(tied, figures)
        # Head-to-head is compared again among the players who are still tied: its figures differ
        # if there are fewer of them.
        depends_on_tied = by is not None and TIE_BREAKS[by].figure_among is not None
        is_repeated = depends_on_tied and len(parts) > 1
        next_step = step if is_repeated else step + 1
        for number, part in enumerate(parts):
            if number:
                above = parts[number - 1][0]
                separation = self._separation(by, above, part[0], figures, tied)
            yield from self.in_order(part, next_step, separation)

    def _figures_at_step(self, by: StageTieBreak | None, tied: Sequence[str]) -> Figures:
        """Return the figures of tied players by a tie-break (None: by points); empty if the
        tie-break doesn't apply to them."""
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
        if by is None or TIE_BREAKS[by].figure_among is None:
            return Separation(by, figures[above], figures[below])
        names = tuple([self.book.names[player_id] for player_id in tied])
        met = meetings(self.book, above, below) if len(tied) == 2 else ()
        return Separation(by, figures[above], figures[below], names, met)


def _split_by_figure(tied: Sequence[str], figures: Figures) -> list[list[str]]:
    if not figures:
        return [list(tied)]
    parts = lists_by_key((figures[player_id], player_id) for player_id in tied)
    return [parts[figure] for figure in sorted(parts, reverse=True)]


def tables_unknown(results: StageResults) -> int:
    """Count the tables with a finished game whose points aren't known yet."""
    return sum(
        [
            any(not tells_points(results.rules, game) for game in table.games)
            for table in results.tables
        ]
    )


def draw_scores(rows: Sequence[StageRow]) -> dict[str, int]:
    """Return the scores for the draw of the next round, by id.

    The scores are the smallest whole numbers with the proportions of the players' points. If a
    penalty took a player below 0, all scores are counted from the lowest one.
    """
    lowest = min([0, *[row.score for row in rows]])
    divisor = gcd(*[row.score - lowest for row in rows]) or 1
    return {row.participant.player_id: (row.score - lowest) // divisor for row in rows}
