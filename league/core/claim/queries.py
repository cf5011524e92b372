"""Claims and their codes, for those who may see them."""

from __future__ import annotations

from django.db.models import QuerySet

from league.core.account.models import User
from league.core.claim.models import Claim, ClaimCode
from league.core.club.models import Club
from league.core.frame.letter_link import digest_of
from league.core.frame.name_key import NameKey
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer, club_for_organiser


def claim_code_of(typed: str) -> ClaimCode:
    """Return the claim code that somebody typed, with its player and club; blanks, hyphens and
    lower case don't matter. Raise `ClaimCode.DoesNotExist`."""
    code = "".join(typed.upper().replace("-", " ").split())
    codes = ClaimCode.objects.select_related("player__club", "player__merged_into")
    return codes.get(code=code)


def claim_of_page(page_key: str) -> Claim | None:
    """Return the current claim that was made from the page with this key, in case the page is sent
    a second time."""
    return claim_of_digest(digest_of(page_key))


def claim_of_digest(digest: str) -> Claim | None:
    """Return the current claim that was made from the page whose key has this digest."""
    return Claim.objects.select_related("player", "user").filter(key=digest, ended_at=None).first()


def claims_of_club(club: Club) -> QuerySet[Claim]:
    """Return the claims of a club's players: current ones first, then the latest."""
    claims = Claim.objects.filter(player__club=club).select_related("player__merged_into", "user")
    return claims.order_by("ended_at", "-claimed_at", "-pk")


def claim_for_organiser(viewer: Viewer, club_slug: str, claim_id: str) -> Claim:
    """Return a claim of a club for its organiser. Raise `ObjectDoesNotExist` otherwise."""
    return Claim.objects.select_related("player__club").get(
        public_id=claim_id, player__club=club_for_organiser(viewer, club_slug)
    )


def own_claims(user: User) -> QuerySet[Claim]:
    """Return the current claims of an account."""
    claims = Claim.objects.filter(user=user, ended_at=None)
    return claims.select_related("player__club", "player__merged_into").order_by(
        NameKey("player__club__name"), "pk"
    )


def tapped_claims() -> QuerySet[Claim]:
    """Return the current claims that were made without proof."""
    return Claim.objects.filter(ended_at=None, way__in=Claim.TAPPED)


def players_unproven(club: Club) -> QuerySet[Player]:
    """Return the players of a club who can still get a claim code, by name: players without an
    account, and players whose name was tapped without proof, since a code replaces such a claim."""
    people = Player.objects.filter(club=club, erased_at=None, merged_into=None)
    tapped = people.filter(pk__in=tapped_claims().values("player"))
    return (people.filter(pk__in=players_unclaimed(club).values("pk")) | tapped).order_by(
        "name_key", "pk"
    )


def players_unclaimed(club: Club) -> QuerySet[Player]:
    """Return the players of a club without an account, by name."""
    players = Player.objects.filter(club=club, user=None, erased_at=None, merged_into=None)
    players = players.exclude(merged__user__isnull=False)
    return players.order_by("name_key", "pk")
