"""Arbiters from outside, for programs: invited, accepted, and agreed on by the seats of a game."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

from games.models import Game
from league.core.account.models import User
from league.core.frame.api.links import game_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import (
    Body,
    LinkField,
    ModelSerializer,
    Serializer,
    TimeField,
)
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.disputes.arbiter.domain import State
from league.disputes.arbiter.models import (
    ArbiterAcceptance,
    ArbiterAssent,
    ArbiterInvitation,
    ArbiterInvitationEnd,
)
from league.disputes.arbiter.queries import (
    InvitationStatus,
    invitation_for,
    invitation_for_bearer,
    invitation_statuses,
    seats_to_answer,
    speaks_for_game,
    status_of,
)
from league.disputes.arbiter.services import (
    arbiter_accept,
    arbiter_assent,
    arbiter_decline,
    arbiter_invite,
    arbiter_withdraw,
)
from league.standings.ranking.api.view import GameView, ReasonBody, WriteView, changes, named_by_id

OWN: Final = (
    "This is for the players of the game, or, for seats without an account, for those who may "
    "correct it."
)
YES, NO = "yes", "no"


class ArbiterAccountSerializer(Serializer):
    """An account that accepted an invitation to rule."""

    account = serializers.CharField(source="public_id")
    name = serializers.CharField(source="username")


class ArbiterAssentSerializer(ModelSerializer[ArbiterAssent]):
    """A seat that agrees."""

    class Meta:
        model = ArbiterAssent
        fields = ["seat", "role", "assented_at"]
        help_texts = {
            "seat": "Counted clockwise from 0.",
            "role": "player: the seat itself; else the role of the account that agreed for it.",
        }


class ArbiterEndSerializer(ModelSerializer[ArbiterInvitationEnd]):
    """The end of an invitation before its time is over."""

    class Meta:
        model = ArbiterInvitationEnd
        fields = ["way", "seat", "ended_at"]
        help_texts = {"seat": "The seat that said no; null if the invitation ended in another way."}


class ArbiterInvitationSerializer(Serializer):
    """An invitation to rule on a disputed game, with its answers. The account of `arbiter` can rule
    once `state` is `agreed`: then every seat has said yes."""

    id_ = serializers.CharField(source="invitation.public_id")
    game = LinkField(game_link, "invitation.game.public_id", help_text="The address of the game.")
    number = serializers.IntegerField(
        source="invitation.number", help_text="Counted from 1 for each game."
    )
    role = serializers.CharField(
        source="invitation.role",
        help_text="player: a seat made it; else the role of the account that made it.",
    )
    made_at = TimeField(source="invitation.made_at")
    good_until = TimeField(source="invitation.good_until")
    state = serializers.ChoiceField(State.choices)
    arbiter = ArbiterAccountSerializer(allow_null=True, help_text="null: nobody has accepted yet.")
    close_to = serializers.ListField(
        child=serializers.IntegerField(),
        source="close_seats",
        help_text="The seats that the arbiter declares to be close to.",
    )
    assents = ArbiterAssentSerializer(many=True)
    end = ArbiterEndSerializer(allow_null=True)


class NewArbiterInvitationSerializer(Serializer):
    """A new invitation with its link. The link is shown only this once."""

    id_ = serializers.CharField(source="public_id")
    game = LinkField(game_link, "game.public_id", help_text="The address of the game.")
    link = serializers.CharField(help_text="The page where the invited account accepts.")
    token = serializers.CharField(
        help_text="The last part of the link, by which a program accepts."
    )
    good_until = TimeField()


class ArbiterAcceptBody(ModelSerializer[ArbiterAcceptance]):
    """The seats that the account is close to; none if no seats are given."""

    class Meta:
        model = ArbiterAcceptance
        fields = ["close_to"]
        extra_kwargs = {"close_to": {"required": False}}
        help_texts = {"close_to": "Seats, counted clockwise from 0."}


class ArbiterAnswerBody(ModelSerializer[ArbiterAssent]):
    """A seat's yes or no; your own seat if none is named."""

    answer = serializers.ChoiceField([YES, NO])

    class Meta:
        model = ArbiterAssent
        fields = ["seat", "answer"]
        extra_kwargs = {"seat": {"required": False}}
        help_texts = {"seat": "Counted clockwise from 0."}


class ArbiterEndBody(Body):
    """The end of an invitation: withdrawn, or given up by the account that accepted."""

    way = serializers.ChoiceField(
        [ArbiterInvitationEnd.Way.WITHDRAWN.value, ArbiterInvitationEnd.Way.GIVEN_UP.value]
    )


