"""A ranking, whoever owns it: its table on the screen, on paper and as CSV, its games, and their heads."""

from __future__ import annotations

import csv
from collections.abc import Callable

from django.core.paginator import Paginator
from django.db.models import Exists
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from engine.rating.ranking import COLUMNS, RankingRow, plain_text
from engine.rating.rating import Rating
from engine.scoring.standings import Criterion, Standing
from engine.scoring.tally import Tally
from league.frame.unchanged import unless_unchanged
from league.rankings.live import live_url
from league.rankings.models import TieBreak
from league.rankings.queries.access import board_for
from league.rankings.queries.board import Board
from league.rankings.queries.gameline import GameLine, latest_first, latest_games, line_rows
from league.rankings.queries.listing import seats_of_player
from league.rankings.queries.ranking import events_of, heads_of, players_in
from league.rankings.queries.standing import TableRow, table_rows
from league.rankings.web.viewer import PageContext, club_page, or_404, viewer_of
from league.templatetags.figures import figure

LATEST_GAMES = 6
GAMES_PER_PAGE = 25
SORTS: dict[str, Callable[[TableRow], float | str | None]] = {
    "rank": lambda row: row.rank,
    "name": lambda row: row.name.casefold(),
    "games": lambda row: row.games,
    "wins": lambda row: row.wins,
    "points": lambda row: row.points,
    "per_game": lambda row: row.per_game,
    "average_rank": lambda row: row.average_rank,
    "best": lambda row: row.best,
    "rating": lambda row: row.mu,
}
# Beside what the records alone tell: the name on the pages.
CSV_HEAD = (*COLUMNS[: COLUMNS.index("handle") + 1], "name", *COLUMNS[COLUMNS.index("handle") + 1 :])


@require_safe
def ranking_page(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """A ranking's page: `?q=` searches the table, `?sort=points` or `?sort=-points` sorts it."""
    board = or_404(board_for, viewer_of(request), club, slug)
    return unless_unchanged(request, board.versions, lambda: _table(request, board))


def _table(request: HttpRequest, board: Board) -> HttpResponse:
    ranking = board.ranking
    rows = table_rows(ranking)
    words = request.GET.get("q", "").casefold().split()
    sort = request.GET.get("sort", "rank")
    if sort.removeprefix("-") not in SORTS:
        sort = "rank"
    shown = [row for row in rows if all(word in f"{row.name} {row.handle}".casefold() for word in words)]
    context = {
        **shared(board),
        "progress": board.progress,
        "rows": _sorted(shown, sort),
        "podium": [] if words else _podium(rows),
        "player_count": len(rows),
        "first_table": all(row.rank_before is None for row in rows),
        "tie_breaks": [TieBreak(tie_break).label for tie_break in ranking.tie_breaks],
        "latest": latest_games(latest_first(ranking.ranked_games.all()), LATEST_GAMES),
        "sort": sort,
        "q": request.GET.get("q", ""),
        "can_import": board.season is not None and request.user.has_perm("league.import_games", board.club),
        "can_compare": request.user.has_perm("league.compare_styles", board.club),
        "import_url": reverse("import", args=[board.club.slug, board.slug]),
        "live_url": live_url(ranking.pk, ranking.version),
        "crumbs": crumbs(board)[:-1],
    }
    return club_page(request, board.club, "league/season/season.html", context)


def shared(board: Board) -> PageContext:
    """What every page of a ranking needs."""
    return {"board": board, "ranking": board.ranking, "season": board.season}


def crumbs(board: Board) -> list[tuple[str, str]]:
    """The way to a ranking's page, which is its end."""
    club = board.club.slug
    return [(board.club.name, reverse("club", args=[club])), (board.name, reverse("season", args=[club, board.slug]))]


def _sorted(rows: list[TableRow], sort: str) -> list[TableRow]:
    """The rows by one column, equal ones by rank, those without a figure last."""
    key, down = SORTS[sort.removeprefix("-")], sort.startswith("-")
    with_figure = [row for row in rows if key(row) is not None]
    without = [row for row in rows if key(row) is None]
    return sorted(with_figure, key=lambda row: key(row) or 0, reverse=down) + without


def _podium(rows: list[TableRow]) -> list[PageContext]:
    """The first three for `components/podium.html`, if there are three who lead the others."""
    if len(rows) < 3 or (len(rows) > 3 and rows[3].rank == rows[2].rank):
        return []
    return [
        {
            "rank": row.rank,
            "name": row.name,
            "handle": row.handle,
            "value": figure(row.points),
            "note": ngettext("%(count)d win", "%(count)d wins", row.wins) % {"count": row.wins},
            "url": row.made_of,
        }
        for row in rows[:3]
    ]


@require_safe
def ranking_csv(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """The table as CSV in UTF-8, numbers with a decimal point."""
    board = or_404(board_for, viewer_of(request), club, slug)
    return unless_unchanged(request, board.versions, lambda: _csv(board))


def _csv(board: Board) -> HttpResponse:
    name = f"{board.club.slug}-{board.slug}.csv"
    response = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    writer = csv.DictWriter(response, CSV_HEAD)
    writer.writeheader()
    writer.writerows(_as_published(row).cells() | {"name": plain_text(row.name)} for row in table_rows(board.ranking))
    return response


def _as_published(row: TableRow) -> RankingRow:
    """A row as anybody can compute it from the games' export."""
    tally = Tally(row.games, row.wins, row.points, row.rank_sum, row.best)
    decided_by = Criterion(row.decided_by) if row.decided_by else None
    rating = None if row.mu is None or row.sigma is None else Rating(row.mu, row.sigma)
    return RankingRow(Standing(row.rank, row.handle, tally, decided_by), row.rank_before, rating)


@require_safe
def ranking_heads(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """The head of each game as text, a line `<head> <record's id>` each, as `python -m engine verify --heads` reads."""
    board = or_404(board_for, viewer_of(request), club, slug)
    return unless_unchanged(request, board.versions, lambda: _heads(board))


def _heads(board: Board) -> HttpResponse:
    lines = [f"{bytes(head).hex()} {record}\n" for head, record, _ in heads_of(board.ranking)]
    return HttpResponse(lines, content_type="text/plain; charset=utf-8")


@require_safe
def ranking_games(request: HttpRequest, club: str, slug: str) -> HttpResponse:
    """All games of a ranking, the latest first: `?player=<public id>`, `?event=<slug>`, `?page=`."""
    board = or_404(board_for, viewer_of(request), club, slug)
    return unless_unchanged(request, board.versions, lambda: _games(request, board))


def _games(request: HttpRequest, board: Board) -> HttpResponse:
    player, event = request.GET.get("player", ""), request.GET.get("event", "")
    players, events = list(players_in(board.ranking)), events_of(board.ranking)
    games = latest_first(board.ranking.ranked_games.all())
    if player:
        known = any(player == one.public_id for one in players)
        games = games.filter(Exists(seats_of_player(player))) if known else games.none()
    if event:
        games = games.filter(game__event=event) if event in events else games.none()
    page = Paginator(line_rows(games), GAMES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        **shared(board),
        "page": page,
        "games": [GameLine.of(row) for row in page],
        "players": players,
        "events": events,
        "player": player,
        "event": event,
        "crumbs": crumbs(board),
    }
    return club_page(request, board.club, "league/season/games.html", context)
