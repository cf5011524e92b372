"""The reason for a rank, told by distances: how far a row is from its neighbours, and what a win
would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext, ngettext

from engine.scoring.standings import Criterion, SortKey, sort_key
from engine.scoring.tally import Tally, tally_of_game
from league.standings.ranking.models import TieBreak
from league.standings.standing.queries.standing import TableRow
from league.templatetags.figures import figure

FIGURES: Final[dict[Criterion, Callable[[TableRow], str]]] = {
    Criterion.POINTS: lambda row: figure(row.points),
    Criterion.WINS: lambda row: figure(row.wins),
    Criterion.POINTS_PER_GAME: lambda row: figure(row.per_game, 2),
    Criterion.AVERAGE_RANK: lambda row: figure(row.average_rank, 2),
    Criterion.BEST_GAME: lambda row: figure(row.best),
    Criterion.GAMES: lambda row: figure(row.games),
}
"""The figure that each criterion compares, as the table shows it."""


class Win(NamedTuple):
    """A next game that is won: the points that it would bring, and the rank that it would lead to
    if nobody else played."""

    points: int
    rank: int


def tally_of(row: TableRow) -> Tally:
    """The tally that a row shows."""
    return Tally(row.games, row.wins, row.points, row.rank_sum, row.best)


def key_with_win(row: TableRow, points: int, order: Sequence[Criterion]) -> SortKey:
    """The key that a row would have after a win with so many points."""
    return sort_key(tally_of(row) + tally_of_game(1, points), order)


def distances(
    row: TableRow,
    above: TableRow | None,
    below: TableRow | None,
    win: Win | None,
    order: Sequence[Criterion],
) -> list[str]:
    """Tell by how much a row is behind the one above it and ahead of the one below, and what a win
    would do."""
    sentences = []
    if above is None:
        sentences.append(gettext("Nobody is ahead."))
    else:
        sentences.append(_apart(row, above, order, behind=True))
    if below is not None:
        sentences.append(_apart(row, below, order, behind=False))
    if win is not None:
        sentences.append(_win(row, win))
    return sentences


def _apart(row: TableRow, neighbour: TableRow, order: Sequence[Criterion], *, behind: bool) -> str:
    """The distance from a neighbour: in points where they decide, else by the tie-break that
    does."""
    names = {"name": neighbour.name, "rank": neighbour.rank}
    key, neighbour_key = sort_key(tally_of(row), order), sort_key(tally_of(neighbour), order)
    decisive = next(
        (name for place, name in enumerate(order) if key[place] != neighbour_key[place]), None
    )
    if decisive is None:
        return gettext("Shares the rank with %(name)s: level in all that counts.") % names
    if decisive == order[0] == Criterion.POINTS:
        gap = abs(row.points - neighbour.points)
        if behind:
            text = ngettext(
                "%(gap)s point behind %(name)s (rank %(rank)d).",
                "%(gap)s points behind %(name)s (rank %(rank)d).",
                gap,
            )
        else:
            text = ngettext(
                "%(gap)s point ahead of %(name)s (rank %(rank)d).",
                "%(gap)s points ahead of %(name)s (rank %(rank)d).",
                gap,
            )
        return text % {**names, "gap": figure(gap)}
    text = (
        gettext("Behind %(name)s (rank %(rank)d) by %(label)s: %(mine)s against %(theirs)s.")
        if behind
        else gettext("Ahead of %(name)s (rank %(rank)d) by %(label)s: %(mine)s against %(theirs)s.")
    )
    figure_of = FIGURES[decisive]
    figures = {"mine": figure_of(row), "theirs": figure_of(neighbour)}
    return text % {**names, "label": TieBreak(decisive).label, **figures}


def _win(row: TableRow, win: Win) -> str:
    """The effect of a win, where nobody else plays meanwhile."""
    points = {"points": figure(win.points), "rank": win.rank}
    if win.rank < row.rank:
        text = gettext(
            "A win that brings as much as the last game brought its winner (%(points)s) would "
            "lead to rank %(rank)d, if"
            " nobody else plays meanwhile."
        )
    else:
        text = gettext(
            "A win that brings as much as the last game brought its winner (%(points)s) would "
            "leave the rank as it is."
        )
    return text % points
