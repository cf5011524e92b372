"""Claims: who says to be which player of a club, and the codes by which somebody may."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from rest_framework import serializers

from league.clubs.models import Player
from league.frame.api.links import player_link
from league.frame.api.operation import FOR_WRITERS, reads
from league.frame.api.problems import named
from league.frame.api.serializers import Body, IdsField, LinkField, ModelSerializer, Serializer
from league.log.services import Actor
from league.people.models import Claim, ClaimCode
from league.people.queries.claim import claims_of_club
from league.people.services.claim import claim_codes_make, claim_end
from league.seasons.api.writing import ReasonBody, WriteView, changes

MOST: Final = 200
"""So many players one request may name."""
ENDED: Final = "ended"


class ClaimSerializer(ModelSerializer[Claim]):
    """A claim: which account said to be a player, by which way, and when that ended (null while it stands)."""

    player = LinkField(player_link, "player.public_id", help_text="The address of the player.")
    account = serializers.CharField(
        source="user.username", default=None, allow_null=True, help_text="Null once the player is erased."
    )
    phone = serializers.BooleanField(
        source="user.is_phone", default=False, help_text="It is a phone’s own account, without an address."
    )

    class Meta:
        model = Claim
        fields = ["id", "player", "account", "phone", "way", "claimed_at", "ended_at"]


class CodesBody(Body):
    """The players who are to have a code."""

    players = IdsField(MOST, min_length=1)
    anew = serializers.BooleanField(default=False, help_text="Another one for those who have one already.")


class ClaimCodeSerializer(Serializer):
    """The code of a player."""

    player = serializers.CharField(source="player.public_id")
    code = serializers.CharField()


class ClaimCodesSerializer(Serializer):
    """The codes of those who have no account."""

    results = ClaimCodeSerializer(many=True)


class ClaimEndBody(ReasonBody):
    """A claim that ends."""

    status = serializers.ChoiceField([ENDED])


class Claims(WriteView):
    """The claims of a club's players, for its organisers."""

    def get_object(self) -> Any:
        """The claim, or all of the club's. Raises `Claim.DoesNotExist`."""
        self.writer()
        claims = claims_of_club(self.club)
        return claims.get(public_id=self.kwargs["claim"]) if "claim" in self.kwargs else claims

    @reads("A club's claims", ClaimSerializer(many=True), problems=FOR_WRITERS)
    def list_claims(self, claims: QuerySet[Claim]) -> QuerySet[Claim]:
        """Who says to be which player of a club, those that stand first; for organisers."""
        return claims

    @changes("Make codes for players", CodesBody, ClaimCodesSerializer, example={"players": ["w4kq8zt2nb"]})
    def make_claim_codes(self, claims: QuerySet[Claim], body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Make codes, as an organiser: whoever brings one first is that player. Who has an account gets none."""
        rows = Player.objects.filter(club=self.club, public_id__in=body["players"])
        players = named(rows, body["players"], "/players", "The club has no such player.", "no_such_player")
        codes: list[ClaimCode] = claim_codes_make(club=self.club, players=players, actor=actor, anew=body["anew"])
        return {"results": codes}

    @changes("End a claim", ClaimEndBody, ClaimSerializer, example={"status": ENDED})
    def end_claim(self, claim: Claim, body: dict[str, Any], actor: Actor) -> Claim:
        """Undo a claim, as an organiser: nobody is that player until somebody claims it again."""
        claim_end(claim=claim, actor=actor)
        return claims_of_club(self.club).get(pk=claim.pk)
