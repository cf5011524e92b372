"""Objections to results, for programs: raised, read, and withdrawn."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

from games.models import Game
from league.core.frame.api.links import game_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import (
    Body,
    LinkField,
    ModelSerializer,
    RowSerializer,
    TimeField,
)
from league.core.log.queries import log_end
from league.core.log.services import Actor
from league.core.player.api import PlayerSerializer
from league.disputes.objection.models import Objection, ObjectionEnd
from league.disputes.objection.queries.objection import (
    may_withdraw,
    objection_for,
    objection_rows,
    open_of_club,
    open_of_event,
    own_seat_of,
)
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.standings.ranking.api.view import GameView, WriteView, changes, named_by_id
from league.standings.season.queries.listing import Rows

OWN: Final = "This is for the players of the game, or for arbiters and organisers of the club."


class ObjectionSerializer(RowSerializer):
    """An objection of a seat to the result of its game. `way`, `reason` and `ended_at` are null
    while it is open."""

    id_ = serializers.CharField(source="public_id")
    game = LinkField(game_link, "game__public_id", help_text="The address of the game.")
    record_id = serializers.CharField(
        source="game__external_id", help_text="The id in the game's record."
    )
    seat = serializers.IntegerField(help_text="Counted clockwise from 0.")
    player = PlayerSerializer(
        source="*", columns=("player", "handle", "name"), help_text="The player in that seat."
    )
    word = serializers.CharField(help_text="Empty if it was removed because it named somebody.")
    role = serializers.CharField(
        help_text="player: the seat itself; else the role of the account that objected for it."
    )
    raised_at = TimeField()
    reminded_at = TimeField(
        source="reminder__reminded_at",
        allow_null=True,
        help_text="When those who rule on it were reminded, after three days. null: they haven't "
        "been.",
    )
    escalated_at = TimeField(
        source="reminder__escalated_at",
        allow_null=True,
        help_text=(
            "When all arbiters and organisers were told that it is waiting, after seven days. "
            "null: they haven't been."
        ),
    )
    way = serializers.ChoiceField(ObjectionEnd.Way.choices, source="end__way", allow_null=True)
    reason = serializers.CharField(
        source="end__reason", allow_null=True, help_text="Why the result stands."
    )
    ended_at = TimeField(source="end__ended_at", allow_null=True)


class ObjectionBody(ModelSerializer[Objection]):
    """An objection: a few words why, and for which seat; your own if none is named."""

    class Meta:
        model = Objection
        fields = ["seat", "word"]
        extra_kwargs = {"seat": {"required": False}}
        help_texts = {"seat": "Counted clockwise from 0."}


class ObjectionEndBody(Body):
    """The end of an objection: the seat withdraws it. Others end it by a ruling on the game."""

    way = serializers.ChoiceField([ObjectionEnd.Way.WITHDRAWN.value])


class GameObjections(GameView, WriteView):
    """Objections to one game."""

    right = None

    @changes(
        "Object to a result",
        ObjectionBody,
        ObjectionSerializer,
        example={"word": "The last die was a star."},
    )
    def raise_objection(self, game: Game, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Object to a game's result for the seat of the key's account, or as an arbiter or
        organiser for any seat.

        Until the objection ends, the game is `provisional`; it still counts.
        """
        own_seat = own_seat_of(game, actor.account_id)
        seat = body.get("seat", own_seat)
        if seat is None:
            raise PermissionDenied(OWN, "not_your_seat")
        if seat != own_seat and not self.request.user.has_perm("league.correct_game", game):
            raise PermissionDenied(OWN, "not_your_seat")
        objection = objection_raise(game=game, seat=seat, word=body["word"], actor=actor)
        return _row(objection.pk)


class ClubCases(WriteView):
    """The open cases of a club, for its arbiters and organisers."""

    right = "league.correct_games"
    refusal = "Arbiters and organisers of the club may do this."


class EventCases(EventWriteView):
    """The open cases of one event, also for those who are arbiters at this event alone."""

    right = "league.rule_event"
    refusal = "Arbiters and organisers of the club or the event may do this."

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the event, and the end of the club's log, which has an entry for
        each objection, hearing and appeal."""
        return (*super().versions(), log_end(self.club.pk))


class Objections(ClubCases):
    """The open objections of a club."""

    def get_object(self) -> Rows:
        """Return the open objections, each with the player of its seat."""
        return objection_rows(open_of_club(self.club))

    @reads("A club's open objections", ObjectionSerializer(many=True), for_writers=True)
    def list_objections(self, objections: Rows) -> Rows:
        """Return the objections waiting for a ruling, the oldest first; for arbiters and
        organisers."""
        return objections


class EventObjections(EventCases):
    """The open objections to games of one event."""

    @reads("An event's open objections", ObjectionSerializer(many=True), for_writers=True)
    def list_event_objections(self, event: Event) -> Rows:
        """Return the objections at an event waiting for a ruling, the oldest first; for those who rule
        there."""
        return objection_rows(open_of_event(event))


class ObjectionEnds(WriteView):
    """The end of one objection."""

    right = None
    noun = "objection"
    club_path = "objection.game.season_game.season.club"
    objection = named_by_id("objection", objection_for, "game.season_game.season.club")

    @changes(
        "End an objection", ObjectionEndBody, ObjectionSerializer, example={"way": "withdrawn"}
    )
    def end_objection(
        self, objection: Objection, body: dict[str, Any], actor: Actor
    ) -> dict[str, Any]:
        """Withdraw your own objection. Arbiters end objections by a ruling on the game."""
        if not may_withdraw(self.request.user, objection):
            raise PermissionDenied(OWN, "not_your_seat")
        return _row(objection_withdraw(objection=objection, actor=actor).pk)


def _row(objection_id: int) -> dict[str, Any]:
    return dict(objection_rows(Objection.objects.filter(pk=objection_id)).get())