class GameArbiters(GameView, WriteView):
    """Invitations to rule on one game, for its seats and those who may correct it."""

    refusal = OWN

    def is_allowed(self, account: User) -> bool:
        """Return True for the seats of the game, and for those who may correct it."""
        return speaks_for_game(account, self.game)

    @reads(
        "Invitations to rule on a game", ArbiterInvitationSerializer(many=True), for_writers=True
    )
    def list_arbiters(self, game: Game) -> list[InvitationStatus]:
        """Return the invitations with their answers, the newest first."""
        return invitation_statuses(game, self.request.user)

    @changes("Invite an arbiter", ReasonBody, NewArbiterInvitationSerializer)
    def invite_arbiter(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Make a link that invites somebody who took no part to rule on a disputed game.

        An earlier invitation by the same account that nobody has accepted is withdrawn.
        """
        invitation, token = arbiter_invite(game=game, actor=actor)
        link = public_address(reverse("arbiter-invitation", args=[token]))
        return {
            "public_id": invitation.public_id,
            "game": game,
            "link": link,
            "token": token,
            "good_until": invitation.good_until,
        }


class ArbiterInvitations(WriteView):
    """One invitation, for the seats of its game, those who may correct the game, and the account
    that accepted."""

    right = None
    noun = "invitation"
    club_path = "invitation.game.season_game.season.club"
    invitation = named_by_id("invitation", invitation_for, "game.season_game.season.club")

    @reads("An invitation to rule", ArbiterInvitationSerializer, for_writers=True)
    def get_arbiter(self, invitation: ArbiterInvitation) -> InvitationStatus:
        """Return the invitation: who accepted, which seats agree, and its state."""
        return status_of(invitation.game, self.request.user, invitation)

    @changes(
        "Answer for a seat", ArbiterAnswerBody, ArbiterInvitationSerializer, example={"answer": YES}
    )
    def answer_arbiter(
        self, invitation: ArbiterInvitation, body: dict[str, Any], actor: Actor
    ) -> InvitationStatus:
        """Say yes or no to the arbiter for the seat of the key's account; or, as an account that
        corrects the game and didn't sit there, for players without an account. The last yes lets
        the arbiter rule; a no ends the invitation."""
        seats = seats_to_answer(invitation, self.request.user)
        seat = body.get("seat", seats[0] if len(seats) == 1 else None)
        if seat not in seats:
            raise PermissionDenied(OWN, "not_your_seat")
        service = arbiter_assent if body["answer"] == YES else arbiter_decline
        service(invitation=invitation, seat=seat, actor=actor)
        return self._current_status(invitation)

    @changes(
        "End an invitation to rule",
        ArbiterEndBody,
        ArbiterInvitationSerializer,
        example={"way": "withdrawn"},
    )
    def end_arbiter(
        self, invitation: ArbiterInvitation, body: dict[str, Any], actor: Actor
    ) -> InvitationStatus:
        """Withdraw an invitation, as the account that made it or one that corrects the game; or
        give it up, as the account that accepted it."""
        status = status_of(invitation.game, self.request.user, invitation)
        is_arbiter = status.arbiter == self.request.user
        gives_up = body["way"] == ArbiterInvitationEnd.Way.GIVEN_UP
        if not status.may_end or is_arbiter is not gives_up:
            raise PermissionDenied(OWN, "not_your_invitation")
        arbiter_withdraw(invitation=invitation, actor=actor)
        return self._current_status(invitation)

    def _current_status(self, invitation: ArbiterInvitation) -> InvitationStatus:
        row = invitation_for(self.viewer(self.club.slug), invitation.public_id)
        return status_of(row.game, self.request.user, row)


class ArbiterLinks(WriteView):
    """The link of an invitation, for everybody who has it and is signed in."""

    right = None
    noun = "invitation"
    club_path = "invitation.game.season_game.season.club"
    post_limit = "codes"

    @cached_property
    def invitation(self) -> ArbiterInvitation:
        """The invitation that the link opens. Raise `ArbiterInvitation.DoesNotExist`."""
        return invitation_for_bearer(self.kwargs["token"])

    @changes(
        "Accept an invitation to rule",
        ArbiterAcceptBody,
        ArbiterInvitationSerializer,
        example={"close_to": [2]},
    )
    def accept_arbiter(
        self, invitation: ArbiterInvitation, body: dict[str, Any], actor: Actor
    ) -> InvitationStatus:
        """Accept to rule on the game, and declare to which seats the account is close. Then every
        seat is asked."""
        user = self.writer()
        arbiter_accept(
            invitation=invitation, user=user, close_to=body.get("close_to", []), actor=actor
        )
        row = invitation_for_bearer(self.kwargs["token"])
        return status_of(row.game, user, row)
