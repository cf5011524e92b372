"""The way from an account to its player's page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from league.clubs.web.viewer import viewer_of
from league.people.queries.own import own_players


@require_safe
@login_required
def my_page(request: HttpRequest) -> HttpResponse:
    """The page of the player who is signed in; a list for who plays in several clubs; else, how to be linked."""
    players: list[Any] = list(own_players(viewer_of(request)))
    if [player.seated for player in players] == [True]:
        return redirect("player", players[0].public_id)
    return render(request, "league/people/mine.html", {"players": players})
