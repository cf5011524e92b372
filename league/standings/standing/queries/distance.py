"""The reason for a rank in sentences: distances to the rows around it, and the effect of a win."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

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
    """A win in the next game: the points it would bring, and the rank it would lead to if nobody
    else played."""

    points: int
    rank: int


def tally_of(row: TableRow) -> Tally:
    """Return the figures of a row as the engine's tally."""
    return Tally(row.games, row.wins, row.points, row.rank_sum, row.best)


def key_with_win(row: TableRow, points: int, order: Sequence[Criterion]) -> SortKey:
    """Return the key that a row would have after a win with these points."""
    return sort_key(tally_of(row) + tally_of_game(1, points), order)


def distances(
    row: TableRow,
    above: TableRow | None,
    below: TableRow | None,
    win: Win | None,
    order: Sequence[Criterion],
) -> list[str]:
    """Return sentences on how far a row is behind the one `above` and ahead of the one `below`, and
    on what a win would change. None leaves a sentence out, or means that no row is above."""
    sentences = []
    if above is None:
        sentences.append(gettext("Nobody is ahead."))
    else:
        sentences.append(_distance_sentence(row, above, order, behind=True))
    if below is not None:
        sentences.append(_distance_sentence(row, below, order, behind=False))
    if win is not None:
        sentences.append(_win_sentence(row, win))
    return sentences


def _distance_sentence(
    row: TableRow, neighbour: TableRow, order: Sequence[Criterion], *, behind: bool
) -> str:
    values: dict[str, Any] = {"name": neighbour.name, "rank": neighbour.rank}
    key = sort_key(tally_of(row), order)
    neighbour_key = sort_key(tally_of(neighbour), order)
    differing = [name for place, name in enumerate(order) if key[place] != neighbour_key[place]]
    if not differing:
        return gettext("Shares the rank with %(name)s: level on everything that counts.") % values
    decisive = differing[0]
    if decisive == order[0] == Criterion.POINTS:
        gap = abs(row.points - neighbour.points)
        return _points_apart_template(gap, behind=behind) % {**values, "gap": figure(gap)}
    if behind:
        text = gettext("Behind %(name)s (rank %(rank)d) on %(label)s: %(mine)s to %(theirs)s.")
    else:
        text = gettext("Ahead of %(name)s (rank %(rank)d) on %(label)s: %(mine)s to %(theirs)s.")
    figure_of = FIGURES[decisive]
    values["label"] = TieBreak(decisive).label
    return text % {**values, "mine": figure_of(row), "theirs": figure_of(neighbour)}


def _points_apart_template(gap: int, *, behind: bool) -> str:
    if behind:
        return ngettext(
            "%(gap)s point behind %(name)s (rank %(rank)d).",
            "%(gap)s points behind %(name)s (rank %(rank)d).",
            gap,
        )
    return ngettext(
        "%(gap)s point ahead of %(name)s (rank %(rank)d).",
        "%(gap)s points ahead of %(name)s (rank %(rank)d).",
        gap,
    )


def _win_sentence(row: TableRow, win: Win) -> str:
    values = {"points": figure(win.points), "rank": win.rank}
    if win.rank < row.rank:
        text = gettext(
            "A win worth as much as the last game’s (%(points)s) would lead to rank %(rank)d, if "
            "nobody else plays in the meantime."
        )
    else:
        text = gettext(
            "A win worth as much as the last game’s (%(points)s) would leave the rank unchanged."
        )
    return text % values
