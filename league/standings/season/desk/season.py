"""The organisers' pages of a club's seasons: list, new season, settings, link, all-time ranking."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from games.models.game import Kind
from league.core.club.models import Club
from league.core.frame.letter_link import public_address
from league.core.frame.saying import redirect_saying
from league.core.viewer.queries.access import club_for_organiser
from league.core.viewer.web.confirmation import Confirmation, ReasonForm, done, sure, take
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.standings.season.desk.season_effects import season_effects
from league.standings.season.desk.season_form import SeasonSettingsForm
from league.standings.season.models import AllTime, Season, SeasonGame, Visibility
from league.standings.season.queries.access import season_for_organiser
from league.standings.season.queries.season import desk_seasons
from league.standings.season.services.season import (
    all_time_create,
    season_change,
    season_check,
    season_create,
    season_link_renew,
)

SEASONS_PER_PAGE = 30


@login_required
@require_safe
@page_of(club_for_organiser)
def season_list(request: HttpRequest, club: Club) -> HttpResponse:
    """List all seasons of the club with their actions."""
    return club_page(
        request,
        club,
        "league/standings/season/desk/seasons.html",
        page=Paginator(desk_seasons(club), SEASONS_PER_PAGE).get_page(request.GET.get("page")),
        has_all_time=AllTime.objects.filter(club=club).exists(),
        here="seasons",
        crumbs=desk_crumbs(club),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_for_organiser)
def season_new_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Create a season: first choose the game (`?kind=bluff`), then its rules."""
    kind = request.GET.get("kind", "")
    context: dict[str, object] = {
        "kinds": Kind.choices,
        "here": "seasons",
        "crumbs": desk_season_crumbs(club),
    }
    if kind not in Kind.values:
        return club_page(request, club, "league/standings/season/desk/season_kind.html", **context)
    form = SeasonSettingsForm(club, kind, request.POST or None)
    if request.method == "POST" and form.is_valid():
        settings = form.settings()
        if done(
            request, form, lambda cleaned, actor: season_create(club=club, actor=actor, **settings)
        ):
            return redirect_saying(
                request,
                gettext("The season is ready. Its table begins with the first game."),
                "season",
                club.slug,
                settings["slug"],
            )
    context["form"] = form
    context["kind"] = kind
    context["game"] = Kind(kind).label
    return club_page(request, club, "league/standings/season/desk/season.html", **context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_organiser)
def season_settings_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Change a season's settings; effects that others notice have to be confirmed."""
    settled = SeasonGame.objects.filter(season=season).exists()
    form = SeasonSettingsForm(
        season.club, season.kind, request.POST or None, season=season, settled=settled
    )
    context = {
        "season": season,
        "form": form,
        "game": season.get_kind_display(),
        "settled": settled,
        "link": season_link(season),
        "here": "seasons",
        "crumbs": desk_season_crumbs(season.club),
        "back": reverse("desk-season", args=[season.club.slug, season.slug]),
    }
    if request.method == "POST" and form.is_valid() and _check_or_add_error(request, form, season):
        effects = sure(request, season_effects(season, form.settings()))
        if effects:
            return club_page(
                request,
                season.club,
                "league/standings/season/desk/sure.html",
                **context,
                effects=effects,
            )
        settings = form.settings()
        if done(
            request,
            form,
            lambda cleaned, actor: season_change(season=season, actor=actor, **settings),
        ):
            return redirect_saying(
                request,
                gettext("Settings saved."),
                "desk-season",
                season.club.slug,
                settings["slug"],
            )
    return club_page(request, season.club, "league/standings/season/desk/season.html", **context)


def _check_or_add_error(request: HttpRequest, form: SeasonSettingsForm, season: Season) -> bool:
    return done(
        request,
        form,
        lambda cleaned, actor: season_check(club=season.club, season=season, **form.settings()),
    )


def season_link(season: Season) -> str:
    """Return the address to hand out for a season seen by link; empty for other seasons."""
    if season.visibility != Visibility.LINK:
        return ""
    address = reverse("season", args=[season.club.slug, season.slug])
    return public_address(f"{address}?key={season.link_token}")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(season_for_organiser)
def season_link_page(request: HttpRequest, season: Season) -> HttpResponse:
    """Renew the link of a season seen by link."""
    back = reverse("desk-season", args=[season.club.slug, season.slug])
    step = Confirmation(
        title=gettext("A new link for %(season)s") % {"season": season.name},
        effects=[
            gettext(
                "The link you’ve handed out so far stops working, even for people who have used it."
            ),
            gettext("You get a new link to hand out."),
        ],
        button=gettext("Renew the link"),
        form=ReasonForm(request.POST or None),
        do=lambda cleaned, actor: season_link_renew(season=season, actor=actor),
        done=gettext("The season has a new link."),
    )
    return take(
        request,
        season.club,
        step,
        section="seasons",
        back=back,
        crumbs=desk_season_crumbs(season.club, season),
    )


def desk_season_crumbs(club: Club, season: Season | None = None) -> list[tuple[str, str]]:
    """Return the breadcrumbs that end with the organisers' list of seasons, or with a season's
    settings."""
    seasons = (gettext("Seasons"), reverse("desk-seasons", args=[club.slug]))
    if season is None:
        return desk_crumbs(club, seasons)
    return desk_crumbs(
        club, seasons, (season.name, reverse("desk-season", args=[club.slug, season.slug]))
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_for_organiser)
def all_time_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Start the ranking over all public seasons."""
    back = reverse("desk-seasons", args=[club.slug])
    step = Confirmation(
        title=gettext("An all-time ranking"),
        effects=[
            gettext("It counts the games of all public seasons, past and future, by placement."),
            gettext("It’s listed with the seasons, and stays there."),
        ],
        button=gettext("Begin it"),
        form=ReasonForm(request.POST or None),
        do=lambda cleaned, actor: all_time_create(club=club, actor=actor),
        done=gettext("The all-time ranking has begun. Its table will appear in a moment."),
    )
    return take(
        request,
        club,
        step,
        section="seasons",
        back=back,
        crumbs=desk_crumbs(club, (gettext("Seasons"), back)),
    )
