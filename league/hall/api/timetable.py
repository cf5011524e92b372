"""Timetables: asking for one, what came of it, moving tables by hand, publishing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.pairing.timetables.timetable_input import WISHES
from games.models.public_id import LENGTH
from league.entries.api.member import MEMBER, MemberShape
from league.events.api.view import actor
from league.events.models import Event
from league.events.queries.event import event_versions
from league.frame.api.body import Body, bad_value, several, value_fault
from league.frame.api.document import change_documented, documented
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
from league.tables.api.member import member_json

Status = Timetable.Status
TAKEN_BACK: Final = "taken_back"
MOST_MOVES: Final = 200
"""So many tables one request may move."""


class CostShape(serializers.Serializer[None]):
    """A wish, how much it isn't met, and how much of that is proven to be without remedy (`bound`)."""

    wish = serializers.ChoiceField(WISHES)
    cost = serializers.IntegerField()
    bound = serializers.IntegerField()


class TimetableShape(serializers.Serializer[None]):
    """A timetable. All but `published` ones are told to organisers alone, and so are `costs` and `warnings`: what is
    wrong with it as things are now. `failure` says why there is none."""

    id = serializers.CharField()
    status = serializers.ChoiceField(Status.choices)
    version = serializers.IntegerField(help_text="Rises with every change by hand.")
    ahead = serializers.BooleanField(help_text="It keeps times for rounds that aren't drawn yet.")
    asked_at = serializers.DateTimeField()
    failure = serializers.ListField(child=serializers.CharField())
    warnings = serializers.ListField(child=serializers.CharField())
    costs = CostShape(many=True)
    url = serializers.CharField()
    tables = serializers.CharField(help_text="The address of its tables.")


class TimedShape(serializers.Serializer[None]):
    """When and where a table is played. `table` is null, and nobody sits there, until its round is drawn and may be
    seen."""

    stage_url = serializers.CharField()
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    slot = serializers.CharField(help_text="The id of the time.")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    place = serializers.CharField(help_text="The id of the place.")
    place_name = serializers.CharField()
    table = serializers.CharField(allow_null=True, help_text="Its address.")
    seats = MemberShape(many=True)


def timetable_json(facts: TimetableFacts, row: Timetable, *, organiser: bool) -> dict[str, Any]:
    """A timetable as it is sent."""
    event = facts.hall.event
    url = f"{event_link(event.club.slug, event.slug)}timetables/{row.public_id}/"
    used = organiser and row.status in (Status.READY, Status.PUBLISHED)
    return {
        "id": row.public_id,
        "status": row.status,
        "version": row.version,
        "ahead": row.ahead,
        "asked_at": row.asked_at,
        "failure": failure_lines(row, names_in(facts)) if row.status == Status.FAILED else [],
        "warnings": warnings(facts, row, facts.assignment(row)) if used else [],
        "costs": [dict(zip(("wish", "cost", "bound"), cost, strict=True)) for cost in row.cost or ()] if used else [],
        "url": url,
        "tables": f"{url}tables/",
    }


def timed_json(event: Event, stage: int, timed: TimedTable) -> dict[str, Any]:
    """A table of a timetable as it is sent."""
    return {
        "stage_url": stage_link(event.club.slug, event.slug, stage),
        "round": timed.key.round,
        "number": timed.key.number,
        "slot": timed.slot.public_id,
        "starts_at": timed.slot.starts_at,
        "ends_at": timed.slot.ends_at,
        "place": timed.place.public_id,
        "place_name": place_name(timed.place),
        "table": table_link(timed.table.id) if timed.table else None,
        "seats": [member_json(member) for member in timed.members],
    }


