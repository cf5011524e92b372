"""Calls for the arbiter, for programs: made, taken back, listed and ruled on."""

from __future__ import annotations

from typing import Any, Final

from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from engine.sheet.case import CASES
from engine.sheet.versions import ONLINE
from games.services.aside import AddedAside
from games.services.open_game import KeyEnded, Writer
from league.core.frame.api.links import open_game_link, table_link
from league.core.frame.api.operation import CHANGING, change_documented, reads
from league.core.frame.api.serializers import Body, LinkField, Serializer, TimeField
from league.core.log.queries import log_end
from league.disputes.call.queries import (
    OpenCall,
    call_for,
    calls_version,
    club_calls,
    event_calls,
    open_call,
)
from league.disputes.call.services import call_make, call_rule, call_take_back
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.sheets.device.queries import seat_of
from league.sheets.sheet.api import OpenGames, key_ended
from league.sheets.sheet.domain.call import cases_in_words
from league.sheets.sheet.models import ClubOpenGame
from league.standings.ranking.api.view import WriteView, named_by_id


def _decision_codes() -> list[str]:
    codes: set[str] = set()
    for cases in CASES.values():
        for case in cases.values():
            codes.update(decision.code for decision in case.decisions)
    return sorted(codes)


CASE_CODES: Final = sorted({code for cases in CASES.values() for code in cases})
DECISION_CODES: Final = _decision_codes()
KEY_OF_YOURS: Final = (
    "A name of your choice for this request. Sending the same again changes nothing."
)
RULING: Final = {
    "key": "0198f0c2-55aa-7c1e-9a51-2a4a2f0f7f10",
    "call": 12,
    "case": "taken_back",
    "decision": "stands",
}


class OpenCallSerializer(Serializer):
    """A table that calls the arbiter."""

    call = serializers.IntegerField(
        source="number", help_text="The number of the entry: a ruling names it."
    )
    place = serializers.CharField(help_text="The table, or the season of a game without one.")
    round_ = serializers.IntegerField(
        source="round_number", help_text="The round being played at the time, from 1."
    )
    called_at = TimeField()
    seat = serializers.IntegerField(
        allow_null=True, help_text="The seat that called, at an online table; from 0."
    )
    names = serializers.ListField(
        child=serializers.CharField(), help_text="The players at the table, in seat order."
    )
    game = serializers.CharField(source="row.open_game.kind")
    table = LinkField(
        table_link,
        "row.table.public_id",
        allow_null=True,
        help_text="Null for a game without a table.",
    )
    open_game = LinkField(open_game_link, "row.open_game.public_id")


class DecisionSerializer(Serializer):
    """A decision that can be made in a case."""

    code = serializers.CharField()
    title = serializers.CharField(source="label")
    then = serializers.CharField(help_text="What the table does next.")


class CaseSerializer(Serializer):
    """A usual case."""

    code = serializers.CharField()
    ruling = serializers.CharField(
        allow_blank=True, help_text="The number of its rule; empty if there is none."
    )
    title = serializers.CharField()
    text = serializers.CharField()
    decisions = DecisionSerializer(many=True)


class TableCallSerializer(Serializer):
    """The open call at a table, if there is one, and the cases by which it can be ruled on."""

    open_call = OpenCallSerializer(allow_null=True)
    cases = CaseSerializer(many=True)


class AsideSerializer(Serializer):
    """A call, its end or a ruling, as an entry of the sheet."""

    number = serializers.IntegerField(
        source="entry.number", help_text="The number of the entry, from 0."
    )
    act = serializers.CharField(source="entry.act")
    length = serializers.IntegerField(source="sheet.length")


class CallBody(Body):
    """A call, or its end."""

    key = serializers.UUIDField(help_text=KEY_OF_YOURS)


class RulingBody(Body):
    """The answer to a call."""

    key = serializers.UUIDField(help_text=KEY_OF_YOURS)
    call = serializers.IntegerField(
        min_value=0, max_value=100_000, help_text="The number of the call’s entry."
    )
    case = serializers.ChoiceField(CASE_CODES)
    decision = serializers.ChoiceField(DECISION_CODES, help_text="One of the case's decisions.")


