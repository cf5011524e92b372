"""Timetables: asking for one, what came of it, moving tables by hand, publishing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.pairing.timetables.timetable_input import WISHES
from games.models.public_id import LENGTH
from league.events.api.view import actor
from league.events.queries.event import event_versions
from league.frame.api.body import Body, ModelSerializer, Serializer, bad_value, several, value_fault
from league.frame.api.document import change_documented, documented
from league.frame.api.fields import LinkField
from league.frame.api.links import event_link, stage_link, table_link
from league.frame.api.parameters import Paged, SeenBy
from league.hall.api.hall import HallView
from league.hall.domain.hall import place_name
from league.hall.domain.timetable import (
    TableKey,
    Timed,
    TimetableFacts,
    drawn_tables,
    failure_lines,
    names_in,
    warnings,
)
from league.hall.domain.timetable_grid import TimedTable, timetable_grid
from league.hall.models import Timetable
from league.hall.queries.timetable import timetable_facts
from league.hall.services.timetable import timetable_ask, timetable_move, timetable_publish, timetable_take_back
from league.tables.api.member import MemberSerializer

Status = Timetable.Status
TAKEN_BACK: Final = "taken_back"
MOST_MOVES: Final = 200
"""So many tables one request may move."""


class CostSerializer(Serializer):
    """A wish, how much it isn't met, and how much of that is proven to be without remedy (`bound`)."""

    wish = serializers.ChoiceField(WISHES)
    cost = serializers.IntegerField()
    bound = serializers.IntegerField()


class TimetableSerializer(ModelSerializer[Timetable]):
    """A timetable, in a context with its `facts` and with `organiser`, whether its reader is one. All but `published`
    ones are told to organisers alone, and so are `costs` and `warnings`: what is wrong with it as things are now.
    `failure` says why there is none."""

    id = serializers.CharField(source="public_id")
    failure = serializers.SerializerMethodField()
    warnings = serializers.SerializerMethodField()
    costs = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    tables = serializers.SerializerMethodField(help_text="The address of its tables.")

    class Meta:
        model = Timetable
        fields = ["id", "status", "version", "ahead", "asked_at", "failure", "warnings", "costs", "url", "tables"]
        extra_kwargs = {
            "version": {"help_text": "Rises with every change by hand."},
            "ahead": {"help_text": "It keeps times for rounds that aren't drawn yet."},
        }

    def get_failure(self, row: Timetable) -> list[str]:
        """The reasons why there is none."""
        return failure_lines(row, names_in(self.context["facts"])) if row.status == Status.FAILED else []

    def get_warnings(self, row: Timetable) -> list[str]:
        """The sentences about what is wrong with it as things are now."""
        facts: TimetableFacts = self.context["facts"]
        return warnings(facts, row, facts.assignment(row)) if self._is_told(row) else []

    @extend_schema_field(CostSerializer(many=True))
    def get_costs(self, row: Timetable) -> list[dict[str, Any]]:
        """The wishes and how much each isn't met."""
        costs = row.cost or () if self._is_told(row) else ()
        return [dict(zip(("wish", "cost", "bound"), cost, strict=True)) for cost in costs]

    def get_url(self, row: Timetable) -> str:
        """The address of the timetable."""
        event = self.context["facts"].hall.event
        return f"{event_link(event.club.slug, event.slug)}timetables/{row.public_id}/"

    def get_tables(self, row: Timetable) -> str:
        """The address of its tables."""
        return f"{self.get_url(row)}tables/"

    def _is_told(self, row: Timetable) -> bool:
        return self.context["organiser"] and row.status in (Status.READY, Status.PUBLISHED)


class TimedSerializer(Serializer):
    """The time and the place of a table, in a context with the address of its `stage`. `table` is null, and nobody sits
    there, until its round is drawn and may be seen."""

    stage_url = serializers.SerializerMethodField()
    round = serializers.IntegerField(source="key.round_number")
    number = serializers.IntegerField(source="key.number")
    slot = serializers.CharField(source="slot.public_id", help_text="The id of the time.")
    starts_at = serializers.DateTimeField(source="slot.starts_at")
    ends_at = serializers.DateTimeField(source="slot.ends_at")
    place = serializers.CharField(source="place.public_id", help_text="The id of the place.")
    place_name = serializers.SerializerMethodField()
    table = LinkField(table_link, "table.public_id", allow_null=True, help_text="Its address.")
    seats = MemberSerializer(source="members", many=True)

    def get_stage_url(self, timed: TimedTable) -> str:
        """The address of the stage."""
        return str(self.context["stage"])

    def get_place_name(self, timed: TimedTable) -> str:
        """The place as the hall's pages call it."""
        return place_name(timed.place)