URL: Final = f"{event_link('zum-stern', 'night-1')}timetables/t4mz8xq2vk/"
EXAMPLE: Final = {
    "id": "t4mz8xq2vk", "status": "ready", "version": 0, "ahead": True, "asked_at": "2026-12-03T18:20:00Z",
    "failure": [], "warnings": [], "costs": [{"wish": "end", "cost": 3, "bound": 3}], "url": URL,
    "tables": f"{URL}tables/",
}  # fmt: skip
TIMED: Final = {
    "stage_url": stage_link("zum-stern", "night-1", 1), "round": 1, "number": 1, "slot": "z2hk8vt5qd",
    "starts_at": "2026-12-03T18:30:00Z", "ends_at": "2026-12-03T19:15:00Z", "place": "c6wq9kx3hm",
    "place_name": "place 1 · Cellar", "table": table_link("w7hq3zt5kd"), "seats": [MEMBER],
}  # fmt: skip


class AskTimetableBody(Body):
    """From which time on tables are planned (without `first`: from the first one), and whether times are kept for
    rounds that aren't drawn yet, too."""

    first = serializers.CharField(required=False, max_length=LENGTH, help_text="The id of a time.")
    ahead = serializers.BooleanField(default=True)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class TimetableStatusBody(Body):
    """Where a timetable shall stand. `taken_back`: what isn't published is dropped, its making stopped; a published one
    is as it was before."""

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

    def timetable(self, facts: TimetableFacts, id: str) -> Timetable:
        """A timetable that is in use, if the viewer may see it. Raises `Timetable.DoesNotExist`."""
        found = next((row for row in self.shown(facts) if row.public_id == id), None)
        if found is None:
            raise Timetable.DoesNotExist
        found.event = facts.hall.event
        return found

    def shown(self, facts: TimetableFacts) -> list[Timetable]:
        """Those that the viewer may see, the newest first."""
        draft = facts.draft if self.runs(facts.hall.event.club) else None
        return [row for row in (draft, facts.published) if row]

    def timetable_now(self, row: Timetable) -> dict[str, Any]:
        """A timetable as it is stored now, as it is sent to organisers."""
        return timetable_json(timetable_facts(row.event), Timetable.objects.get(pk=row.pk), organiser=True)


