"""The first page of a club's desk: what waits, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from league.core.club.models import Club
from league.core.member.models.member import Membership, Role
from league.core.viewer.queries.access import club_for_member
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.disputes.case.queries.waiting import waiting_rulings
from league.floor.cockpit.queries.duty import duties
from league.site.club.queries import DeskCounts, desk_counts
from league.standings.season.models import Season
from league.standings.season.queries.season import latest_season


@dataclass(frozen=True, slots=True)
class Milestone:
    """A step that a club takes once: True if it is `done`, and otherwise what to do and where."""

    title: str
    text: str
    done: bool
    url: str
    action: str


@login_required
@require_safe
@page_of(club_for_member)
def club_desk(request: HttpRequest, club: Club) -> HttpResponse:
    """Show organisers the work that waits for them and their next step; show others their roles."""
    may_enter = request.user.has_perm("league.enter_games", club)
    may_manage = request.user.has_perm("league.manage_club", club)
    may_rule = request.user.has_perm("league.correct_games", club)
    roles = Membership.objects.filter(club=club, user=request.user.pk).values_list(
        "role", flat=True
    )
    season = latest_season(club)
    counts = desk_counts(club) if may_manage else None
    milestones = _milestones(club, counts, season) if counts else []
    return club_page(
        request,
        club,
        "league/site/club/desk/overview.html",
        enters=season if may_enter else None,
        counts=counts,
        milestones=milestones,
        rulings=waiting_rulings({club.pk} if may_rule else ()),
        duties=duties({club.pk} if may_enter else (), {club.pk} if may_manage else ()),
        next=next((milestone for milestone in milestones if not milestone.done), None),
        roles=[Role(role).label for role in roles],
        here="overview",
        crumbs=desk_crumbs(club)[:1],
    )


def _milestones(club: Club, counts: DeskCounts, season: Season | None) -> list[Milestone]:
    return [
        Milestone(
            title=gettext("A season"),
            text=gettext(
                "It sets what is played, by which rules, and how the league table is made."
            ),
            done=counts.seasons > 0,
            url=reverse("desk-season-new", args=[club.slug]),
            action=gettext("Begin a season"),
        ),
        Milestone(
            title=gettext("An event"),
            text=gettext(
                "A day of play: players enter, tables are drawn, results come in from the tables."
            ),
            done=counts.events > 0,
            url=reverse("desk-event-new", args=[club.slug]),
            action=gettext("Plan an event"),
        ),
        Milestone(
            title=gettext("Games"),
            text=gettext("Upload a file of games. You’ll see a preview first."),
            done=counts.games > 0,
            url=reverse("import", args=[club.slug, season.slug]) if season else "",
            action=gettext("Import games"),
        ),
        Milestone(
            title=gettext("People who help"),
            text=gettext(
                "Scorers enter results, arbiters correct them, organisers do all of this."
            ),
            done=counts.members + counts.invitations > 1,
            url=reverse("desk-members", args=[club.slug]),
            action=gettext("Invite somebody"),
        ),
    ]
