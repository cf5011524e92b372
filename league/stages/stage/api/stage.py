"""API of stages: planning, changing, starting and finishing them."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers
from rest_framework.response import Response

from engine.record.kinds import SEATS
from engine.scoring.stage.registry import TIE_BREAKS
from league.core.frame.api.links import stage_link
from league.core.frame.api.operation import reads
from league.core.frame.api.problems import named
from league.core.frame.api.serializers import IdsField, LinkField, ModelSerializer, Serializer
from league.core.log.services import Actor
from league.core.player.api import PlayerSerializer
from league.events.entry.models import Entry
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.events.event.queries.event import event_versions
from league.stages.course.services.stage import DROPPED, stage_move
from league.stages.placing.queries import entrants
from league.stages.stage.api.view import MemberSerializer, StageView
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts
from league.stages.stage.queries.missing_points import missing_points
from league.stages.stage.queries.stage import are_entrants_settled
from league.stages.stage.services.stage import SETTINGS, stage_change, stage_create
from league.standings.ranking.api.view import ReasonBody, changes

MOST: Final = 10_000
"""The most entries that can be seeded by hand."""
LINKS: Final = ("url", "rounds_url", "ranking", "file", "bracket")
SEEDS: Final = ("commitment", "secret", "seed", "seeding_seed")
MORE: Final = ("tables_without_points", "reason")
STAGE: Final = ("event.club.slug", "event.slug", "number")
TIE_BREAK_CHOICES: Final = [(name.value, str(rule.label)) for name, rule in TIE_BREAKS.items()]


class StageSerializer(ModelSerializer[Stage]):
    """A stage of an event. `bracket` is null unless it is a knock-out. Once the stage has started
    only these can change: `name`, `rounds`, `tie_breaks`, the settings of labels and, except in a
    knock-out, the `sizes` after the first one, and `scoring` from dice scores or totals to
    `placement`."""

    sizes = serializers.ListField(
        child=serializers.IntegerField(min_value=SEATS[0], max_value=SEATS[-1]),
        min_length=1,
        max_length=len(SEATS),
        help_text=(
            "Table sizes, the preferred one first: up to 6 in Bluff and in knock-outs, up to 8 "
            "in Lügen-Kniffel."
        ),
    )
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(TIE_BREAK_CHOICES), required=False, max_length=len(TIE_BREAKS)
    )
    url = LinkField(stage_link, *STAGE)
    rounds_url = LinkField(stage_link, *STAGE, tail="rounds/")
    ranking = LinkField(stage_link, *STAGE, tail="ranking/")
    file = LinkField(
        stage_link,
        *STAGE,
        tail="file/",
        help_text="The address of the stage file of its first group.",
    )
    group_names = serializers.SerializerMethodField(
        help_text=(
            "In the order of their numbers; empty before the start, and if everybody plays "
            "together."
        )
    )
    bracket = serializers.SerializerMethodField()
    commitment = serializers.CharField(
        read_only=True, help_text="SHA-256 of the secret from which all randomness comes."
    )
    secret = serializers.CharField(
        source="secret_shown", read_only=True, help_text="Empty until it is finished."
    )
    tables_without_points = serializers.SerializerMethodField(
        help_text=(
            "How many of its tables are over but give nobody points yet: it counts dice scores "
            "or totals, and only ranks were entered. Correct their games, or change `scoring` to "
            "`placement`."
        )
    )
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=500,
        write_only=True,
        help_text="Required once the event has ended. Everybody can read it.",
    )

    class Meta:
        model = Stage
        fields = ("id", "number", "status", *SETTINGS, "group_names", *LINKS, *SEEDS, *MORE)
        read_only_fields = ("number", "status", "seed", "seeding_seed")
        extra_kwargs = {"scoring": {"required": False}}
        help_texts = {
            "rounds": "How many are planned; null for a knock-out.",
            "by_division": (
                "The groups are the season's divisions; in a later stage, the groups of the "
                "previous one."
            ),
            "advance": "How many players go on from each table of a knock-out.",
            "takes": (
                "How many players from each group of the previous stage take part; null: "
                "everybody checked in."
            ),
            "carry": "Whether points from the previous stage carry over.",
            "games": "How many games each table plays.",
            "separation": (
                "How ties for the last place that goes on from a table of a knock-out are broken."
            ),
            "meetings_first": (
                "Avoiding repeat meetings counts more than taking turns at short tables."
            ),
            "adjusted": (
                "A table smaller or larger than the preferred size counts as one of that size; "
                "false: as it is."
            ),
            "label_rounds": (
                "In how many of the first rounds players from the same club or town are kept apart."
            ),
            "label_must": "Always, even if others have to meet again.",
            "label_best": (
                "How many players of each club or town add up in a ranking of labels; null: no "
                "such ranking."
            ),
            "seed": "The seed of the lots that separate level players; empty until it starts.",
            "seeding_seed": "The seed of the lots used for seeding; empty until it starts.",
        }

    def get_group_names(self, stage: Stage) -> list[str]:
        """The names of the groups in which the stage is played."""
        if stage.status == Stage.Status.PLANNED:
            return []
        # Groups beyond the number are left over from a setting with more groups.
        return [
            group.name
            for group in stage.group_set.all()
            if group.name and group.number <= stage.groups
        ]

    def get_tables_without_points(self, stage: Stage) -> int:
        """The number of tables that lack points."""
        return sum(missing.tables for missing in missing_points([stage]))

    def get_bracket(self, stage: Stage) -> str | None:
        """The address of the bracket."""
        if not stage.knock_out:
            return None
        return f"{stage_link(stage.event.club.slug, stage.event.slug, stage.number)}bracket/"


EXAMPLE: Final = {
    "name": "Main",
    "format": "swiss",
    "sizes": [4, 3],
    "rounds": 3,
    "scoring": "placement",
    "tie_breaks": ["head_to_head", "wins", "opponents_score", "lots"],
}


class StageStatusBody(ReasonBody):
    """The new status of a stage: `running` starts it, or reopens a finished one; `planned` undoes
    the start, and `with_results` also the rounds played since, in later stages too; `dropped`
    deletes a planned one."""

    status = serializers.ChoiceField([*Stage.Status.values, DROPPED])
    order = IdsField(
        MOST,
        required=False,
        help_text="For a start seeded by hand: ids of entries, the best first.",
    )
    with_results = serializers.BooleanField(default=False)


class SeedSerializer(Serializer):
    """An entry that the stage would take."""

    entry = serializers.CharField(source="public_id")
    player = PlayerSerializer()


class Stages(EventWriteView):
    """The stages of an event."""

    @reads("An event's stages", StageSerializer(many=True))
    def list_stages(self, event: Event) -> list[Stage]:
        """List the stages of an event, in the order in which they are played."""
        return list(event.stages.prefetch_related("group_set").order_by("number"))

    @changes("Plan a stage", StageSerializer, StageSerializer, example=EXAMPLE, created=True)
    def create_stage(self, event: Event, body: dict[str, Any], actor: Actor) -> Stage:
        """Plan one more stage of an event, as an organiser."""
        return stage_create(event=event, actor=actor, **body)


class OneStage(StageView, EventWriteView):
    """One stage, by its number in the event."""

    @reads("A stage", StageSerializer)
    def get_stage(self, stage: Stage) -> Stage:
        """Return one stage, by its number."""
        return stage

    @changes(
        "Change a stage", StageSerializer(partial=True), StageSerializer, example={"rounds": 4}
    )
    def change_stage(self, stage: Stage, body: dict[str, Any], actor: Actor) -> Stage:
        """Change settings of a stage, as an organiser; settings left out stay as they are."""
        stage_change(stage=stage, actor=actor, **body)
        return stage

    @changes(
        "Start, finish or reset a stage",
        StageStatusBody,
        StageSerializer,
        example={"status": "running"},
    )
    def move_stage(self, stage: Stage, body: dict[str, Any], actor: Actor) -> Stage:
        """Start a stage with the players who are checked in, finish it, or undo either, as an
        organiser."""
        ids = body.get("order", [])
        entries = stage.event.entries.filter(public_id__in=ids)
        order = named(entries, ids, "/order", "The event has no such entry.", "no_such_entry")
        return stage_move(
            stage=stage,
            status=body["status"],
            order=order,
            with_results=body["with_results"],
            actor=actor,
        )


class Seedings(StageView):
    """The seeding of a stage."""

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the stage and, since the seeding before the start follows from the
        stage before, of the event."""
        return (*(super().versions() or ()), *event_versions(self.event))

    @reads("A stage's seeding", MemberSerializer(many=True), for_organisers=True)
    def list_seeding(self, stage: Stage) -> Response:
        """List the players of a stage, top seed first; for organisers. Before the start this is the
        current seeding, without lots; it is empty until the previous stage is finished."""
        if stage.status != Stage.Status.PLANNED:
            members = stage_facts(stage).members.values()
            return self.paged(sorted(members, key=lambda row: row.seed), MemberSerializer)
        entries: list[Entry] = []
        if are_entrants_settled(stage):
            entries = [entry for entry, _ in entrants(stage)]
        return self.paged(entries, SeedSerializer)
