"""From an account to its player's page, and how an organiser becomes a player."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.claim.queries import players_unclaimed
from league.core.club.models import Club
from league.core.frame.forms import in_our_words, offer
from league.core.frame.saying import redirect_saying
from league.core.viewer.queries.access import player_for_organiser
from league.core.viewer.web.confirmation import done
from league.core.viewer.web.viewer import or_404, signed_in, viewer_of
from league.standings.player.queries.own import own_players, playerless_clubs
from league.standings.player.services import player_link


class OwnPlayerForm(forms.Form):
    """The choice of an unclaimed player of a club for its organiser."""

    player = forms.ChoiceField(label=gettext_lazy("Which player are you?"))

    def __init__(self, club: Club, data: QueryDict | None) -> None:
        super().__init__(data, auto_id=f"id_{club.slug}_%s")
        in_our_words(self)
        self.club = club
        players = players_unclaimed(club).values_list("public_id", "name")
        offer(self, "player", [("", gettext("Choose …")), *players])


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def my_page(request: HttpRequest) -> HttpResponse:
    """Redirect a player to their own page. Show a list to players of several clubs, to players
    without a page and to organisers who aren't players of their club, and instructions to accounts
    without a player."""
    players: list[Any] = list(own_players(viewer_of(request)))
    clubs = list(playerless_clubs(signed_in(request)))
    if not clubs and [player.seated for player in players] == [True]:
        return redirect("player", players[0].public_id)
    chosen_club = request.POST.get("club")
    forms_of_clubs = [
        OwnPlayerForm(club, request.POST if club.slug == chosen_club else None) for club in clubs
    ]
    for form in forms_of_clubs:
        if form.is_bound and form.is_valid() and _link_or_add_error(request, form):
            return redirect_saying(request, gettext("That’s you from now on."), "my-page")
    return render(
        request, "league/standings/player/mine.html", {"players": players, "forms": forms_of_clubs}
    )


def _link_or_add_error(request: HttpRequest, form: OwnPlayerForm) -> bool:
    player = or_404(
        player_for_organiser, viewer_of(request), form.club.slug, form.cleaned_data["player"]
    )
    account = signed_in(request)
    return done(
        request, form, lambda _, actor: player_link(player=player, account=account, actor=actor)
    )
