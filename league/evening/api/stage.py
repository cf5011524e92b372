"""Stages: planning them, changing them, starting and finishing them."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import transaction
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.scoring.stage.registry import TIE_BREAKS
from games.models.public_id import LENGTH
from league.clubs.api.player import PlayerSerializer
from league.entries.api.entry import EntriesWriteView
from league.entries.models import Entry
from league.evening.services.stage import stage_finish, stage_restart, stage_resume, stage_set_back, stage_start
from league.events.api.view import EventWriteView, actor
from league.events.models import Event
from league.events.queries.event import event_versions
from league.frame.api.body import ModelSerializer, Serializer
from league.frame.api.document import change_documented, documented
from league.frame.api.fields import LinkField
from league.frame.api.links import stage_link
from league.frame.api.parameters import Paged, SeenBy
from league.log.services import Actor
from league.placings.queries.seeding import entrants
from league.seasons.api.view import SeenListView
from league.seasons.api.writing import ReasonBody
from league.stages.models import Stage
from league.stages.queries.access import stage_of
from league.stages.queries.stage import stage_before
from league.stages.services.stage import SETTINGS, stage_change, stage_create, stage_drop
from league.tables.api.member import MemberSerializer
from league.tables.api.view import StageView, stage_versions
from league.tables.queries.stage import stage_facts

MOST: Final = 10_000
"""So many can be seeded by hand."""
STAGE: Final = ("event.club.slug", "event.slug", "number")
DROPPED: Final = "dropped"
"""The status of a planned stage that is taken out of its event: there is no such stage any more."""


TIE_BREAK_CHOICES: Final = [(name.value, str(rule.label)) for name, rule in TIE_BREAKS.items()]


class StageSerializer(ModelSerializer[Stage]):
    """A stage of an event. `bracket` is null unless it is a knock-out. Once it has started only `name`, `rounds`,
    `tie_breaks` and, but for a knock-out, the `sizes` behind the first can change."""

    id = serializers.CharField(source="public_id", read_only=True)
    sizes = serializers.ListField(
        child=serializers.IntegerField(min_value=2, max_value=6), min_length=1, max_length=5,
        help_text="Table sizes, the first before the others.",
    )  # fmt: skip
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(TIE_BREAK_CHOICES),
        required=False,
        max_length=len(TIE_BREAKS),
    )
    url = LinkField(stage_link, *STAGE)
    rounds_url = LinkField(stage_link, *STAGE, tail="rounds/")
    ranking = LinkField(stage_link, *STAGE, tail="ranking/")
    file = LinkField(stage_link, *STAGE, tail="file/", help_text="The address of the stage file of its first group.")
    bracket = serializers.SerializerMethodField()

    class Meta:
        model = Stage
        fields = ("id", "number", "status", *SETTINGS, "url", "rounds_url", "ranking", "file", "bracket")
        read_only_fields = ("number", "status")
        extra_kwargs: ClassVar = {
            "rounds": {"help_text": "How many are planned; null for a knock-out."},
            "advance": {"help_text": "How many of a table of a knock-out go on."},
            "takes": {
                "help_text": "How many of each group of the stage before take part; null: all who are checked in."
            },
            "carry": {"help_text": "Points of the stage before count on."},
            "games": {"help_text": "How many a table plays."},
            "scoring": {"required": False},
        }

    def get_bracket(self, stage: Stage) -> str | None:
        """The address of the bracket."""
        if not stage.knock_out:
            return None
        return f"{stage_link(stage.event.club.slug, stage.event.slug, stage.number)}bracket/"


EXAMPLE: Final = {
    "name": "Main", "format": "swiss", "sizes": [4, 3], "rounds": 3, "scoring": "placement",
    "tie_breaks": ["head_to_head", "wins", "opponents_score", "lots"],
}  # fmt: skip


class StageStatusBody(ReasonBody):
    """The status that a stage shall have: `running` starts it, or lets a finished one go on; `planned` undoes the
    start, and `with_results` what was played since, in later stages too; `dropped` takes a planned one out of the
    event."""

    status = serializers.ChoiceField([*Stage.Status.values, DROPPED])
    order = serializers.ListField(
        child=serializers.CharField(max_length=LENGTH), required=False, max_length=MOST,
        help_text="Of a start by a seeding by hand: ids of entries, the best first.",
    )  # fmt: skip
    with_results = serializers.BooleanField(default=False)


class SeedSerializer(Serializer):
    """Somebody whom a stage would take, from the entry."""

    entry = serializers.CharField(source="public_id")
    player = PlayerSerializer()


class Stages(EventWriteView, SeenListView):
    """The stages of an event, and where organisers plan one more."""

    parameters = Paged

    @documented("list_stages", "An event's stages", StageSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The stages of an event, in the order in which they are played."""
        row = self.event(club, event)
        return self.unless_unchanged(event_versions(row), lambda: self.paged(self._stages(row), StageSerializer))

    @staticmethod
    def _stages(event: Event) -> list[Stage]:
        stages = list(Stage.objects.filter(event=event).order_by("number"))
        for stage in stages:
            stage.event = event
        return stages

    @change_documented("create_stage", "Plan a stage", StageSerializer, StageSerializer, example=EXAMPLE, created=True)
    def post(self, request: Request, club: str, event: str) -> Response:
        """Plan one more stage of an event, as an organiser."""
        row = self.event(club, event)
        by = actor(self.organiser(row.club))
        request_body = self.sent()
        settings = StageSerializer.of(request_body.content)
        return self.done(
            request_body, lambda: StageSerializer(stage_create(event=row, actor=by, **settings)).data, status=201
        )


