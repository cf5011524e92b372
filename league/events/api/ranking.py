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
from league.events.api.message import EXAMPLE as SENTENCE
from league.events.api.message import MessageShape, message_json
from league.events.api.view import EventView, stage_versions
from league.events.models import Group, Stage
from league.events.queries.shown import ShownRow, shown_groups
from league.events.queries.stage import Member, StageFacts, group_results
from league.frame.api.document import documented
from league.frame.api.parameters import Paged, SeenBy
from league.rankings.api.player import NAMED, PlayerNamed, named
from league.rankings.api.view import SeenListView


class MemberShape(serializers.Serializer[None]):
    """Somebody in a stage: the id of the entry, and the player."""

    entry = serializers.CharField()
    player = PlayerNamed()


def member_json(member: Member) -> dict[str, Any]:
    """Somebody in a stage as it is sent."""
    return {"entry": member.id, "player": named(member.player, member.handle, member.name)}


MEMBER: Final = {"entry": "m6tz2kq9xr", "player": NAMED}


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
GROUP: Final = serializers.IntegerField(
    default=1, min_value=1, max_value=64, help_text="The number of the group, from 1; a stage without groups has one."
)


class OfGroup(SeenBy):
    """Of a group of a stage."""

    group = GROUP


class OfGroupPaged(Paged):
    """The parameters of a list that is made for a group of a stage."""

    group = GROUP


def group_of(facts: StageFacts, number: int) -> Group:
    """A group of a stage, by its number. Raises `Group.DoesNotExist`, also before the stage has started."""
    found = next((group for group in facts.groups if group.number == number), None)
    if found is None:
        raise Group.DoesNotExist
    return found


class StageRanking(EventView, SeenListView):
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


class StageFile(EventView):
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
