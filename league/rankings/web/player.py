"""A player: figures, rating, results, rivals."""

from __future__ import annotations

from datetime import date

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from engine.interval import of_belief
from league.clubs.models import Player
from league.clubs.queries.access import Viewer
from league.rankings.queries.access import player_for, visible_seasons
from league.rankings.queries.gameline import GameLine, line_rows, listed_games
from league.rankings.queries.player import Moment, PlayerSeason, averages_of, history_of, rivals_of, seasons_of
from league.rankings.queries.style import style_of
from league.rankings.web.viewer import club_page, or_404, viewer_of
from league.templatetags.charts import Mark
from league.templatetags.figures import figure, percent

RESULTS_PER_PAGE = 15
RIVALS = 12


@require_safe
def player_page(request: HttpRequest, player: int) -> HttpResponse:
    """A player. `?season=<slug>` chooses the season of figures and chart, `?page=` of the results, `?rivals=all`."""
    viewer = viewer_of(request)
    return _player(request, viewer, or_404(player_for, viewer, player))


def _player(request: HttpRequest, viewer: Viewer, player: Player) -> HttpResponse:
    visible = visible_seasons(viewer)
    seasons = seasons_of(player, visible)
    season = next((row for row in seasons if row.slug == request.GET.get("season")), seasons[0] if seasons else None)
    games = listed_games(visible).filter(appearances__player=player)
    page = Paginator(line_rows(games), RESULTS_PER_PAGE).get_page(request.GET.get("page"))
    rivals = rivals_of(player, visible)
    context = {
        "player": player,
        "seasons": seasons,
        "tabs": [(row.name, f"?season={row.slug}") for row in seasons],
        **(_season(player, season) if season else {}),
        "page": page,
        "games": [GameLine.of(row) for row in page],
        "rivals": rivals if request.GET.get("rivals") == "all" else rivals[:RIVALS],
        "rival_count": len(rivals),
        "crumbs": [(player.club.name, reverse("club", args=[player.club.slug]))],
    }
    return club_page(request, player.club, "league/player/player.html", context)


def _season(player: Player, season: PlayerSeason) -> dict[str, object]:
    """Headline figures and chart of one season."""
    averages = averages_of(player, season.season_id)
    share, low, high = season.win_share
    return {
        "season": season,
        "season_url": reverse("season", args=[player.club.slug, season.slug]),
        "current": f"?season={season.slug}",
        "averages": averages,
        "points_half": "" if averages.points_half is None else figure(averages.points_half, 1),
        "rank_half": "" if averages.rank_half is None else figure(averages.rank_half, 2),
        "win_note": gettext("%(share)s (95 %%: %(low)s–%(high)s)")
        % {"share": percent(share), "low": percent(low), "high": percent(high)},
        "style": style_of(player, season.season_id),
        "history": [_mark(moment) for moment in history_of(player, season.season_id)],
    }


def _mark(moment: Moment) -> Mark:
    """A moment on the chart."""
    _, low, high = of_belief(moment.mu, moment.sigma)
    games = ngettext("%(count)d game", "%(count)d games", moment.games) % {"count": moment.games}
    return Mark(moment.mu, low, high, _day(moment.day), f"{moment.event} · {games}" if moment.event else games)


def _day(day: date | None) -> str:
    return date_format(day, "j M") if day else gettext("no date")