class OneStage(StageView, EventWriteView):
    """One stage, by its number in the event."""

    @documented("get_stage", "A stage", StageSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """One stage, by its number."""
        row = self.stage(club, event, stage)
        return self.unless_unchanged(stage_versions(row), lambda: Response(StageSerializer(row).data))

    @change_documented(
        "change_stage", "Change a stage", StageSerializer(partial=True), StageSerializer, example={"rounds": 4}
    )
    def patch(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Change what is said of a stage, as an organiser; what is left out stays."""
        row = self.stage(club, event, stage)
        account = self.organiser(row.event.club)
        request_body = self.sent()
        settings = StageSerializer.of(request_body.content, partial=True)

        def change() -> dict[str, Any]:
            stage_change(stage=row, actor=actor(account), **settings)
            return StageSerializer(row).data

        return self.done(request_body, change)


class StageStatus(StageView, EntriesWriteView):
    """The status of a stage."""

    @change_documented(
        "move_stage", "Start, finish, or set back a stage", StageStatusBody, StageSerializer,
        example={"status": "running"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Start a stage with those who are there, finish it, or undo either, as an organiser."""
        row = self.stage(club, event, stage)
        account = self.organiser(row.event.club)
        request_body = self.sent()
        settings = StageStatusBody.of(request_body.content)
        order = self.named_entries(row.event, settings.get("order", []), member="order")

        def move() -> dict[str, Any]:
            with transaction.atomic():
                fresh = Stage.objects.get(pk=row.pk)
                fresh.event = row.event
                _move(fresh, settings, order, actor(account, settings.get("reason", "")))
                return StageSerializer(fresh).data

        return self.done(request_body, move)


class StageSeeding(EventWriteView, SeenListView):
    """The order in which those who take part in a stage are seeded."""

    @documented("list_seeding", "A stage's seeding", MemberSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """Those who take part, the best seeded first; for organisers. Before the start that is as the stage would be
        seeded now, and nobody as long as the stage before isn't over."""
        row = stage_of(self.run_event(club, event), stage)

        def answer() -> HttpResponseBase:
            if row.status != Stage.Status.PLANNED:
                members = sorted(stage_facts(row).members.values(), key=lambda member: member.seed)
                return self.paged(members, MemberSerializer)
            before = stage_before(row)
            ready = before is None or before.status == Stage.Status.FINISHED
            return self.paged([entry for entry, _ in entrants(row)] if ready else [], SeedSerializer)

        return self.unless_unchanged((*stage_versions(row), *event_versions(row.event)), answer)


def _move(stage: Stage, settings: dict[str, Any], order: list[Entry], by: Actor) -> None:
    """Let a stage stand where it shall; nothing happens to one that stands there."""
    status = settings["status"]
    if status == stage.status:
        return
    if status == DROPPED:
        stage_drop(stage=stage, actor=by)
    elif status == Stage.Status.FINISHED:
        stage_finish(stage=stage, actor=by)
    elif status == Stage.Status.PLANNED and settings["with_results"]:
        stage_set_back(stage=stage, actor=by)
        stage.refresh_from_db(fields=["status", "version"])
    elif status == Stage.Status.PLANNED:
        stage_restart(stage=stage, actor=by)
    elif stage.status == Stage.Status.FINISHED:
        stage_resume(stage=stage, actor=by)
    else:
        stage_start(stage=stage, actor=by, order=order)
