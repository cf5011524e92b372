"""The settings of a club, for its organisers."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.core.club.desk.club_form import ClubSettingsForm
from league.core.club.models import Club
from league.core.frame.saying import redirect_saying
from league.core.viewer.queries.access import club_for_organiser
from league.core.viewer.web.confirmation import run_action, sure
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.standings.season.services.club import club_settings_change


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_for_organiser)
def club_settings_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Change a club's name, home and visibility."""
    form = ClubSettingsForm(club, request.POST or None)
    context = {"here": "settings", "form": form, "crumbs": desk_crumbs(club)}
    if request.method == "POST" and form.is_valid():
        effects = sure(request, form.effects())
        if effects:
            back = reverse("desk-club", args=[club.slug])
            return club_page(
                request,
                club,
                "league/standings/season/desk/sure.html",
                **context,
                effects=effects,
                back=back,
            )
        if run_action(
            request,
            form,
            lambda cleaned, actor: club_settings_change(club=club, actor=actor, **form.settings()),
        ):
            return redirect_saying(
                request, gettext("Settings saved."), "desk-club", form.settings()["slug"]
            )
    return club_page(request, club, "league/standings/season/desk/club.html", **context)
