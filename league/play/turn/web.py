"""The page of an account's own games: its online tables, those that wait for it first."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.viewer.web.viewer import signed_in
from league.play.playing_time.queries import playing_time_of
from league.play.turn.queries import my_games


@never_cache
@login_required
@require_safe
def my_games_page(request: HttpRequest) -> HttpResponse:
    """Show the tables in the lobby or in play at which the account sits, in all clubs."""
    user = signed_in(request)
    with timezone.override(ZoneInfo(playing_time_of(user).timezone)):
        return render(request, "league/play/turn/my_games.html", {"games": my_games(user)})
