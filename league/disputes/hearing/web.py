"""The page on which an arbiter opens a hearing."""

from __future__ import annotations

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from games.models import Game
from league.core.frame.forms import model_field
from league.core.viewer.web.confirmation import Confirmation, posted, take
from league.core.viewer.web.viewer import page_of, viewer_of
from league.disputes.arbiter.queries import game_for_ruling
from league.disputes.correction.web.correction import case_crumbs
from league.disputes.hearing.models import Hearing
from league.disputes.hearing.services import hearing_open


class HearingForm(forms.Form):
    """The question of an arbiter to the players of a game."""

    word = model_field(
        Hearing,
        "word",
        label=gettext_lazy("What do you want to ask the table?"),
        help_text=gettext_lazy(
            "The players read it and answer with a statement. Don’t name anybody."
        ),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(game_for_ruling)
def hearing_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Open a hearing about a game, also after the time for objections."""
    step = Confirmation(
        title=gettext("Hear the table"),
        effects=[
            gettext("All players are asked and can answer with a statement."),
            gettext("The result is provisional until you rule. It still counts."),
            gettext("Only a ruling ends a hearing."),
        ],
        button=gettext("Open the hearing"),
        form=HearingForm(posted(request)),
        do=lambda cleaned, actor: hearing_open(game=game, actor=actor, **cleaned),
        done=gettext("The table has been asked."),
    )
    crumbs = case_crumbs(viewer_of(request), game)
    club = game.season_game.season.club
    back = reverse("game-case", args=[game.public_id])
    return take(request, club, step, section="objections", back=back, crumbs=crumbs)
