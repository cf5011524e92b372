"""A player's page: figures, rating, results, opponents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db.models import Exists, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from league.core.frame.kept import shared_key
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.hooks import Hook
from league.core.player.models import Player
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import PageContext, club_page, page_of, shared_part, viewer_of
from league.standings.comparison.web import comparison
from league.standings.player.queries.player import (
    PlayerSeason,
    averages_of,
    meetings,
    rankings_played,
    seasons_of,
)
from league.standings.player.queries.rivals import history_of, rivals_of
from league.standings.ranked_game.queries.gameline import game_page
from league.standings.ranking.queries.state import club_state
from league.standings.rating.web import DAYS, rating_mark
from league.standings.season.queries.access import player_for, visible_seasons
from league.standings.season.queries.listing import seats_of_player
from league.templatetags.figures import figure, percent

RESULTS_PER_PAGE = 15
RIVALS = 12
online_games_of: Hook[[Player], tuple[int, int]] = Hook()
"""The number of games that a player has finished at online tables, and of all finished games there
in which they sat."""


def player_state(player_id: int) -> tuple[object, ...]:
    """Return the state on which a player's page depends: that of the club, the player's games at
    online tables, and whether a program plays. `player_id`: the row id. Three queries."""
    player = Player.objects.select_related("user").get(pk=player_id)
    return _state_of(player, online_games_of(player))


def _state_of(player: Player, online_games: Sequence[tuple[int, int]]) -> tuple[object, ...]:
    is_program = player.user is not None and player.user.is_program
    return (*club_state(player.club_id), online_games, is_program)


@require_safe
@public_page(player_state)
@page_of(player_for)
def player_page(request: HttpRequest, player: Player) -> HttpResponse:
    """Show a player in one season: figures, chart, results and rivals (`?rivals=all`).

    `?season=<slug>` names the season; without it the page shows the one with most games.
    `?before=` and `?after=` take a place in the list of results and turn its pages. `?with=` takes
    a player's public id, or the beginning of a name, and compares the two players.

    A merged player's page redirects to the player they were merged into.
    """
    viewer = viewer_of(request)
    if player.merged_into:
        return redirect("player", player.merged_into.public_id)
    seasons = visible_seasons(viewer).filter(club=player.club_id)
    season_ids = seasons.order_by("pk").values_list("pk", flat=True)
    online_games = online_games_of(player)
    versions = (*_state_of(player, online_games), list(season_ids))

    def render_page() -> HttpResponse:
        content = shared_part(
            request,
            player.club,
            "league/standings/player/player_content.html",
            shared_key(request, versions),
            partial(_content_context, request, player, online_games),
        )
        return club_page(
            request,
            player.club,
            "league/standings/player/player.html",
            player=player,
            content=content,
            crumbs=club_crumbs(player.club),
        )

    return unless_unchanged(request, versions, render_page, subject=player.pk)


def _content_context(
    request: HttpRequest, player: Player, online_games: Sequence[tuple[int, int]]
) -> PageContext:
    visible = visible_seasons(viewer_of(request))
    seasons = seasons_of(player, visible)
    season = _chosen_season(seasons, request.GET.get("season"))
    of_season: PageContext = {}
    if season is None:
        rankings = rankings_played(player, visible)
    else:
        rankings = [season.ranking_id]
        of_season = _season_context(player, season, request.GET.get("with", ""))
    before = request.GET.get("before", "")
    after = request.GET.get("after", "")
    has_seat = Q(Exists(seats_of_player(player.pk)))
    rivals = rivals_of(player, rankings)

    second_player = of_season.get("other")
    if isinstance(second_player, Player):
        other_seasons = [row for row in seasons if row != season]
        of_season["elsewhere"] = meetings(player, second_player, other_seasons)
    return {
        "player": player,
        "seasons": seasons,
        "tabs": [(row.name, f"?season={row.slug}") for row in seasons],
        **of_season,
        "page": game_page(rankings, RESULTS_PER_PAGE, before=before, after=after, only=has_seat),
        "rivals": rivals if request.GET.get("rivals") == "all" else rivals[:RIVALS],
        "rival_count": len(rivals),
        "online_games": online_games,
    }


def _chosen_season(seasons: Sequence[PlayerSeason], slug: str | None) -> PlayerSeason | None:
    """Return the season with this slug, or else the one with most games, of several the latest.
    `seasons`: the latest first."""
    named = [season for season in seasons if season.slug == slug]
    return max(named or seasons, key=lambda season: season.games, default=None)


def _season_context(player: Player, season: PlayerSeason, other_search: str) -> PageContext:
    averages = averages_of(player, season.ranking_id)
    history, days = history_of(player, season.ranking_id, DAYS)
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
        "history": [rating_mark(day) for day in history],
        "days": days,
        **comparison(player, season.ranking_id, other_search, history),
    }
