"""Rulings, for programs: listed, previewed, and made."""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

from django.db.models import QuerySet
from rest_framework import serializers

from engine.record.canonical import canonical_json
from engine.record.reason import LENGTH
from engine.scoring.points import MOST_PENALTY
from games.models import Game
from league.core.club.models import Club
from league.core.frame.api.links import game_link, ruling_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import Body, LinkField, ModelSerializer
from league.core.log.services import Actor
from league.core.viewer.queries.access import club_for
from league.disputes.correction.api import VoidPreviewSerializer, ranking_effects
from league.disputes.ruling.domain import Finding, RulingDecision
from league.disputes.ruling.models import LONGEST_FINDING, Ruling
from league.disputes.ruling.queries import ruling_for, rulings_seen
from league.disputes.ruling.services.ruling import ruling_make, ruling_preview
from league.standings.ranking.api.view import GameView, SeenView, WriteView, changes, named_by_id

REFUSAL: Final = "Arbiters and organisers of the club, or at the event, may do this."
RULING: Final = {
    "verb": "stands",
    "findings": "Two players heard the call.",
    "rule": "B6",
    "reason": "A call stands.",
}


class RulingSerializer(ModelSerializer[Ruling]):
    """A ruling on the result of a game. `outcome` is the revision that has counted since. `changed`
    lists the changed rows of rankings. `findings` and `reason` are empty if they named somebody and
    were removed."""

    url = LinkField(ruling_link, "public_id")
    game = LinkField(game_link, "game.public_id")
    outcome = LinkField(game_link, "outcome.public_id")

    class Meta:
        model = Ruling
        fields = [
            "id",
            "url",
            "number",
            "game",
            "outcome",
            "verb",
            "seat",
            "points",
            "ranks",
            "round_number",
            "rule",
            "standard",
            "findings",
            "reason",
            "close_to",
            "changed",
            "role",
            "ruled_at",
        ]


class DecisionBody(Body):
    """A decision about a game: a verb, and the fields it asks for."""

    verb = serializers.ChoiceField(Ruling.Verb.choices)
    seat = serializers.IntegerField(
        min_value=0, max_value=32767, required=False, help_text="Counted from 0."
    )
    points = serializers.IntegerField(
        min_value=1,
        max_value=MOST_PENALTY,
        required=False,
        help_text="The dice that the seat loses.",
    )
    ranks = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=8),
        required=False,
        min_length=2,
        max_length=8,
        help_text="The place of each seat.",
    )
    round_ = serializers.IntegerField(
        min_value=1, max_value=500, required=False, help_text="Counted from 1."
    )
    record = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        required=False,
        help_text="The corrected record, for the verb `corrected`.",
    )


class GameRulingBody(DecisionBody):
    """A ruling. Everybody who may see the game can read it."""

    findings = serializers.CharField(max_length=LONGEST_FINDING, help_text="The facts you found.")
    rule = serializers.RegexField(
        "^([BK][0-9]{1,2})?$",
        required=False,
        default="",
        help_text="The number of the rule, such as B6.",
    )
    reason = serializers.CharField(max_length=LENGTH)
    close_to = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=32767),
        required=False,
        default=list,
        max_length=8,
        help_text="The seats you are close to.",
    )
    named = serializers.BooleanField(
        required=False, default=False, help_text="True: the ruling's page names the players."
    )


class GameRulings(GameView, WriteView):
    """Rulings on one game."""

    right = "league.rule_on_game"
    ground = "game"
    refusal = REFUSAL

    @changes("Rule on a game", GameRulingBody, RulingSerializer, example=RULING)
    def make_ruling(self, game: Game, body: dict[str, Any], actor: Actor) -> Ruling:
        """Rule on a game with an open objection or hearing, as an arbiter or organiser who neither
        played nor entered any part of it. Only a further ruling undoes it."""
        decision = decision_of(body)
        finding = finding_of(body, actor.reason)
        return ruling_make(game=game, decision=decision, finding=finding, actor=actor, key=uuid4())

    @changes(
        "Preview a ruling",
        DecisionBody,
        VoidPreviewSerializer,
        example={"verb": "voided"},
    )
    def preview_ruling(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Return what a decision would change, for those who may rule on the game; change
        nothing."""
        preview = ruling_preview(game=game, decision=decision_of(body))
        return {
            "rankings": ranking_effects(game.season_game.season, preview.effects),
            "event": preview.event,
        }


class ClubRulings(SeenView):
    """The rulings of a club."""

    def get_object(self) -> Club:
        """Return the club of the address."""
        return club_for(self.viewer(self.kwargs["club"]), self.kwargs["club"])

    @reads("A club's rulings", RulingSerializer(many=True))
    def list_rulings(self, club: Club) -> QuerySet[Ruling]:
        """Return the rulings on games that you may see, the newest first."""
        return rulings_seen(self.viewer(club.slug), club)


class Rulings(SeenView):
    """A ruling, for everybody who may see its game."""

    noun = "ruling"
    club_path = "ruling.club"
    ruling = named_by_id("ruling", ruling_for, "club")

    @reads("A ruling", RulingSerializer)
    def get_ruling(self, ruling: Ruling) -> Ruling:
        """Return what an arbiter decided about a game, by which rule and why."""
        return ruling


def decision_of(body: dict[str, Any]) -> RulingDecision:
    """Return the decision in a request's body. Fields that its verb doesn't need are None."""
    record = body.get("record")
    return RulingDecision(
        verb=Ruling.Verb(body["verb"]),
        seat=body.get("seat"),
        points=body.get("points"),
        ranks=tuple(body["ranks"]) if "ranks" in body else None,
        round_number=body.get("round"),
        line=canonical_json(record) if record is not None else None,
    )


def finding_of(body: dict[str, Any], reason: str) -> Finding:
    """Return the finding in a request's body, with its reason."""
    return Finding(
        findings=body["findings"],
        reason=reason,
        rule=body["rule"],
        close_to=tuple(body["close_to"]),
        named=body["named"],
    )
