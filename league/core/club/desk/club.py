"""Founding a club, for operators."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.core.club.desk.club_form import ClubForm
from league.core.club.models import Club
from league.core.club.services import club_create
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import run_action


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_found_page(request: HttpRequest) -> HttpResponse:
    """Found a club. Its organisers are invited next."""
    if not request.user.is_superuser:
        raise Http404
    form = ClubForm(request.POST or None)
    new_clubs: list[Club] = []
    if (
        request.method == "POST"
        and form.is_valid()
        and run_action(
            request,
            form,
            lambda cleaned, actor: new_clubs.append(club_create(actor=actor, **form.settings())),
        )
    ):
        return redirect_saying(
            request,
            gettext("The club has been created. Invite its organisers now."),
            "desk-members",
            new_clubs[0].slug,
        )
    return render(
        request,
        "league/core/club/desk/club.html",
        {"form": form, "crumbs": [(gettext("Clubs"), reverse("club_list"))]},
    )
