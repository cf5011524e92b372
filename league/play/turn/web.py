"""My games: the online tables at which an account sits, those that wait for it first."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.viewer.web.viewer import signed_in
from league.play.turn.queries import my_games


@never_cache
@login_required
@require_safe
def my_games_page(request: HttpRequest) -> HttpResponse:
    """The tables in work at which the account sits, in all clubs."""
    games = my_games(signed_in(request))
    return render(request, "league/play/turn/my_games.html", {"games": games})
