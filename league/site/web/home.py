"""The first page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.clubs.models import User
from league.rankings.queries.access import visible_seasons
from league.rankings.queries.gameline import latest_games
from league.rankings.queries.season import SeasonCard, latest_seasons, with_top
from league.rankings.web.viewer import viewer_of
from league.site.queries.setup import is_set_up
from league.site.queries.work import work_of

SEASONS = 3
TOP_ROWS = 5
GAMES = 6


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What it is, the tables that changed last, and their latest games; first what waits for a member who works."""
    seasons = with_top(latest_seasons(visible_seasons(viewer_of(request))), TOP_ROWS)[:SEASONS]
    cards = [SeasonCard.of(season) for season in seasons]
    games = latest_games([card.season.ranking_id for card in cards], GAMES)
    work = work_of(request.user) if isinstance(request.user, User) else None
    context = {"cards": cards, "games": games, "work": work, "unfounded": not cards and not is_set_up()}
    return render(request, "league/home/home.html", context)
