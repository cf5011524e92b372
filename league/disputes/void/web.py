"""The pages that void a game and restore it: what changes, then the confirmation with a reason."""

from __future__ import annotations

from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from engine.illegal import Refused
from games.models import Game, Void
from games.queries.play_again import play_again_of
from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import posted
from league.core.viewer.web.viewer import club_page, or_404, viewer_of
from league.disputes.correction.queries.game import game_for_correction, newest_revision
from league.disputes.correction.web.correction import effects_by_name, game_crumbs
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.queries import is_ruled_by_arbiter
from league.disputes.void.queries import void_preview
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.ranking.queries.change import COUNTED

DECISIONS: Final = {
    True: (
        game_void_add,
        gettext_lazy("The game is void. Tables and ratings will update in a moment."),
    ),
    False: (
        game_restore,
        gettext_lazy("The game counts again. Tables and ratings will update in a moment."),
    ),
}
"""The service that voids a game (True) or restores it, and the message afterwards."""


class VoidForm(forms.Form):
    """The reason why a game is void, or counts again."""

    reason = model_field(
        Void,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everybody who sees the game can read it, so don’t name anybody."),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def void_page(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show what voiding a game would change, and void it once that is confirmed."""
    return _page(request, or_404(game_for_correction, viewer_of(request), game_id), stands=True)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def restore_page(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show what restoring a void game would change, and restore it once that is confirmed."""
    return _page(request, or_404(game_for_correction, viewer_of(request), game_id), stands=False)


def _page(request: HttpRequest, game: Game, *, stands: bool) -> HttpResponse:
    """Void a game (`stands`) or restore it if the form is confirmed; otherwise show the effects."""
    if is_ruled_by_arbiter(game):
        verb = Ruling.Verb.VOIDED if stands else Ruling.Verb.RESTORED
        return redirect("game-rule", game.public_id, verb.value)
    form = VoidForm(posted(request))
    try:
        if form.is_valid():
            return _decide(request, game, form.cleaned_data["reason"], stands=stands)
        preview = void_preview(game=game, stands=stands)
    except Refused as refused:
        if refused.illegal.code == "conflict":
            return redirect_saying(
                request,
                refused.illegal.message.translated(gettext),
                "game",
                newest_revision(game).public_id,
                level=messages.ERROR,
            )
        if refused.illegal.code not in ("voided", "not_voided"):
            messages.error(request, refused.illegal.message.translated(gettext))
        return redirect("game", game.public_id)
    season = game.season_game.season
    return club_page(
        request,
        season.club,
        "league/disputes/void/void.html",
        game=game,
        season=season,
        form=form,
        stands=stands,
        preview=preview,
        effects=effects_by_name(season, preview.effects),
        counted=COUNTED,
        again=None if stands else play_again_of(game),
        crumbs=game_crumbs(game),
    )


def _decide(request: HttpRequest, game: Game, reason: str, *, stands: bool) -> HttpResponse:
    service, message = DECISIONS[stands]
    service(game=game, actor=Actor(request.user.pk, reason))
    return redirect_saying(request, str(message), "game", game.public_id)
