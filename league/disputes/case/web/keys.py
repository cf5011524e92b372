"""The page of the keys with which a disputed game was written down, for those who rule on it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Game
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.viewer import club_page, page_of, viewer_of
from league.disputes.arbiter.queries import game_for_ruling
from league.disputes.case.queries.witness import first_revision, keys_of
from league.disputes.correction.web.correction import case_crumbs


@never_cache
@login_required
@require_safe
@page_of(game_for_ruling)
def case_keys_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the keys with which a game could be written down: their holders, when they ended, and
    what was written with each. The keys themselves are stored nowhere."""
    club = game.season_game.season.club
    keys = keys_of(first_revision(game))
    return club_page(
        request,
        club,
        "league/disputes/case/keys.html",
        game=game,
        keys=keys,
        authors=authors_of(request.user, club, [key.device.made_by for key in keys]),
        crumbs=case_crumbs(viewer_of(request), game),
    )
