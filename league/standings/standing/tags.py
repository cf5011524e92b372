"""The rows of a ranking's table: ranks, names, and figures that link to the games behind them.

A page has a hundred rows with a dozen links each. They are built here from escaped pieces, because
a template takes five times as long."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from league.core.player.tags import avatar
from league.standings.ranked_game.domain.gameline import SeatLine
from league.standings.ranking.models import Ranking
from league.standings.standing.queries.standing import TableRow
from league.templatetags.charts import sparkline
from league.templatetags.figures import figure, interval, only_end, rank_change, settling

register = template.Library()

OWN_ROW = ' class="mine" id="own"'
"""The attributes of the reader's own row."""


class ShownCells(NamedTuple):
    """The cells of a row of a ranking's table, as HTML, and the row's player, by public id. They
    are the same for all readers; a reader's own row is marked by `standing_rows`."""

    player: str
    html: str


@register.simple_tag
def standing_rows(rows: Iterable[ShownCells], own: str = "") -> SafeString:
    """Return rows of a ranking's table as a `tbody`: `{% standing_rows rows own %}`. `own`: the
    player whose row is the reader's own, by public id."""
    html = "\n".join(
        f"<tr data-key{OWN_ROW if row.player == own else ''}>{row.html}</tr>" for row in rows
    )
    return SafeString(f"<tbody>\n{html}\n</tbody>")


def row_cells(
    rows: Sequence[TableRow], ranking: Ranking, *, first_table: bool, up: str = ""
) -> list[ShownCells]:
    """Return the cells of rows of a ranking's table.

    `first_table`: no row had a rank before the last day of play; `up`: the relative address of the
    ranking's page."""
    return list(_html_cells(rows, rated=ranking.rated, first_table=first_table, up=up))


@register.filter
def names_but(seats: Iterable[SeatLine], player: str) -> str:
    """Return the names at a table without one player: `{{ game.seats|names_but:row.player }}` is
    “Ben, Cleo”."""
    return ", ".join(seat["name"] for seat in seats if seat["player"] != player)


def _html_cells(
    rows: Sequence[TableRow], *, rated: bool, first_table: bool, up: str
) -> Iterator[ShownCells]:
    games_label = gettext("Games")
    games = f'class="n aside" data-label="{escape(games_label)}"'
    wins = _folded_cell_attributes(gettext("Wins"))
    best = _folded_cell_attributes(gettext("Best"))
    per_game = _folded_cell_attributes(gettext("Per game"))
    average_rank = _folded_cell_attributes(gettext("Ø rank"))
    rating = _folded_cell_attributes(gettext("Rating"))
    for row in rows:
        url = escape(up + row.made_of)
        rating_cell = _rating(row, url, rating) if rated else ""
        arrow = "" if first_table else rank_change(row.climbed)
        html = (
            f'<td class="rank"><b>{figure(row.rank)}</b>{arrow}</td>'
            f'<th scope="row" class="main">{_name_cell(row, url)}</th>'
            f'<td {games}><a href="{url}">{figure(row.games)}</a>{only_end(row.only_end)}</td>'
            f'<td {wins}><a href="{url}?only=wins">{figure(row.wins)}</a></td>'
            f'<td class="n strong"><a href="{url}">{figure(row.points)}</a></td>'
            f'<td {per_game}><a href="{url}">{figure(row.per_game, 2)}</a></td>'
            f'<td {average_rank}><a href="{url}">{figure(row.average_rank, 2)}</a></td>'
            f'<td {best}><a href="{url}?only=best">{figure(row.best)}</a></td>'
            f"{rating_cell}"
        )
        yield ShownCells(row.player, html)


def _folded_cell_attributes(label: str) -> str:
    """Return the attributes of a cell that a phone shows under its label when the row is
    unfolded."""
    return f'class="n fold" data-label="{escape(label)}"'


def _name_cell(row: TableRow, url: str) -> str:
    name = f'<a class="row-link" href="{url}">{escape(row.name)}</a>'
    marks = f"{_deciding_tie_break(row)}{_penalty(row, url)}{_provisional(row)}"
    player = f'<span class="who">{avatar(row.handle)}<span>{name}{marks}</span></span>'
    return player + _unfold_button(row.name)


def _unfold_button(name: str) -> str:
    label = escape(gettext("More figures for %(name)s") % {"name": name})
    summary = f'<summary aria-label="{label}" title="{label}"></summary>'
    return f'<details class="unfold">{summary}</details>'


def _provisional(row: TableRow) -> str:
    if not row.provisional:
        return ""
    label = gettext("provisional")
    return f' <span class="pill pill-gold">{escape(label)}</span>'


def _penalty(row: TableRow, url: str) -> str:
    if not row.penalty:
        return ""
    label = gettext("−%(points)s penalty") % {"points": figure(row.penalty)}
    return f' <a class="pm" href="{url}">{escape(label)}</a>'


def _deciding_tie_break(row: TableRow) -> str:
    if not row.decided_by:
        return ""
    label = gettext("on %(criterion)s") % {"criterion": row.decided}
    return f' <span class="pm">{escape(label)}</span>'


def _rating(row: TableRow, url: str, attributes: str) -> str:
    figures = f'<a href="{url}#rating">{interval(row.mu, row.half, 1)}</a>'
    return f"<td {attributes}>{sparkline(row.recent)}{figures}{settling(row.settling)}</td>"
