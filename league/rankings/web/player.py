"""A player: figures, rating, results, rivals."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Exists
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext
from django.views.decorators.http import require_safe

from engine.interval import of_belief
from league.clubs.models import Player
from league.clubs.queries.access import Viewer
from league.rankings.queries.access import player_for, visible_seasons
from league.rankings.queries.gameline import GameLine, line_rows, listed_games
from league.rankings.queries.listing import seats_of_player
from league.rankings.queries.player import PlayerSeason, RatingDay, averages_of, history_of, rivals_of, seasons_of
from league.rankings.queries.style import style_of
from league.rankings.web.viewer import club_page, or_404, viewer_of
from league.templatetags.charts import Mark
from league.templatetags.figures import figure, percent

RESULTS_PER_PAGE = 15
RIVALS = 12


@require_safe
def player_page(request: HttpRequest, player: str) -> HttpResponse:
    """A player. `?season=<slug>` chooses the season of figures and chart, `?page=` of the results, `?rivals=all`.

    Who was merged into another player has that one's page.
    """
    viewer = viewer_of(request)
    found = or_404(player_for, viewer, player)
    if found.merged_into:
        return redirect("player", found.merged_into.public_id)
    return _player(request, viewer, found)


def _player(request: HttpRequest, viewer: Viewer, player: Player) -> HttpResponse:
    visible = visible_seasons(viewer)
    seasons = seasons_of(player, visible)
    season = next((row for row in seasons if row.slug == request.GET.get("season")), seasons[0] if seasons else None)
    games = listed_games(visible).filter(Exists(seats_of_player(player.public_id)))
    page = Paginator(line_rows(games), RESULTS_PER_PAGE).get_page(request.GET.get("page"))
    rivals = rivals_of(player, [row.ranking_id for row in seasons])
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
    averages = averages_of(player, season.ranking_id)
    share, low, high = season.win_share
    return {
        "season": season,
        "season_url": reverse("season", args=[player.club.slug, season.slug]),
        "current": f"?season={season.slug}",
        "averages": averages,
        "points_half": "" if averages.points_half is None else figure(averages.points_half, 1),
        "rank_half": "" if averages.rank_half is None else figure(averages.rank_half, 2),
        "win_note": gettext("%(share)s (95%%: %(low)s–%(high)s)")
        % {"share": percent(share), "low": percent(low), "high": percent(high)},
        "style": style_of(player, season.ranking_id),
        "history": [_mark(day) for day in history_of(player, season.ranking_id)],
    }


def _mark(played: RatingDay) -> Mark:
    """A day of play on the chart."""
    _, low, high = of_belief(played.mu, played.sigma)
    games = ngettext("%(count)d game", "%(count)d games", played.games) % {"count": played.games}
    day = date_format(played.day, pgettext("day and month on a chart", "j M")) if played.day else gettext("no date")
    return Mark(played.mu, low, high, day, f"{played.event} · {games}" if played.event else games)
