"""Rankings of stages, with the reason for every row, and the files to compute them anew."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from engine.scoring.stage.stage_file import write_stage
from league.clubs.api.player import PlayerSerializer
from league.frame.api.body import Serializer
from league.frame.api.document import documented
from league.frame.api.message import MessageSerializer
from league.placings.api.group import OfGroup, OfGroupPaged, group_of
from league.placings.domain.ranking import ShownRow, shown_groups
from league.seasons.api.view import SeenListView
from league.stages.models import Stage
from league.tables.api.member import PLAYER
from league.tables.api.view import StageView, stage_versions
from league.tables.domain.result import group_results


class FigureSerializer(Serializer):
    """A row's figure in a tie-break, as tables show it; `–` where there is nothing to show."""

    tie_break = serializers.CharField()
    figure = serializers.CharField()


class StageRowSerializer(Serializer):
    """A row of a stage's ranking, in a context with the stage's `tie_breaks`. `why`: what its points are made of;
    `above`: why it stands behind the row above."""

    rank = serializers.IntegerField()
    entry = serializers.CharField(source="member.entry_id")
    player = PlayerSerializer(source="member", columns=PLAYER)
    points = serializers.CharField(help_text="Exact: `12`, `9 1/3`.")
    guest = serializers.BooleanField(source="member.guest")
    withdrawn = serializers.BooleanField(source="member.withdrawn")
    figures = serializers.SerializerMethodField()
    why = MessageSerializer(many=True)
    above = MessageSerializer(allow_null=True)

    @extend_schema_field(FigureSerializer(many=True))
    def get_figures(self, row: ShownRow) -> list[dict[str, str]]:
        """The figures of the tie-breaks, in their order."""
        pairs = zip(self.context["tie_breaks"], row.figures, strict=True)
        return [{"tie_break": name, "figure": figure} for name, figure in pairs]


class StageRanking(StageView, SeenListView):
    """The ranking of a stage, or of one of its groups."""

    parameters = OfGroupPaged

    @documented(
        "list_stage_ranking", "A stage's ranking", StageRowSerializer(many=True), problems=[404],
        parameters=[OfGroupPaged],
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The ranking of a group, best first, with the reason for every row; from the results of published rounds."""
        row = self.stage(club, event, stage)
        return self.unless_unchanged(
            stage_versions(row),
            lambda: self.paged(self._rows(row), StageRowSerializer, tie_breaks=list(row.tie_breaks)),
        )

    def _rows(self, stage: Stage) -> tuple[ShownRow, ...]:
        facts = self.facts(stage)
        group = group_of(facts, self.query["group"])
        (ranking,) = shown_groups(replace(facts, groups=(group,)))
        return ranking.rows


class StageFile(StageView):
    """A stage as a file that can be ranked anew."""

    parameters = OfGroup
    limit = "export"

    @documented(
        "get_stage_file", "A stage's file", OpenApiTypes.OBJECT, problems=[404], parameters=[OfGroup],
        example={"v": 1, "scoring": "placement", "size": 4, "tie_breaks": ["lots"], "seed": "5e", "players": []},
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The file of a group's results: `python -m engine stage` computes the ranking of it, with all reasons."""
        row = self.stage(club, event, stage)

        def answer() -> HttpResponseBase:
            facts = self.facts(row)
            group = group_of(facts, self.query["group"])
            return HttpResponse(write_stage(group_results(facts, group.pk)), content_type="application/json")

        return self.unless_unchanged(stage_versions(row), answer)
