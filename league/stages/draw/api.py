"""API of draws: one by its id, and those of an event as a file."""

from __future__ import annotations

import json
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.core.frame.api.links import draw_link, game_link, round_link
from league.core.frame.api.operation import BYTES, LINES, reads
from league.core.frame.api.serializers import LinkField, ModelSerializer
from league.events.event.api import EventView
from league.events.event.models import Event
from league.stages.draw.models import Draw
from league.stages.draw.queries.draw import disputed_before, event_draws
from league.stages.round.api import OF_STAGE
from league.stages.round.queries import retraction_of
from league.stages.stage.api.view import stage_versions
from league.stages.table.api import RetractionSerializer
from league.stages.table.queries.access import draw_for
from league.standings.ranking.api.view import SeenView, named_by_id


class DrawSerializer(ModelSerializer[Draw]):
    """A draw. `input` and `answer` are as in the draw file; ids in them are ids of entries."""

    round_ = serializers.IntegerField(source="stage_round.number")
    round_url = LinkField(round_link, *(f"stage_round.{name}" for name in OF_STAGE))
    group = serializers.IntegerField(source="group.number")
    input_ = serializers.SerializerMethodField()
    answer = serializers.SerializerMethodField()
    url = LinkField(draw_link, "public_id")
    taken_back = serializers.SerializerMethodField(help_text="Null unless the draw was taken back.")
    rests_on_provisional = serializers.SerializerMethodField(
        help_text="The addresses of the games with disputed results that the draw is based on."
    )

    class Meta:
        model = Draw
        fields = [
            "id",
            "round_",
            "round_url",
            "group",
            "revision",
            "by_hand",
            "reason",
            "made_at",
            "input_",
            "answer",
            "url",
            "taken_back",
            "rests_on_provisional",
        ]
        help_texts = {
            "revision": "Starts at 1 and goes up with every change by hand.",
            "reason": (
                "Why it was changed by hand; empty if it wasn't, or if the reason was removed."
            ),
        }

    def get_rests_on_provisional(self, draw: Draw) -> list[str]:
        """The addresses of the disputed games."""
        return [game_link(game) for game in disputed_before(draw.stage_round)]

    @extend_schema_field(RetractionSerializer(allow_null=True))
    def get_taken_back(self, draw: Draw) -> dict[str, Any] | None:
        """When and why its round was taken back."""
        retraction = retraction_of(draw.stage_round)
        return RetractionSerializer(retraction).data if retraction else None

    def get_input(self, draw: Draw) -> dict[str, Any]:
        """The input for `python -m engine draw`; of a knock-out, the bracket."""
        return dict(json.loads(draw.input))

    def get_answer(self, draw: Draw) -> dict[str, Any]:
        """The tables, their cost, and the reasons."""
        return dict(json.loads(draw.answer))


class Draws(SeenView):
    """Draws, by their public ids."""

    noun = "draw"
    draw = named_by_id("draw", draw_for, "stage_round.stage.event.club")

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the draw's stage."""
        return stage_versions(self.draw.stage_round.stage)

    @reads("A draw", DrawSerializer)
    def get_draw(self, draw: Draw) -> Draw:
        """Return the input and the answer of a draw. If its round was never published, only
        organisers can see it."""
        return draw


class EventDraws(EventView):
    """The draws of an event as a file."""

    @reads("The files of an event's draws", BYTES, media_type=LINES, limit="export")
    def get_event_draws(self, event: Event) -> StreamingHttpResponse:
        """Return the draw files of all published rounds, one per line, in order of play.

        `python -m engine draw` repeats them with the same tables, except for changes by hand.
        """
        name = f"{event.club.slug}-{event.slug}-draws.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(event_draws(event), content_type=LINES, headers=headers)
