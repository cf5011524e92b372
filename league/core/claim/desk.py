"""Claims of a club's players, for its organisers: a list, codes to show, and slips to print."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.core.claim.models import Claim, ClaimCode
from league.core.claim.queries import claim_for_organiser, claims_of_club, players_unclaimed
from league.core.claim.services import claim_codes_make, claim_end
from league.core.club.models import Club
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.viewer.queries.access import club_for_organiser, player_for_organiser
from league.core.viewer.web.crumbs import player_crumbs
from league.core.viewer.web.viewer import club_page, page_of

CLAIMS_PER_PAGE: Final = 50
MOST_SLIPS: Final = 500


class Slip(NamedTuple):
    """A player's code as it is shown or printed; its QR code opens the `address`."""

    name: str
    code: str
    address: str


@login_required
@require_safe
@page_of(club_for_organiser)
def claim_list(request: HttpRequest, club: Club) -> HttpResponse:
    """List the claims of a club's players; `?page=`."""
    return club_page(
        request,
        club,
        "league/core/claim/desk/claims.html",
        page=Paginator(claims_of_club(club), CLAIMS_PER_PAGE).get_page(request.GET.get("page")),
        here="players",
        crumbs=player_crumbs(club),
    )


@login_required
@require_POST
@page_of(claim_for_organiser)
def claim_undo(request: HttpRequest, claim: Claim) -> HttpResponse:
    """End a claim with one tap."""
    if claim_end(claim=claim, actor=Actor(request.user.pk)):
        message = gettext(
            "Nobody is %(name)s any more. Create a new code so that somebody can claim the name "
            "again."
        )
        messages.success(request, message % {"name": claim.player.name})
    return redirect("claims", claim.player.club.slug)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(player_for_organiser)
def claim_code_page(request: HttpRequest, player: Player) -> HttpResponse:
    """Show a player's claim code, for their phone; a POST makes a code, or replaces it."""
    player = player.merged_into or player
    if request.method == "POST":
        if not claim_codes_make(
            club=player.club, players=[player], actor=Actor(request.user.pk), anew=True
        ):
            messages.error(request, gettext("This player already has an account."))
        return redirect("claim-code", player.club.slug, player.public_id)
    code = ClaimCode.objects.filter(player=player).select_related("player").first()
    return club_page(
        request,
        player.club,
        "league/core/claim/desk/claim_code.html",
        player=player,
        slip=slip_of(code) if code else None,
        page=public_address(reverse("claim")),
        here="players",
        crumbs=player_crumbs(player.club, player),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_for_organiser)
def claim_slips(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the slips of all players without an account, for printing; a POST makes the missing
    codes."""
    players = list(players_unclaimed(club)[:MOST_SLIPS])
    if request.method == "POST":
        claim_codes_make(club=club, players=players, actor=Actor(request.user.pk))
        return redirect("claim-slips", club.slug)
    codes = ClaimCode.objects.filter(player__in=players).select_related("player")
    slips = [slip_of(code) for code in codes.order_by("player__name_key", "player")]
    crumb = (gettext("Who’s who"), reverse("claims", args=[club.slug]))
    return club_page(
        request,
        club,
        "league/core/claim/desk/claim_slips.html",
        slips=slips,
        lacking=len(players) - len(slips),
        page=public_address(reverse("claim")),
        here="players",
        crumbs=[*player_crumbs(club), crumb],
    )


def slip_of(code: ClaimCode) -> Slip:
    """Return the slip of a code."""
    address = f"{reverse('claim')}?{urlencode({'code': code.code})}"
    return Slip(code.player.name, f"{code.code[:4]} {code.code[4:]}", public_address(address))
