"""Last season’s dates for a new season, seen before anything is made."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from league.clubs.web.confirmation import add_errors, done, posted
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.evening.services.copy import copied_days, season_copy, season_dates
from league.events.web.desk.series import DAY
from league.frame.forms import model_field
from league.frame.slug import slug_field, slug_from
from league.seasons.models import Season
from league.seasons.queries.access import season_for_organiser
from league.seasons.web.desk.season import season_crumbs


class CopyForm(forms.Form):
    """All that the copy of a season is called, and when it begins."""

    name = model_field(Season, "name", label=gettext_lazy("Name of the new season"))
    slug = slug_field()
    starts_on = forms.DateField(label=gettext_lazy("Starts on"), widget=forms.DateInput(DAY, format="%Y-%m-%d"))

    def __init__(self, season: Season, data: QueryDict | None) -> None:
        super().__init__(data)
        self.season = season

    def settings(self) -> dict[str, Any]:
        """Return what `season_copy` is given."""
        cleaned = self.cleaned_data
        slug = cleaned["slug"] or slug_from(cleaned["name"], "", self.season.club.seasons, nameless="season")
        return {**cleaned, "slug": slug}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def season_copy_page(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Copy a season with its events: when each would be, then it is made."""
    season = or_404(season_for_organiser, viewer_of(request), club_slug, season_slug)
    form = CopyForm(season, posted(request))
    context: dict[str, Any] = {
        "season": season,
        "form": form,
        "here": "seasons",
        "title": gettext("Copy the season"),
        "crumbs": season_crumbs(season.club, season),
    }
    if request.method != "POST" or not form.is_valid():
        return club_page(request, season.club, "league/evening/desk/season_copy.html", context)
    settings = form.settings()
    if "sure" in request.POST:
        if done(request, form, lambda _, actor: season_copy(season=season, actor=actor, **settings)):
            messages.success(request, gettext("The new season is there. Its events are drafts."))
            return redirect("desk-season", season.club.slug, settings["slug"])
        return club_page(request, season.club, "league/evening/desk/season_copy.html", context)
    try:
        context["dates"] = season_dates(season, settings["starts_on"])
    except ValidationError as error:
        add_errors(form, error)
        return club_page(request, season.club, "league/evening/desk/season_copy.html", context)
    context |= {"weeks": copied_days(season, settings["starts_on"]) // 7, "slug": settings["slug"]}
    return club_page(request, season.club, "league/evening/desk/season_copied.html", context)
