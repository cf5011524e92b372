"""Appeals, for programs: raised, withdrawn, and decided by two arbiters."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

from league.core.account.models import User
from league.core.frame.api.links import ruling_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import LinkField, ModelSerializer, TimeField
from league.core.log.services import Actor
from league.disputes.appeal.models import Appeal, AppealDraft
from league.disputes.appeal.queries import appeal_for, appeals_open, draft_for, may_withdraw
from league.disputes.appeal.services import (
    appeal_decide,
    appeal_draft,
    appeal_raise,
    appeal_withdraw,
)
from league.disputes.objection.api import ClubCases, EventCases
from league.disputes.objection.queries.objection import own_seat_of
from league.disputes.ruling.api import (
    REFUSAL,
    GameRulingBody,
    RulingSerializer,
    decision_of,
    finding_of,
)
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.queries import ruling_for
from league.events.event.models import Event
from league.standings.ranking.api.view import ReasonBody, WriteView, changes, named_by_id

OWN = "This is for the players of the game, or for arbiters and organisers of the club."


class AppealSerializer(ModelSerializer[Appeal]):
    """An appeal of a seat against a ruling. `ended_at` is null while it is open; `decision` is the
    ruling that decided it, null for an appeal that is open or was withdrawn."""

    ruling = LinkField(ruling_link, "ruling.public_id")
    ended_at = TimeField(source="end.ended_at", default=None, allow_null=True)
    reminded_at = TimeField(
        source="reminder.reminded_at",
        default=None,
        allow_null=True,
        help_text="When those who decide it were reminded, after three days. null: they haven't been.",
    )
    escalated_at = TimeField(
        source="reminder.escalated_at",
        default=None,
        allow_null=True,
        help_text=(
            "When everybody who can decide it was told that it is waiting, after seven days. "
            "null: they haven't been."
        ),
    )
    decision = LinkField(ruling_link, "end.ruling.public_id", allow_null=True)

    class Meta:
        model = Appeal
        fields = [
            "id",
            "ruling",
            "seat",
            "word",
            "role",
            "raised_at",
            "reminded_at",
            "escalated_at",
            "ended_at",
            "decision",
        ]


class AppealBody(ModelSerializer[Appeal]):
    """An appeal: a few words why, and for which seat; your own if none is named."""

    class Meta:
        model = Appeal
        fields = ["seat", "word"]
        extra_kwargs = {"seat": {"required": False}}
        help_texts = {"seat": "Counted clockwise from 0."}


class DraftSerializer(ModelSerializer[AppealDraft]):
    """A first arbiter's draft of the decision of an appeal. Nothing follows from it until a second
    arbiter agrees."""

    decision = serializers.JSONField(source="body.decision")
    finding = serializers.JSONField(source="body.finding")

    class Meta:
        model = AppealDraft
        fields = ["id", "made_at", "decision", "finding"]


class RulingAppeals(WriteView):
    """Appeals against one ruling."""

    right = None
    noun = "ruling"
    club_path = "ruling.club"
    ruling = named_by_id("ruling", ruling_for, "club")

    @changes(
        "Appeal against a ruling",
        AppealBody,
        AppealSerializer,
        example={"word": "The photo is of table 3."},
    )
    def raise_appeal(self, ruling: Ruling, body: dict[str, Any], actor: Actor) -> Appeal:
        """Appeal once against the newest ruling on a game, within seven days, for the seat of the
        key's account, or as an arbiter or organiser for any seat."""
        own_seat = own_seat_of(ruling.outcome, actor.account_id)
        seat = body.get("seat", own_seat)
        may_rule = self.request.user.has_perm("league.rule_on_game", ruling.outcome)
        if seat is None or (seat != own_seat and not may_rule):
            raise PermissionDenied(OWN, "not_your_seat")
        return appeal_raise(ruling=ruling, seat=seat, word=body["word"], actor=actor)


class ClubAppeals(ClubCases):
    """The open appeals of a club."""

    def get_object(self) -> QuerySet[Appeal]:
        """Return the appeals that nobody has decided."""
        return appeals_open(Q(season_game__season__club=self.club))

    @reads("A club's open appeals", AppealSerializer(many=True), for_writers=True)
    def list_appeals(self, appeals: QuerySet[Appeal]) -> QuerySet[Appeal]:
        """Return the appeals waiting for a decision, the oldest first; for arbiters and
        organisers."""
        return appeals


class EventAppeals(EventCases):
    """The open appeals about games of one event."""

    @reads("An event's open appeals", AppealSerializer(many=True), for_writers=True)
    def list_event_appeals(self, event: Event) -> QuerySet[Appeal]:
        """Return the appeals at an event waiting for a decision, the oldest first; for those who rule
        there."""
        return appeals_open(Q(table_game__table__stage_round__stage__event=event))


class Appeals(WriteView):
    """An open appeal: its seat withdraws it, or a first arbiter drafts its decision."""

    right = None
    noun = "appeal"
    club_path = "appeal.ruling.club"
    appeal = named_by_id("appeal", appeal_for, "ruling.club")

    @changes(
        "Withdraw an appeal", ReasonBody, AppealSerializer, example={"reason": "We have talked."}
    )
    def withdraw_appeal(self, appeal: Appeal, body: dict[str, Any], actor: Actor) -> Appeal:
        """Withdraw your own appeal. The ruling holds."""
        if not may_withdraw(self.request.user, appeal):
            raise PermissionDenied(OWN, "not_your_seat")
        appeal_withdraw(appeal=appeal, actor=actor)
        return Appeal.objects.select_related("ruling", "end").get(pk=appeal.pk)

    @changes("Draft the decision of an appeal", GameRulingBody, DraftSerializer)
    def draft_decision(self, appeal: Appeal, body: dict[str, Any], actor: Actor) -> AppealDraft:
        """Draft the decision of an appeal for a second arbiter, as an arbiter who didn't make the
        ruling."""
        account = self.request.user
        may_rule = account.has_perm("league.rule_on_game", appeal.ruling.outcome)
        if not isinstance(account, User) or not may_rule:
            raise PermissionDenied(REFUSAL)
        decision = decision_of(body)
        finding = finding_of(body, actor.reason)
        return appeal_draft(
            appeal=appeal, decision=decision, finding=finding, author_id=account.pk, key=uuid4()
        )


class AppealDrafts(WriteView):
    """A draft of an appeal's decision, with which a second arbiter agrees."""

    right = None
    noun = "draft"
    club_path = "draft.appeal.ruling.club"
    draft = named_by_id("draft", draft_for, "appeal.ruling.club")

    @changes("Agree with the draft of an appeal's decision", ReasonBody, RulingSerializer)
    def agree_with_draft(self, draft: AppealDraft, body: dict[str, Any], actor: Actor) -> Ruling:
        """Agree as the second arbiter: that makes the ruling, which is final."""
        return appeal_decide(draft=draft, actor=actor)