class Calls(OpenGames):
    """The call for the arbiter at one open game, for those who write or play there."""

    @reads("The call at a table", TableCallSerializer)
    def get_call(self, row: ClubOpenGame) -> dict[str, Any]:
        """Return the open call at an open game, and the usual cases with their decisions, in your
        language."""
        cases = cases_in_words(row.open_game.kind, dealt=row.open_game.sheet.version == ONLINE)
        return {"open_call": open_call(row), "cases": cases}

    @change_documented(
        "Call the arbiter",
        {"application/json": CallBody},
        {200: AsideSerializer, 201: AsideSerializer},
        words=CHANGING,
    )
    def make_call(self, request: Request, open_game: str) -> Response:
        """Call the arbiter to the table, as somebody who writes there or plays at an online table.
        The table can play on in the meantime."""
        return self._answer(call_make)

    @change_documented(
        "Withdraw a call",
        {"application/json": CallBody},
        {200: AsideSerializer, 201: AsideSerializer},
        words=CHANGING,
    )
    def take_call_back(self, request: Request, open_game: str) -> Response:
        """Withdraw the open call, as the one who made it."""
        return self._answer(call_take_back)

    def _answer(self, service: Any) -> Response:
        writer = self.caller()
        self.refuse_ended()
        key = CallBody.of(self.sent().content)["key"]
        try:
            aside: AddedAside = service(row=self.row, writer=writer, key=key)
        except KeyEnded:
            raise key_ended() from None
        status = 201 if aside.created else 200
        return Response(self.represent(AsideSerializer, aside), status=status)

    def caller(self) -> Writer:
        """Return who calls the arbiter: the writer of the sheet, or the seat at an online table.
        Raise `PermissionDenied`."""
        if self.row.open_game.sheet.version != ONLINE:
            return self.pen(self.row)
        account = self.known_account(self.club)
        seat = seat_of(self.row, Writer(account=(account.pk, account.public_id)))
        if seat is None:
            raise PermissionDenied(
                "Only the players of an online table can call the arbiter from it.", "not_your_seat"
            )
        return Writer(seat=seat)


class TableRulings(WriteView):
    """Rulings at one table."""

    right = "league.rule_at_table"
    ground = "row"
    refusal = "Arbiters and organisers of the club or the event may do this."
    noun = "row"
    club_path = "row.club"
    row = named_by_id("open_game", call_for, "club")

    @change_documented(
        "Rule on a call",
        {"application/json": RulingBody},
        {200: AsideSerializer, 201: AsideSerializer},
        examples=[OpenApiExample("A ruling", RULING, request_only=True)],
        words=CHANGING,
    )
    def rule_on_call(self, request: Request, open_game: str) -> Response:
        """Answer a call with a decision in one of the usual cases, as an arbiter or organiser who
        neither plays at the table nor wrote on its sheet. The ruling is an entry of the sheet, and
        doesn't change the game."""
        account = self.writer()
        ruler = Writer(account=(account.pk, account.public_id))
        aside = call_rule(row=self.row, ruler=ruler, **RulingBody.of(self.sent().content))
        status = 201 if aside.created else 200
        return Response(self.represent(AsideSerializer, aside), status=status)


class ClubCalls(WriteView):
    """The open calls of a club, for its arbiters and organisers."""

    right = "league.correct_games"
    refusal = "Arbiters and organisers of the club may do this."

    @cached_property
    def calls(self) -> list[OpenCall]:
        """The open calls."""
        return club_calls(self.club)

    def get_object(self) -> list[OpenCall]:
        """Return the open calls for the list."""
        return self.calls

    def versions(self) -> tuple[object, ...]:
        """Return the version of the calls, and the end of the club's log, since names can
        change."""
        return (calls_version(self.calls), log_end(self.club.pk))

    @reads("A club's open calls", OpenCallSerializer(many=True), for_writers=True)
    def list_calls(self, calls: list[OpenCall]) -> list[OpenCall]:
        """Return the tables that call the arbiter, the oldest call first; for arbiters and
        organisers."""
        return calls


class EventCalls(EventWriteView):
    """The open calls of an event, also for those who are arbiters at this event alone."""

    right = "league.rule_event"
    refusal = "Arbiters and organisers of the club or the event may do this."

    @cached_property
    def calls(self) -> list[OpenCall]:
        """The open calls."""
        return event_calls(self.event)

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the event and of the calls, and the end of the club's log."""
        return (*super().versions(), calls_version(self.calls), log_end(self.club.pk))

    @reads("An event's open calls", OpenCallSerializer(many=True), for_writers=True)
    def list_event_calls(self, event: Event) -> list[OpenCall]:
        """Return the tables of an event that call the arbiter, the oldest call first; for those who
        rule there."""
        return self.calls