class Timetables(TimetableView):
    """The timetables of an event, and where organisers ask for one."""

    @documented(
        "list_timetables", "An event's timetables", TimetableShape(many=True), problems=[404], parameters=[Paged],
        example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The timetable that is published; for organisers first the one that isn't yet, if there is one."""
        found = self.event(club, event)
        runs = self.runs(found.club)

        def answer() -> HttpResponseBase:
            facts = timetable_facts(found)
            return self.paged(self.shown(facts), lambda row: timetable_json(facts, row, organiser=runs))

        return self.unless_unchanged((*event_versions(found), runs), answer)

    @change_documented(
        "ask_timetable", "Ask for a timetable", AskTimetableBody, TimetableShape, created=True,
        example={"ahead": True}, answered=EXAMPLE | {"status": "asked", "costs": []},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Ask for a timetable, as an organiser. A job makes it: look at its address until it is `ready` or `failed`.

        One that isn't published is dropped.
        """
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = AskTimetableBody.of(sent.content)
        first = None
        if "first" in said:
            hall = timetable_facts(found).hall
            self.named_slots(hall, [said["first"]], "first")
            first = hall.slot(said["first"])
        who = actor(account, said.get("reason", ""))

        def ask() -> dict[str, Any]:
            asked = timetable_ask(event=found, first=first, ahead=said["ahead"], actor=who)
            asked.event = found
            return self.timetable_now(asked)

        return self.done(sent, ask, status=201)


class OneTimetable(TimetableView):
    """A timetable that was asked for, whether it could be made or not."""

    parameters = SeenBy

    @documented("get_timetable", "A timetable", TimetableShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str, event: str, timetable: str) -> HttpResponseBase:
        """One timetable: where it stands, why it could not be made, or what is wrong with it now."""
        found = self.event(club, event)
        runs = self.runs(found.club)
        facts = timetable_facts(found)
        row = self.timetable(facts, timetable)
        answer = timetable_json(facts, row, organiser=runs)
        return self.unless_unchanged((*event_versions(found), runs, row.public_id), lambda: Response(answer))


class TimetableTables(TimetableView):
    """The tables of a timetable."""

    @documented(
        "list_timetable_tables", "A timetable's tables", TimedShape(many=True), problems=[404], parameters=[Paged],
        example=TIMED,
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str, timetable: str) -> HttpResponseBase:
        """When and where each table of the stage that is played has its place, in order of play."""
        found = self.event(club, event)
        runs = self.runs(found.club)
        facts = timetable_facts(found)
        row = self.timetable(facts, timetable)

        def answer() -> HttpResponseBase:
            grid = timetable_grid(facts, facts.assignment(row), organiser=runs)
            number = facts.stage.stage.number if facts.stage else 0
            return self.paged(grid.tables, lambda timed: timed_json(found, number, timed))

        return self.unless_unchanged((*event_versions(found), runs, row.public_id), answer)


class TimetableMoves(TimetableView):
    """Tables that are moved by hand."""

    @change_documented(
        "move_timetable_tables", "Move tables by hand", MovesBody, TimetableShape,
        example={
            "moves": [{"round": 1, "number": 1, "slot": "z2hk8vt5qd", "place": "c6wq9kx3hm"}],
            "version": 0, "reason": "The cellar is cold.",
        },
        answered=EXAMPLE | {"version": 1},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, timetable: str) -> Response:
        """Play tables at other times or places, as an organiser; of a published timetable that is so at once."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        facts = timetable_facts(found)
        row = self.timetable(facts, timetable)
        sent = self.sent()
        said = MovesBody.of(sent.content)
        moves = self._moves(facts, row, said["moves"])

        def move() -> dict[str, Any]:
            if said["preview"]:
                meant = {**facts.assignment(row), **moves}
                shown = timetable_json(facts, row, organiser=True)
                return {**shown, "warnings": warnings(facts, row, meant)}
            timetable_move(
                timetable=row, moves=moves, version_seen=said["version"], actor=actor(account, said["reason"])
            )
            return self.timetable_now(row)

        return self.done(sent, move)

    @staticmethod
    def _moves(facts: TimetableFacts, row: Timetable, moves: list[dict[str, Any]]) -> Mapping[TableKey, Timed]:
        """What the body names. Raises a problem 400 for what isn't there."""
        stage = facts.stage.stage.public_id if facts.stage else ""
        known = {*facts.assignment(row), *drawn_tables(facts.stage)}
        found: dict[TableKey, Timed] = {}
        faults = []
        for number, move in enumerate(moves):
            key = TableKey(stage, move["round"], move["number"])
            slot, place = facts.hall.slot(move["slot"]), facts.hall.place(move["place"])
            if key not in known:
                faults.append(value_fault(f"/moves/{number}", "The timetable has no such table.", "no_such_table"))
            elif slot is None:
                faults.append(value_fault(f"/moves/{number}/slot", "The event has no such time.", "no_such_slot"))
            elif place is None:
                faults.append(value_fault(f"/moves/{number}/place", "The event has no such place.", "no_such_place"))
            else:
                found[key] = Timed(slot, place)
        if faults:
            raise bad_value(faults)
        return found


class TimetableStatus(TimetableView):
    """Where a timetable stands."""

    @change_documented(
        "move_timetable", "Publish a timetable, or take it back", TimetableStatusBody, TimetableShape,
        example={"status": "published"}, answered=EXAMPLE | {"status": "published"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, timetable: str) -> Response:
        """Let everybody see a timetable, in place of the one before, or take it back, as an organiser."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        row = self.timetable(timetable_facts(found), timetable)
        sent = self.sent()
        said = TimetableStatusBody.of(sent.content)
        service = timetable_publish if said["status"] == Status.PUBLISHED else timetable_take_back

        def move() -> dict[str, Any]:
            service(timetable=row, actor=actor(account, said.get("reason", "")))
            return self.timetable_now(row)

        return self.done(sent, move)
