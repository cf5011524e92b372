"""Corrections by agreement, for programs: proposed, read, and agreed with."""

from __future__ import annotations

import json
from typing import Any, Final

from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

from engine.record.canonical import canonical_json
from games.models import Game
from league.core.frame.api.links import game_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import Body, LinkField, ModelSerializer
from league.core.log.services import Actor
from league.disputes.agreement.models import Agreement, Proposal
from league.disputes.agreement.queries import proposal_for, proposal_line, seats_to_agree
from league.disputes.agreement.services import correction_propose, proposal_agree
from league.standings.ranking.api.view import GameView, WriteView, changes, named_by_id

OWN: Final = (
    "This is for the players of the game, or, for seats without an account, for those who rule "
    "on it."
)


class AgreementSerializer(ModelSerializer[Agreement]):
    """A seat that agrees with a proposal; in a body, your own seat if none is named."""

    class Meta:
        model = Agreement
        fields = ["seat", "role", "agreed_at"]
        read_only_fields = ["role", "agreed_at"]
        extra_kwargs = {"seat": {"required": False}}
        help_texts = {
            "seat": "Counted clockwise from 0.",
            "role": "player: the seat itself; else the role of the account that agreed for it.",
        }


class ProposalSerializer(ModelSerializer[Proposal]):
    """A proposal by a player of what was really played in a game, and the seats that agree."""

    game = LinkField(game_link, "game.public_id", help_text="The address of the game.")
    record = serializers.SerializerMethodField(help_text="The record that the game would get.")
    agreements = AgreementSerializer(many=True)

    class Meta:
        model = Proposal
        fields = ["id", "game", "record", "made_at", "agreements"]

    def get_record(self, proposal: Proposal) -> dict[str, Any]:
        """Return the record, with the handles of today."""
        record: dict[str, Any] = json.loads(proposal_line(proposal))
        return record


class ProposalBody(Body):
    """The record that a game should have, as one of its players says."""

    record = serializers.DictField(
        child=serializers.JSONField(allow_null=True), help_text="With the game's id and seats."
    )


class GameProposals(GameView, WriteView):
    """Proposals to correct one game."""

    right = None

    @changes("Propose a correction", ProposalBody, ProposalSerializer)
    def propose_correction(self, game: Game, body: dict[str, Any], actor: Actor) -> Proposal:
        """Propose what was really played, as a player of a game that a seat objects to. The game
        is corrected once all seats agree; until then nothing changes."""
        return correction_propose(game=game, line=canonical_json(body["record"]), actor=actor)


class Proposals(WriteView):
    """One proposal, for the players of its game and those who may rule on it."""

    right = None
    noun = "proposal"
    club_path = "proposal.game.season_game.season.club"
    proposal = named_by_id("proposal", proposal_for, "game.season_game.season.club")

    @reads("Proposed correction", ProposalSerializer, for_writers=True)
    def get_proposal(self, proposal: Proposal) -> Proposal:
        """Return what is proposed, and which seats agree."""
        return proposal

    @changes(
        "Agree with a proposed correction",
        AgreementSerializer,
        ProposalSerializer,
        example={"seat": 2},
    )
    def agree(self, proposal: Proposal, body: dict[str, Any], actor: Actor) -> Proposal:
        """Agree for the seat of the key's account; or, as an account that rules on the game and
        didn't sit there, for players without an account. The last seat to agree corrects the game
        at once."""
        seats = seats_to_agree(proposal, self.request.user)
        seat = body.get("seat", seats[0] if len(seats) == 1 else None)
        if seat not in seats:
            raise PermissionDenied(OWN, "not_your_seat")
        proposal_agree(proposal=proposal, seat=seat, actor=actor)
        return Proposal.objects.prefetch_related("agreements").get(pk=proposal.pk)
