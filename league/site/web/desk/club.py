"""The settings of a club, for its organisers; a new club, for operators."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.clubs.models import Club
from league.clubs.queries.access import club_for_organiser
from league.clubs.services.club import club_create
from league.clubs.web.confirmation import Confirmation, ReasonForm, done, sure, take
from league.clubs.web.desk.club_form import ClubForm, ClubSettingsForm
from league.clubs.web.desk.crumbs import crumbs
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.seasons.services.club import club_settings_change
from league.seasons.services.season import all_time_create


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings_page(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Change what the club is called, where it is at home, and who finds it."""
    club = or_404(club_for_organiser, viewer_of(request), club_slug)
    form = ClubSettingsForm(club, request.POST or None)
    context = {"here": "settings", "form": form, "crumbs": crumbs(club)}
    if request.method == "POST" and form.is_valid():
        if effects := sure(request, form.effects()):
            back = reverse("desk-club", args=[club.slug])
            return club_page(
                request, club, "league/seasons/desk/sure.html", context | {"effects": effects, "back": back}
            )
        if done(request, form, lambda cleaned, actor: club_settings_change(club=club, actor=actor, **form.settings())):
            messages.success(request, gettext("The settings are saved."))
            return redirect("desk-club", form.settings()["slug"])
    return club_page(request, club, "league/site/desk/club.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def all_time_page(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Begin the ranking over all public seasons."""
    club = or_404(club_for_organiser, viewer_of(request), club_slug)
    back = reverse("desk-seasons", args=[club.slug])
    step = Confirmation(
        title=gettext("A ranking of all time"),
        effects=[
            gettext("It counts the games of all public seasons, past and to come, by placement."),
            gettext("It stands beside the seasons, and stays."),
        ],
        button=gettext("Begin it"),
        form=ReasonForm(request.POST or None),
        do=lambda cleaned, actor: all_time_create(club=club, actor=actor),
        done=gettext("The ranking of all time has begun. Its table follows in a moment."),
    )
    way = crumbs(club, (gettext("Seasons"), back))
    return take(request, club, step, section="seasons", back=back, crumbs=way)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_found_page(request: HttpRequest) -> HttpResponse:
    """Found a club, for operators; they invite its organisers next."""
    if not request.user.is_superuser:
        raise Http404
    form = ClubForm(request.POST or None)
    new_clubs: list[Club] = []
    if (
        request.method == "POST"
        and form.is_valid()
        and done(request, form, lambda cleaned, actor: new_clubs.append(club_create(actor=actor, **form.settings())))
    ):
        messages.success(request, gettext("The club is founded. Invite its organisers now."))
        return redirect("desk-members", new_clubs[0].slug)
    return render(
        request, "league/site/desk/found.html", {"form": form, "crumbs": [(gettext("Clubs"), reverse("club_list"))]}
    )
