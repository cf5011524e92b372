"""Claiming players at an event in the API: the code of its wall list, and phones that wait."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers

from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import ModelSerializer
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.core.player.api import PlayerSerializer
from league.events.entry.api import PLAYER
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.events.wall_list.models import ClaimRequest, WallCode
from league.events.wall_list.queries import requests_waiting
from league.events.wall_list.services import (
    claim_request_approve,
    claim_request_refuse,
    wall_code,
    wall_code_renew,
)
from league.standings.ranking.api.view import ReasonBody, changes

APPROVED: Final = ClaimRequest.Status.APPROVED.value
REFUSED: Final = ClaimRequest.Status.REFUSED.value


class WallSerializer(ModelSerializer[WallCode]):
    """The code of an event's wall list. A checked-in player who opens its `url` taps their own
    name.
    """

    url = serializers.SerializerMethodField(
        help_text="The address that a QR code on the wall opens."
    )

    class Meta:
        model = WallCode
        fields = ["code", "url", "made_at"]
        read_only_fields = fields
        help_texts = {"made_at": "When the code was made, or renewed."}

    def get_url(self, wall: WallCode) -> str:
        """The address of the list."""
        return public_address(
            reverse("event-wall", args=[wall.event.club.slug, wall.event.slug, wall.code])
        )


class ClaimRequestSerializer(ModelSerializer[ClaimRequest]):
    """A phone on which a name was tapped without the wall's code. `sign` is shown on its screen."""

    entry = serializers.CharField(source="entry.public_id", read_only=True)
    player = PlayerSerializer(source="entry.player", columns=PLAYER, read_only=True)

    class Meta:
        model = ClaimRequest
        fields = ["id", "entry", "player", "sign", "status", "asked_at"]
        read_only_fields = fields
        help_texts = {"sign": "What the phone shows: only let in a phone you can see."}


class ClaimAnswerBody(ReasonBody):
    """The answer to a waiting phone."""

    status = serializers.ChoiceField([APPROVED, REFUSED])


class ClaimView(EventWriteView):
    """A view of the phones that become players at an event, for those who check in there.

    It has no ETag: requests of phones change no version.
    """

    right = "league.score_event"
    refusal = "Scorers and organisers of the club or the event may do this."

    def versions(self) -> Any:
        """Return None, because requests of phones change no version."""
        return None


class Walls(ClaimView):
    """The code of an event's wall list."""

    @reads("The code of an event's wall", WallSerializer, for_writers=True)
    def get_wall(self, event: Event) -> WallCode:
        """The code of the wall list, for scorers and organisers."""
        return self._with_event(event, wall_code(event))

    @changes(
        "Renew the code of an event's wall",
        ReasonBody,
        WallSerializer,
        example={"reason": "It went round."},
    )
    def renew_wall(self, event: Event, body: dict[str, Any], actor: Actor) -> WallCode:
        """Make a new code, as a scorer or an organiser. The old one no longer works."""
        return self._with_event(event, wall_code_renew(event=event, actor=actor))

    def _with_event(self, event: Event, wall: WallCode) -> WallCode:
        wall.event = event
        return wall


class ClaimRequests(ClaimView):
    """Phones that wait to be let in as players."""

    def get_object(self) -> Any:
        """Return the waiting phone, or the event. Raise `ClaimRequest.DoesNotExist`."""
        if "claim_request" not in self.kwargs:
            return self.event
        return requests_waiting(self.event).get(public_id=self.kwargs["claim_request"])

    @reads("Phones waiting to be let in", ClaimRequestSerializer(many=True), for_writers=True)
    def list_claim_requests(self, event: Event) -> QuerySet[ClaimRequest]:
        """The waiting phones on which a name was tapped without the wall's code, the first one
        first; for scorers and organisers."""
        return requests_waiting(event)

    @changes(
        "Let a phone in, or refuse it",
        ClaimAnswerBody,
        ClaimRequestSerializer,
        example={"status": APPROVED},
    )
    def answer_claim_request(
        self, claim_request: ClaimRequest, body: dict[str, Any], actor: Actor
    ) -> ClaimRequest:
        """Let a phone be the player, or refuse it, as a scorer or an organiser. Letting it in
        refuses the other phones waiting for the name."""
        if body["status"] == APPROVED:
            claim_request_approve(claim_request=claim_request, actor=actor)
        else:
            claim_request_refuse(claim_request=claim_request, actor=actor)
        return ClaimRequest.objects.select_related("entry__player").get(pk=claim_request.pk)
