"""Helpers of an event in the API: listing, inviting, and ending a role."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers

from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import Serializer
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.core.member.models.member import Role
from league.events.event.api import EventView
from league.events.event.models import Event
from league.events.helper.models import HELPER_ROLES, Helper
from league.events.helper.queries import helpers_of
from league.events.helper.services import helper_invite, helper_remove
from league.standings.ranking.api.view import ReasonBody, WriteView, changes

ENDED: Final = "ended"
END: Final = {"account": "w4kq8zt2nb", "role": "scorer", "status": ENDED}


class HelperSerializer(Serializer):
    """A role of an account for one event."""

    account = serializers.CharField(source="user.public_id")
    name = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(HELPER_ROLES)


class InviteBody(ReasonBody):
    """A role to invite somebody to, by the address of an account or by a code."""

    role = serializers.ChoiceField(HELPER_ROLES)
    email = serializers.EmailField(
        max_length=254, default="", allow_blank=True, help_text="Leave it empty to create a code."
    )


class InvitedSerializer(Serializer):
    """An invitation with the link or the code to pass on; the other is null. The link is shown only
    once."""

    id_ = serializers.CharField(source="public_id")
    role = serializers.ChoiceField(HELPER_ROLES)
    link = serializers.CharField(allow_null=True)
    code = serializers.CharField(allow_null=True)


class HelperEndBody(ReasonBody):
    """A role to end."""

    account = serializers.CharField(
        max_length=10, help_text="The account’s id, as in the list of helpers."
    )
    role = serializers.ChoiceField(HELPER_ROLES)
    status = serializers.ChoiceField([ENDED])


class Helpers(EventView, WriteView):
    """The helpers of an event, for the organisers of its club. A role for one event doesn't allow
    giving roles.
    """

    @reads("An event's helpers", HelperSerializer(many=True), for_writers=True)
    def list_helpers(self, event: Event) -> QuerySet[Helper]:
        """The current roles for the event; for organisers of the club."""
        return helpers_of(event)

    @changes("Invite a helper", InviteBody, InvitedSerializer, example={"role": Role.SCORER})
    def invite_helper(self, event: Event, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Invite somebody to a role for the event, by a link to pass on or by a code, as an
        organiser of the club."""
        # To an email address, the invitation is a link; without an address, it is a code.
        email_address = body["email"]
        invitation, secret = helper_invite(
            event=event, role=Role(body["role"]), invited_by=self.writer(), email=email_address
        )
        link = None
        if email_address:
            link = public_address(reverse("helper-invitation", args=[secret]))
        return {
            "public_id": invitation.public_id,
            "role": invitation.role,
            "link": link,
            "code": invitation.code,
        }

    @changes("End a role", HelperEndBody, HelperSerializer, example=END)
    def end_helper(self, event: Event, body: dict[str, Any], actor: Actor) -> Helper:
        """End a role for the event, as an organiser of the club."""
        helpers = Helper.objects.select_related("user", "event")
        helper = helpers.get(event=event, user__public_id=body["account"], role=body["role"])
        helper_remove(helper=helper, actor=actor)
        return helper
