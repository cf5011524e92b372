"""Timetables: asking for one, what came of it, moving tables by hand, publishing it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.pairing.timetables.timetable_input import WISHES
from games.models.public_id import LENGTH
from league.core.frame.api.links import stage_link, table_link, timetable_link
from league.core.frame.api.operation import reads
from league.core.frame.api.problems import bad_value, value_fault
from league.core.frame.api.serializers import (
    Body,
    FormattedField,
    LinkField,
    ModelSerializer,
    Serializer,
    TimeField,
    list_of,
)
from league.core.log.services import Actor
from league.events.event.models import Event
from league.floor.hall.api import OF_EVENT, HallView
from league.floor.hall.domain.hall import place_name
from league.floor.timetable.domain.timetable import (
    TableKey,
    Timed,
    TimetableFacts,
    drawn_tables,
    failure_lines,
    names_in,
    warnings,
)
from league.floor.timetable.domain.timetable_grid import TimedTable, timetable_grid
from league.floor.timetable.models import Timetable
from league.floor.timetable.queries import timetable_facts
from league.floor.timetable.services import (
    timetable_ask,
    timetable_move,
    timetable_publish,
    timetable_take_back,
)
from league.stages.stage.api.view import MemberSerializer
from league.standings.ranking.api.view import ReasonBody, changes

Status = Timetable.Status
PUBLISHED: Final = {"status": "published"}
MOVES: Final = {
    "moves": [{"round": 1, "number": 1, "slot": "z2hk8vt5qd", "place": "c6wq9kx3hm"}],
    "version": 0,
    "reason": "The cellar is cold.",
}
TAKEN_BACK: Final = "taken_back"


class CostSerializer(Serializer):
    """A wish, by how much it isn't met, and how much of that can't be avoided for sure "
    "(`bound`)."""

    wish = serializers.ChoiceField(WISHES)
    cost = serializers.IntegerField()
    bound = serializers.IntegerField()


class TimetableSerializer(ModelSerializer[Timetable]):
    """A timetable, in a context with its `facts` and with `organiser`, whether its reader is one;
    perhaps with `moves` that are to be previewed. All but `published` ones are told to organisers
    alone, and so are `costs` and `warnings`: what is wrong with it as things are now. `failure`
    says why there is none."""

    failure = serializers.SerializerMethodField()
    warnings = serializers.SerializerMethodField()
    costs = serializers.SerializerMethodField()
    url = LinkField(timetable_link, *OF_EVENT, help_text="The address of the timetable.")
    tables = LinkField(
        timetable_link, *OF_EVENT, tail="tables/", help_text="The address of its tables."
    )

    class Meta:
        model = Timetable
        fields = [
            "id",
            "status",
            "version",
            "ahead",
            "asked_at",
            "failure",
            "warnings",
            "costs",
            "url",
            "tables",
        ]
        help_texts = {
            "version": "Rises with every change by hand.",
            "ahead": "It keeps times for rounds that aren't drawn yet.",
        }

    def get_failure(self, row: Timetable) -> list[str]:
        """Return the reasons why there is none."""
        if row.status == Status.FAILED:
            return failure_lines(row, names_in(self.context["facts"]))
        return []

    def get_warnings(self, row: Timetable) -> list[str]:
        """Return the sentences about what is wrong with it now."""
        facts: TimetableFacts = self.context["facts"]
        moves = self.context.get("moves", {})
        if self._shows_details(row):
            return warnings(facts, row, {**facts.assignment(row), **moves})
        return []

    @extend_schema_field(CostSerializer(many=True))
    def get_costs(self, row: Timetable) -> list[dict[str, Any]]:
        """Return the wishes and how much each isn't met."""
        costs = row.cost or () if self._shows_details(row) else ()
        return [dict(zip(("wish", "cost", "bound"), cost, strict=True)) for cost in costs]

    def _shows_details(self, row: Timetable) -> bool:
        return self.context["organiser"] and row.status in (Status.READY, Status.PUBLISHED)


class TimedSerializer(Serializer):
    """The time and the place of a table, in a context with the address of its `stage`. `table` is
    null, and nobody sits there, until its round is drawn and may be seen."""

    stage_url = serializers.SerializerMethodField()
    round_ = serializers.IntegerField(source="key.round_number")
    number = serializers.IntegerField(source="key.number")
    slot = serializers.CharField(source="slot.public_id", help_text="The id of the time.")
    starts_at = TimeField(source="slot.starts_at")
    ends_at = TimeField(source="slot.ends_at")
    place = serializers.CharField(source="place.public_id", help_text="The id of the place.")
    place_name = FormattedField(
        place_name, "place", help_text="The name of the place on the hall's pages."
    )
    table = LinkField(table_link, "table.public_id", allow_null=True, help_text="Its address.")
    seats = MemberSerializer(source="members", many=True)

    def get_stage_url(self, timed: TimedTable) -> str:
        """Return the address of the stage."""
        return str(self.context["stage"])


class AskTimetableBody(ReasonBody):
    """From which time on tables are planned (without `first`: from the first one), and whether to
    keep times for rounds that aren't drawn yet, too."""

    first = serializers.CharField(required=False, max_length=LENGTH, help_text="The id of a time.")
    ahead = serializers.BooleanField(default=True)


class TimetableStatusBody(ReasonBody):
    """The new status of a timetable. `taken_back`: an unpublished one is dropped, or no longer
    made; a published one is unpublished again."""

    status = serializers.ChoiceField([Status.PUBLISHED, TAKEN_BACK])


