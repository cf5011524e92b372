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


def claim_code_of(word: str) -> ClaimCode:
    """The code that somebody typed, with its player and club; spaces, hyphens and small letters are
    as good. Raises `ClaimCode.DoesNotExist`."""
    return ClaimCode.objects.select_related("player__club", "player__merged_into").get(
        code="".join(word.upper().replace("-", " ").split())
    )


def claim_of_page(key: str) -> Claim | None:
    """The claim that stands and was made by the page of this key: it was sent twice, or its answer
    was lost."""
    return claim_of_digest(digest_of(key))


def claim_of_digest(digest: str) -> Claim | None:
    """The claim that stands and was made by the key with this digest."""
    return Claim.objects.select_related("player", "user").filter(key=digest, ended_at=None).first()


def claims_of_club(club: Club) -> QuerySet[Claim]:
    """Read the claims of a club's players, those that stand first, then the latest."""
    claims = Claim.objects.filter(player__club=club).select_related("player__merged_into", "user")
    return claims.order_by("ended_at", "-claimed_at", "-pk")


def claim_for_organiser(viewer: Viewer, club_slug: str, claim_id: str) -> Claim:
    """A claim of a club whose organiser looks. Raises `ObjectDoesNotExist`."""
    return Claim.objects.select_related("player__club").get(
        public_id=claim_id, player__club=club_for_organiser(viewer, club_slug)
    )


def own_claims(user: User) -> QuerySet[Claim]:
    """Read which players an account claims to be."""
    standing = Claim.objects.filter(user=user, ended_at=None)
    return standing.select_related("player__club", "player__merged_into").order_by(
        NameKey("player__club__name"), "pk"
    )


def tapped_claims() -> QuerySet[Claim]:
    """Claims that stand, and were made without anything of the player's own."""
    return Claim.objects.filter(ended_at=None, way__in=Claim.TAPPED)


def players_unproven(club: Club) -> QuerySet[Player]:
    """Read who can be given a code that takes the name back: players of a club without an account,
    or whose name was only tapped, by name."""
    people = Player.objects.filter(club=club, erased_at=None, merged_into=None)
    tapped = people.filter(pk__in=tapped_claims().values("player"))
    return (people.filter(pk__in=players_unclaimed(club).values("pk")) | tapped).order_by(
        "name", "pk"
    )


def players_unclaimed(club: Club) -> QuerySet[Player]:
    """Read who is nobody's phone or account yet: players of a club without an account, by name."""
    players = Player.objects.filter(club=club, user=None, erased_at=None, merged_into=None)
    players = players.exclude(merged__user__isnull=False)
    return players.order_by("name_key", "pk")
