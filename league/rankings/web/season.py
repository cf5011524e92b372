"""A season: its table on the screen, on paper and as CSV, and its games."""

from __future__ import annotations

import csv
from collections.abc import Callable

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from engine.rating.ranking import COLUMNS, RankingRow, plain_text
from engine.rating.rating import Rating
from engine.scoring.standings import Criterion, Standing
from engine.scoring.tally import Tally
from league.rankings.live import live_url
from league.rankings.models import Season, TieBreak
from league.rankings.queries.access import season_for
from league.rankings.queries.gameline import GameLine, latest_games, line_rows, listed_games
from league.rankings.queries.season import events_of, players_in
from league.rankings.queries.standing import TableRow, table_rows
from league.rankings.web.viewer import club_page, or_404, unless_unchanged, viewer_of
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
def season_page(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """The season's page: `?q=` searches the table, `?sort=points` or `?sort=-points` sorts it."""
    found = or_404(season_for, viewer_of(request), club, season)
    return unless_unchanged(request, found, lambda: _season(request, found))


def _season(request: HttpRequest, season: Season) -> HttpResponse:
    rows = table_rows(season)
    words = request.GET.get("q", "").casefold().split()
    sort = request.GET.get("sort", "rank")
    if sort.removeprefix("-") not in SORTS:
        sort = "rank"
    shown = [row for row in rows if all(word in f"{row.name} {row.handle}".casefold() for word in words)]
    context = {
        "season": season,
        "rows": _sorted(shown, sort),
        "podium": [] if words else _podium(rows),
        "player_count": len(rows),
        "first_table": all(row.rank_before is None for row in rows),
        "tie_breaks": [TieBreak(tie_break).label for tie_break in season.tie_breaks],
        "latest": latest_games([season], LATEST_GAMES),
        "sort": sort,
        "q": request.GET.get("q", ""),
        "can_import": request.user.has_perm("league.import_games", season.club),
        "import_url": reverse("import", args=[season.club.slug, season.slug]),
        "live_url": live_url(season.pk, season.version),
        "crumbs": [(season.club.name, reverse("club", args=[season.club.slug]))],
    }
    return club_page(request, season.club, "league/season/season.html", context)


def _sorted(rows: list[TableRow], sort: str) -> list[TableRow]:
    """The rows by one column, equal ones by rank, those without a figure last."""
    key, down = SORTS[sort.removeprefix("-")], sort.startswith("-")
    with_figure = [row for row in rows if key(row) is not None]
    without = [row for row in rows if key(row) is None]
    return sorted(with_figure, key=lambda row: key(row) or 0, reverse=down) + without


def _podium(rows: list[TableRow]) -> list[dict[str, object]]:
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
def season_table(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """The table as CSV in UTF-8, numbers with a decimal point."""
    found = or_404(season_for, viewer_of(request), club, season)
    return unless_unchanged(request, found, lambda: _csv(found))


def _csv(season: Season) -> HttpResponse:
    name = f"{season.club.slug}-{season.slug}.csv"
    response = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    writer = csv.DictWriter(response, CSV_HEAD)
    writer.writeheader()
    writer.writerows(_as_published(row).cells() | {"name": plain_text(row.name)} for row in table_rows(season))
    return response


def _as_published(row: TableRow) -> RankingRow:
    """A row as anybody can compute it from the season's export."""
    tally = Tally(row.games, row.wins, row.points, row.rank_sum, row.best)
    decided_by = Criterion(row.decided_by) if row.decided_by else None
    rating = None if row.mu is None or row.sigma is None else Rating(row.mu, row.sigma)
    return RankingRow(Standing(row.rank, row.handle, tally, decided_by), row.rank_before, rating)


@require_safe
def season_games(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """All games of the season, the latest first: `?player=<id>`, `?event=<slug>`, `?page=`."""
    found = or_404(season_for, viewer_of(request), club, season)
    player, event = request.GET.get("player", ""), request.GET.get("event", "")
    players, events = list(players_in(found)), events_of(found)
    games = listed_games([found])
    if player:
        chosen = [one.pk for one in players if str(one.pk) == player]
        games = games.filter(appearances__player__in=chosen)
    if event:
        games = games.filter(game__event__in=[one for one in events if one == event])
    page = Paginator(line_rows(games), GAMES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "season": found,
        "page": page,
        "games": [GameLine.of(row) for row in page],
        "players": players,
        "events": events,
        "player": player,
        "event": event,
        "crumbs": [
            (found.club.name, reverse("club", args=[found.club.slug])),
            (found.name, reverse("season", args=[found.club.slug, found.slug])),
        ],
    }
    return club_page(request, found.club, "league/season/games.html", context)
