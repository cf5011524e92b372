"""Rankings of stages, with the reason for every row, and the files to compute them anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request

from engine.scoring.stage.stage_file import write_stage
from league.entries.api.member import MEMBER, MemberShape
from league.frame.api.document import documented
from league.frame.api.message import EXAMPLE as SENTENCE
from league.frame.api.message import MessageShape, message_json
from league.placings.api.group import OfGroup, OfGroupPaged, group_of
from league.placings.domain.ranking import ShownRow, shown_groups
from league.seasons.api.view import SeenListView
from league.stages.models import Stage
from league.tables.api.member import member_json
from league.tables.api.view import StageView, stage_versions
from league.tables.domain.result import group_results


class FigureShape(serializers.Serializer[None]):
    """What a row has in a tie-break, as tables show it; `–` where there is nothing to show."""

    tie_break = serializers.CharField()
    figure = serializers.CharField()


class StageRowShape(MemberShape):
    """A row of a stage's ranking. `why`: what its points are made of; `above`: why it stands behind the row above."""

    rank = serializers.IntegerField()
    points = serializers.CharField(help_text="Exact: `12`, `9 1/3`.")
    guest = serializers.BooleanField()
    withdrawn = serializers.BooleanField()
    figures = FigureShape(many=True)
    why = MessageShape(many=True)
    above = MessageShape(allow_null=True)


def row_json(row: ShownRow, tie_breaks: list[str]) -> dict[str, Any]:
    """A row of a stage's ranking as it is sent."""
    return {
        "rank": row.rank,
        **member_json(row.member),
        "points": row.points,
        "guest": row.member.guest,
        "withdrawn": row.member.withdrawn,
        "figures": [
            {"tie_break": name, "figure": figure} for name, figure in zip(tie_breaks, row.figures, strict=True)
        ],
        "why": [message_json(message) for message in row.why],
        "above": message_json(row.above) if row.above else None,
    }


EXAMPLE: Final = {
    "rank": 1, **MEMBER, "points": "3", "guest": False, "withdrawn": False,
    "figures": [{"tie_break": "wins", "figure": "1"}], "why": [SENTENCE], "above": None,
}  # fmt: skip


class StageRanking(StageView, SeenListView):
    """The ranking of a stage, or of one of its groups."""

    parameters = OfGroupPaged

    @documented(
        "list_stage_ranking", "A stage's ranking", StageRowShape(many=True), problems=[404],
        parameters=[OfGroupPaged], example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The ranking of a group, best first, with the reason for every row; from the results of published rounds."""
        found = self.stage(club, event, stage)

        def answer() -> HttpResponseBase:
            tie_breaks = list(found.tie_breaks)
            return self.paged(self._rows(found), lambda row: row_json(row, tie_breaks))

        return self.unless_unchanged(stage_versions(found), answer)

    def _rows(self, stage: Stage) -> tuple[ShownRow, ...]:
        facts = self.facts(stage)
        group = group_of(facts, self.query["group"])
        (shown,) = shown_groups(replace(facts, groups=(group,)))
        return shown.rows


class StageFile(StageView):
    """A stage as a file that can be ranked anew."""

    parameters = OfGroup
    limit = "export"

    @documented(
        "get_stage_file", "A stage's file", OpenApiTypes.OBJECT, problems=[404], parameters=[OfGroup],
        example={"v": 1, "scoring": "placement", "size": 4, "tie_breaks": ["lots"], "seed": "5e", "players": []},
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """What a group is ranked from: `python -m engine stage` computes the ranking of it, with all reasons."""
        found = self.stage(club, event, stage)

        def answer() -> HttpResponseBase:
            facts = self.facts(found)
            group = group_of(facts, self.query["group"])
            return HttpResponse(write_stage(group_results(facts, group.pk)), content_type="application/json")

        return self.unless_unchanged(stage_versions(found), answer)