class MoveBody(Body):
    """A table, by its round and its number there, and when and where it is to be played."""

    round_ = serializers.IntegerField(min_value=1, max_value=1000)
    number = serializers.IntegerField(min_value=1, max_value=10_000)
    slot = serializers.CharField(max_length=LENGTH, help_text="The id of a time.")
    place = serializers.CharField(max_length=LENGTH, help_text="The id of a place.")


class MovesBody(Body):
    """Tables of the stage in play, moved together: swapping two tables takes two moves. `version`
    is that of the timetable you have seen, so that nobody's change is lost. `preview`: nothing is
    moved, and the answer has the `warnings` that there would be."""

    moves = list_of(MoveBody, least=1)
    version = serializers.IntegerField(min_value=0)
    preview = serializers.BooleanField(default=False)
    reason = serializers.CharField(
        max_length=500,
        help_text="Everybody who can read the log sees this, so leave names out of it.",
    )


class Timetables(HallView):
    """The timetables of an event: the published one for everybody who can see the event, that one
    and the newest for organisers."""

    moves: Mapping[TableKey, Timed] = MappingProxyType({})

    def get_object(self) -> Any:
        """Return the timetable, or the event. Raise `Timetable.DoesNotExist` where the viewer may
        not see it."""
        if "timetable" not in self.kwargs:
            return self.event
        rows = self.event.timetables.exclude(status=Status.DROPPED)
        return (rows if self.runs else rows.filter(status=Status.PUBLISHED)).get(
            public_id=self.kwargs["timetable"]
        )

    def get_serializer_context(self) -> dict[str, Any]:
        """Return all that timetables are made from, the moves to preview, and whether the reader is
        an organiser."""
        return {"facts": timetable_facts(self.event), "moves": self.moves, "organiser": self.runs}

    @reads("An event's timetables", TimetableSerializer(many=True))
    def list_timetables(self, event: Event) -> HttpResponseBase:
        """The published timetable; for organisers, the unpublished one comes first, if there is
        one."""
        context = self.get_serializer_context()
        rows = (context["facts"].draft if self.runs else None, context["facts"].published)
        return self.paged([row for row in rows if row], TimetableSerializer, **context)

    @changes(
        "Make a timetable",
        AskTimetableBody,
        TimetableSerializer,
        created=True,
        example={"ahead": True},
    )
    def ask_timetable(self, event: Event, body: dict[str, Any], actor: Actor) -> Timetable:
        """Make a timetable, as an organiser. A job makes it: poll its address until it's `ready`
        or `failed`. An unpublished timetable is dropped.
        """
        (first,) = self.named_slots([body["first"]], "first") if "first" in body else [None]
        return event.timetables.get(
            pk=timetable_ask(event=event, first=first, ahead=body["ahead"], actor=actor).pk
        )

    @reads("A timetable", TimetableSerializer)
    def get_timetable(self, timetable: Timetable) -> Timetable:
        """One timetable: its status, why it couldn't be made, or what is wrong with it now."""
        return timetable

    @reads("A timetable's tables", TimedSerializer(many=True))
    def list_timetable_tables(self, timetable: Timetable) -> HttpResponseBase:
        """The time and the place of each table of the stage in play, in order of play."""
        facts = timetable_facts(self.event)
        grid = timetable_grid(facts, facts.assignment(timetable), organiser=self.runs)
        number = facts.stage.stage.number if facts.stage else 0
        return self.paged(
            grid.tables, TimedSerializer, stage=stage_link(self.club.slug, self.event.slug, number)
        )

    @changes("Move tables by hand", MovesBody, TimetableSerializer, example=MOVES)
    def move_timetable_tables(
        self, timetable: Timetable, body: dict[str, Any], actor: Actor
    ) -> Timetable:
        """Play tables at other times or places, as an organiser; of a published timetable that is
        so at once."""
        self.moves = self._requested_moves(timetable, body["moves"])
        if not body["preview"]:
            timetable_move(
                timetable=timetable, moves=self.moves, version_seen=body["version"], actor=actor
            )
        return self.event.timetables.get(pk=timetable.pk)

    @changes(
        "Publish a timetable, or take it back",
        TimetableStatusBody,
        TimetableSerializer,
        example=PUBLISHED,
    )
    def move_timetable(self, timetable: Timetable, body: dict[str, Any], actor: Actor) -> Timetable:
        """Publish a timetable in place of the one before, or take it back, as an organiser."""
        service = timetable_publish if body["status"] == Status.PUBLISHED else timetable_take_back
        service(timetable=timetable, actor=actor)
        return self.event.timetables.get(pk=timetable.pk)

    def _requested_moves(
        self, timetable: Timetable, moves: list[dict[str, Any]]
    ) -> Mapping[TableKey, Timed]:
        facts = timetable_facts(self.event)
        stage = facts.stage.stage.public_id if facts.stage else ""
        tables = {*facts.assignment(timetable), *drawn_tables(facts.stage)}
        times: dict[TableKey, Timed] = {}
        faults = []
        for number, move in enumerate(moves):
            key = TableKey(stage, move["round"], move["number"])
            slot = facts.hall.slot(move["slot"])
            place = facts.hall.place(move["place"])
            if key not in tables:
                faults.append(
                    value_fault(
                        f"/moves/{number}", "The timetable has no such table.", "no_such_table"
                    )
                )
            elif slot is None:
                faults.append(
                    value_fault(
                        f"/moves/{number}/slot", "The event has no such time.", "no_such_slot"
                    )
                )
            elif place is None:
                faults.append(
                    value_fault(
                        f"/moves/{number}/place", "The event has no such place.", "no_such_place"
                    )
                )
            else:
                times[key] = Timed(slot, place)
        if faults:
            raise bad_value(faults)
        return times
