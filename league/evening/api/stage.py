"""Stages: planning them, changing them, starting and finishing them."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.scoring.stage.rules import StageTieBreak
from games.models.public_id import LENGTH
from league.clubs.api.player import named
from league.entries.api.entry import EntriesWriteView
from league.entries.models import Entry
from league.evening.services.stage import stage_finish, stage_restart, stage_resume, stage_set_back, stage_start
from league.events.api.view import EventWriteView, actor
from league.events.models import Event
from league.events.queries.event import event_versions
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.links import stage_link
from league.frame.api.parameters import Paged, SeenBy
from league.frame.names import all_seen
from league.log.services import Actor
from league.placings.queries.seeding import entrants
from league.seasons.api.view import SeenListView
from league.stages.models import Format, Seeding, Stage, StageScoring
from league.stages.queries.access import stage_of
from league.stages.queries.stage import stage_before
from league.stages.services.stage import SETTINGS, stage_change, stage_create, stage_drop
from league.tables.api.member import MemberSerializer
from league.tables.api.view import StageView, stage_versions
from league.tables.queries.stage import stage_facts

MOST: Final = 10_000
"""So many can be seeded by hand."""
TIE_BREAKS: Final = [(one.value, one.value.replace("_", " ")) for one in StageTieBreak]
DROPPED: Final = "dropped"
"""The status of a planned stage that is taken out of its event: there is no such stage any more."""


class StageShape(serializers.Serializer[None]):
    """A stage of an event. `bracket` is null unless it is a knock-out."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Stage.Status.choices)
    format = serializers.ChoiceField(Format.choices)
    sizes = serializers.ListField(child=serializers.IntegerField(), help_text="Table sizes, the wanted one first.")
    rounds = serializers.IntegerField(allow_null=True, help_text="How many are planned; null for a knock-out.")
    groups = serializers.IntegerField()
    advance = serializers.IntegerField(help_text="How many of a table of a knock-out go on.")
    third = serializers.BooleanField()
    takes = serializers.IntegerField(
        allow_null=True, help_text="How many of each group of the stage before take part; null: all who are checked in."
    )
    carry = serializers.BooleanField(help_text="Points of the stage before count on.")
    games = serializers.IntegerField(help_text="How many a table plays.")
    scoring = serializers.ChoiceField(StageScoring.choices)
    tie_breaks = serializers.ListField(child=serializers.ChoiceField(TIE_BREAKS))
    seeding = serializers.ChoiceField(Seeding.choices)
    url = serializers.CharField()
    rounds_url = serializers.CharField()
    ranking = serializers.CharField()
    file = serializers.CharField(help_text="The address of the stage file of its first group.")
    bracket = serializers.CharField(allow_null=True)


def stage_json(stage: Stage) -> dict[str, Any]:
    """A stage, with event and club, as it is sent."""
    url = stage_link(stage.event.club.slug, stage.event.slug, stage.number)
    return {
        "id": stage.public_id,
        "number": stage.number,
        "status": stage.status,
        **{name: getattr(stage, name) for name in SETTINGS},
        "url": url,
        "rounds_url": f"{url}rounds/",
        "ranking": f"{url}ranking/",
        "file": f"{url}file/",
        "bracket": f"{url}bracket/" if stage.knock_out else None,
    }


URL: Final = stage_link("zum-stern", "night-1", 1)
SAID: Final = {
    "name": "Main", "format": "swiss", "sizes": [4, 3], "rounds": 3, "groups": 1, "advance": 1, "third": False,
    "takes": None, "carry": False, "games": 1, "scoring": "placement",
    "tie_breaks": ["head_to_head", "wins", "opponents_score", "lots"], "seeding": "lots",
}  # fmt: skip
EXAMPLE: Final = {
    "id": "r3vz8mk5tq", "number": 1, "status": "planned", **SAID, "url": URL, "rounds_url": f"{URL}rounds/",
    "ranking": f"{URL}ranking/", "file": f"{URL}file/", "bracket": None,
}  # fmt: skip


class StageBody(Body):
    """What an organiser says of a stage. Once it has started only `name`, `rounds`, `tie_breaks` and, but for a
    knock-out, the `sizes` behind the first can change."""

    name = serializers.CharField(max_length=80, validators=[all_seen])
    format = serializers.ChoiceField(Format.choices)
    sizes = serializers.ListField(
        child=serializers.IntegerField(min_value=2, max_value=6), min_length=1, max_length=5,
        help_text="Table sizes, the wanted one first.",
    )  # fmt: skip
    rounds = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=40)
    groups = serializers.IntegerField(required=False, min_value=1, max_value=64)
    advance = serializers.IntegerField(required=False, min_value=1, max_value=5)
    third = serializers.BooleanField(required=False)
    takes = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=1000)
    carry = serializers.BooleanField(required=False)
    games = serializers.IntegerField(required=False, min_value=1, max_value=9)
    scoring = serializers.ChoiceField(StageScoring.choices, required=False)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(TIE_BREAKS), required=False, max_length=len(StageTieBreak)
    )
    seeding = serializers.ChoiceField(Seeding.choices, required=False)