class AskTimetableBody(Body):
    """From which time on tables are planned (without `first`: from the first one), and whether times are kept for
    rounds that aren't drawn yet, too."""

    first = serializers.CharField(required=False, max_length=LENGTH, help_text="The id of a time.")
    ahead = serializers.BooleanField(default=True)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class TimetableStatusBody(Body):
    """The status that a timetable shall have. `taken_back`: what isn't published is dropped, its making stopped; a
    published one is as it was before."""

    status = serializers.ChoiceField([Status.PUBLISHED, TAKEN_BACK])
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class MoveBody(Body):
    """A table, by its round and its number there, and when and where it is to be played."""

    round = serializers.IntegerField(min_value=1, max_value=1000)
    number = serializers.IntegerField(min_value=1, max_value=10_000)
    slot = serializers.CharField(max_length=LENGTH, help_text="The id of a time.")
    place = serializers.CharField(max_length=LENGTH, help_text="The id of a place.")


class MovesBody(Body):
    """Tables of the stage that is played, moved together: two that change places are two moves. `version` is that of
    the timetable which you have seen, so that nobody's change is lost. `preview`: nothing is moved, and the answer
    has the `warnings` that there would be."""

    moves = several(MoveBody, least=1, most=MOST_MOVES)
    version = serializers.IntegerField(min_value=0)
    preview = serializers.BooleanField(default=False)
    reason = serializers.CharField(max_length=500, help_text="The log keeps it for good, so leave names out of it.")


class TimetableView(HallView):
    """A view of timetables: the published one for everybody who sees the event, that and the newest for organisers."""

    def timetable(self, facts: TimetableFacts, timetable_id: str) -> Timetable:
        """A timetable that is in use, if the viewer may see it. Raises `Timetable.DoesNotExist`."""
        timetable = next((row for row in self.visible(facts) if row.public_id == timetable_id), None)
        if timetable is None:
            raise Timetable.DoesNotExist
        timetable.event = facts.hall.event
        return timetable

    def visible(self, facts: TimetableFacts) -> list[Timetable]:
        """Those that the viewer may see, the newest first."""
        draft = facts.draft if self.runs(facts.hall.event.club) else None
        return [row for row in (draft, facts.published) if row]

    def timetable_answer(self, row: Timetable) -> dict[str, Any]:
        """A timetable as it is stored now, as it is sent to organisers."""
        context = {"facts": timetable_facts(row.event), "organiser": True}
        return TimetableSerializer(Timetable.objects.get(pk=row.pk), context=context).data