class StageStatusBody(Body):
    """Where a stage shall stand: `running` starts it, or lets a finished one go on; `planned` undoes the start, and
    `with_results` what was played since, in later stages too; `dropped` takes a planned one out of the event."""

    status = serializers.ChoiceField([*Stage.Status.values, DROPPED])
    order = serializers.ListField(
        child=serializers.CharField(max_length=LENGTH), required=False, max_length=MOST,
        help_text="Of a start by a seeding by hand: ids of entries, the best first.",
    )  # fmt: skip
    with_results = serializers.BooleanField(default=False)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class Stages(EventWriteView, SeenListView):
    """The stages of an event, and where organisers plan one more."""

    parameters = Paged

    @documented(
        "list_stages", "An event's stages", StageShape(many=True), problems=[404], parameters=[Paged], example=EXAMPLE
    )
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The stages of an event, in the order in which they are played."""
        found = self.event(club, event)
        return self.unless_unchanged(event_versions(found), lambda: self.paged(self._rows(found), stage_json))

    @staticmethod
    def _rows(event: Event) -> list[Stage]:
        stages = list(Stage.objects.filter(event=event).order_by("number"))
        for stage in stages:
            stage.event = event
        return stages

    @change_documented(
        "create_stage", "Plan a stage", StageBody, StageShape, example=SAID, answered=EXAMPLE, created=True
    )
    def post(self, request: Request, club: str, event: str) -> Response:
        """Plan one more stage of an event, as an organiser."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = StageBody.of(sent.content)
        return self.done(sent, lambda: stage_json(stage_create(event=found, actor=actor(account), **said)), status=201)


class OneStage(StageView, EventWriteView):
    """One stage, by its number in the event."""

    @documented("get_stage", "A stage", StageShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """One stage, by its number."""
        found = self.stage(club, event, stage)
        return self.unless_unchanged(stage_versions(found), lambda: Response(stage_json(found)))

    @change_documented(
        "change_stage", "Change a stage", StageBody(partial=True), StageShape, example={"rounds": 4},
        answered=EXAMPLE | {"rounds": 4},
    )  # fmt: skip
    def patch(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Change what is said of a stage, as an organiser; what is left out stays."""
        found = self.stage(club, event, stage)
        account = self.organiser(found.event.club)
        sent = self.sent()
        said = StageBody.of(sent.content, partial=True)

        def change() -> dict[str, Any]:
            stage_change(stage=found, actor=actor(account), **said)
            return stage_json(found)

        return self.done(sent, change)


class StageStatus(StageView, EntriesWriteView):
    """Where a stage stands."""

    @change_documented(
        "move_stage", "Start, finish, or set back a stage", StageStatusBody, StageShape, example={"status": "running"},
        answered=EXAMPLE | {"status": "running"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Start a stage with those who are there, finish it, or undo either, as an organiser."""
        found = self.stage(club, event, stage)
        account = self.organiser(found.event.club)
        sent = self.sent()
        said = StageStatusBody.of(sent.content)
        order = self.named_entries(found.event, said.get("order", []), member="order")

        def move() -> dict[str, Any]:
            with transaction.atomic():
                stored = Stage.objects.get(pk=found.pk)
                stored.event = found.event
                _move(stored, said, order, actor(account, said.get("reason", "")))
                return stage_json(stored)

        return self.done(sent, move)


class StageSeeding(EventWriteView, SeenListView):
    """In which order those who take part in a stage are seeded."""

    @documented("list_seeding", "A stage's seeding", MemberSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """Who takes part, the best seeded first; for organisers. Before the start that is as the stage would be seeded
        now, and nobody as long as the stage before isn't over."""
        found = stage_of(self.run_event(club, event), stage)

        def answer() -> HttpResponseBase:
            if found.status != Stage.Status.PLANNED:
                members = sorted(stage_facts(found).members.values(), key=lambda member: member.seed)
                return self.paged(members, MemberSerializer)
            before = stage_before(found)
            ready = before is None or before.status == Stage.Status.FINISHED
            return self.paged([entry for entry, _ in entrants(found)] if ready else [], _seeded_json)

        return self.unless_unchanged((*stage_versions(found), *event_versions(found.event)), answer)


def _seeded_json(entry: Entry) -> dict[str, Any]:
    """An entry with its player, as somebody in a stage is sent."""
    player = entry.player
    return {"entry": entry.public_id, "player": named(player.public_id, player.handle, player.name)}


def _move(stage: Stage, said: dict[str, Any], order: list[Entry], who: Actor) -> None:
    """Let a stage stand where it shall; nothing happens to one that stands there."""
    status = said["status"]
    if status == stage.status:
        return
    if status == DROPPED:
        stage_drop(stage=stage, actor=who)
    elif status == Stage.Status.FINISHED:
        stage_finish(stage=stage, actor=who)
    elif status == Stage.Status.PLANNED and said["with_results"]:
        stage_set_back(stage=stage, actor=who)
        stage.refresh_from_db(fields=["status", "version"])
    elif status == Stage.Status.PLANNED:
        stage_restart(stage=stage, actor=who)
    elif stage.status == Stage.Status.FINISHED:
        stage_resume(stage=stage, actor=who)
    else:
        stage_start(stage=stage, actor=who, order=order)