class Timetables(TimetableView):
    """The timetables of an event, and where organisers ask for one."""

    @documented(
        "list_timetables", "An event's timetables", TimetableSerializer(many=True), problems=[404], parameters=[Paged]
    )
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The timetable that is published; for organisers first the one that isn't yet, if there is one."""
        row = self.event(club, event)
        runs = self.runs(row.club)

        def answer() -> HttpResponseBase:
            facts = timetable_facts(row)
            return self.paged(self.visible(facts), TimetableSerializer, facts=facts, organiser=runs)

        return self.unless_unchanged((*event_versions(row), runs), answer)

    @change_documented(
        "ask_timetable", "Ask for a timetable", AskTimetableBody, TimetableSerializer, created=True,
        example={"ahead": True},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Ask for a timetable, as an organiser. A job makes it: look at its address until it is `ready` or `failed`.

        One that isn't published is dropped.
        """
        row = self.event(club, event)
        account = self.organiser(row.club)
        request_body = self.sent()
        body = AskTimetableBody.of(request_body.content)
        first = None
        if "first" in body:
            hall = timetable_facts(row).hall
            self.named_slots(hall, [body["first"]], "first")
            first = hall.slot(body["first"])
        organiser = actor(account, body.get("reason", ""))

        def ask() -> dict[str, Any]:
            timetable = timetable_ask(event=row, first=first, ahead=body["ahead"], actor=organiser)
            timetable.event = row
            return self.timetable_answer(timetable)

        return self.done(request_body, ask, status=201)


class OneTimetable(TimetableView):
    """A timetable that was asked for, whether it could be made or not."""

    parameters = SeenBy

    @documented("get_timetable", "A timetable", TimetableSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, event: str, timetable: str) -> HttpResponseBase:
        """One timetable: where it stands, why it could not be made, or what is wrong with it now."""
        owner = self.event(club, event)
        runs = self.runs(owner.club)
        facts = timetable_facts(owner)
        row = self.timetable(facts, timetable)
        answer = TimetableSerializer(row, context={"facts": facts, "organiser": runs})
        return self.unless_unchanged((*event_versions(owner), runs, row.public_id), lambda: Response(answer.data))


class TimetableTables(TimetableView):
    """The tables of a timetable."""

    @documented(
        "list_timetable_tables", "A timetable's tables", TimedSerializer(many=True), problems=[404], parameters=[Paged]
    )
    def get(self, request: Request, club: str, event: str, timetable: str) -> HttpResponseBase:
        """The time and the place of each table of the stage that is played, in order of play."""
        owner = self.event(club, event)
        runs = self.runs(owner.club)
        facts = timetable_facts(owner)
        row = self.timetable(facts, timetable)

        def answer() -> HttpResponseBase:
            grid = timetable_grid(facts, facts.assignment(row), organiser=runs)
            number = facts.stage.stage.number if facts.stage else 0
            return self.paged(grid.tables, TimedSerializer, stage=stage_link(club, owner.slug, number))

        return self.unless_unchanged((*event_versions(owner), runs, row.public_id), answer)


class TimetableMoves(TimetableView):
    """Tables that are moved by hand."""

    @change_documented(
        "move_timetable_tables", "Move tables by hand", MovesBody, TimetableSerializer,
        example={
            "moves": [{"round": 1, "number": 1, "slot": "z2hk8vt5qd", "place": "c6wq9kx3hm"}],
            "version": 0, "reason": "The cellar is cold.",
        },
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, timetable: str) -> Response:
        """Play tables at other times or places, as an organiser; of a published timetable that is so at once."""
        owner = self.event(club, event)
        account = self.organiser(owner.club)
        facts = timetable_facts(owner)
        row = self.timetable(facts, timetable)
        request_body = self.sent()
        body = MovesBody.of(request_body.content)
        moves = self._moves(facts, row, body["moves"])

        def move() -> dict[str, Any]:
            if body["preview"]:
                answer = TimetableSerializer(row, context={"facts": facts, "organiser": True}).data
                return {**answer, "warnings": warnings(facts, row, {**facts.assignment(row), **moves})}
            timetable_move(
                timetable=row, moves=moves, version_seen=body["version"], actor=actor(account, body["reason"])
            )
            return self.timetable_answer(row)

        return self.done(request_body, move)

    @staticmethod
    def _moves(facts: TimetableFacts, row: Timetable, moves: list[dict[str, Any]]) -> Mapping[TableKey, Timed]:
        """The moves that the body names. Raises a problem 400 for what isn't there."""
        stage = facts.stage.stage.public_id if facts.stage else ""
        tables = {*facts.assignment(row), *drawn_tables(facts.stage)}
        times: dict[TableKey, Timed] = {}
        faults = []
        for number, move in enumerate(moves):
            key = TableKey(stage, move["round"], move["number"])
            slot, place = facts.hall.slot(move["slot"]), facts.hall.place(move["place"])
            if key not in tables:
                faults.append(value_fault(f"/moves/{number}", "The timetable has no such table.", "no_such_table"))
            elif slot is None:
                faults.append(value_fault(f"/moves/{number}/slot", "The event has no such time.", "no_such_slot"))
            elif place is None:
                faults.append(value_fault(f"/moves/{number}/place", "The event has no such place.", "no_such_place"))
            else:
                times[key] = Timed(slot, place)
        if faults:
            raise bad_value(faults)
        return times


class TimetableStatus(TimetableView):
    """The status of a timetable."""

    @change_documented(
        "move_timetable", "Publish a timetable, or take it back", TimetableStatusBody, TimetableSerializer,
        example={"status": "published"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, timetable: str) -> Response:
        """Let everybody see a timetable, in place of the one before, or take it back, as an organiser."""
        owner = self.event(club, event)
        account = self.organiser(owner.club)
        row = self.timetable(timetable_facts(owner), timetable)
        request_body = self.sent()
        body = TimetableStatusBody.of(request_body.content)
        service = timetable_publish if body["status"] == Status.PUBLISHED else timetable_take_back

        def move() -> dict[str, Any]:
            service(timetable=row, actor=actor(account, body.get("reason", "")))
            return self.timetable_answer(row)

        return self.done(request_body, move)
