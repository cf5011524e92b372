"""Draws: the facts behind rounds, and files of them to draw again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.draws.api.round import OF_STAGE
from league.draws.queries.draw import event_draws
from league.events.api.view import EventView
from league.events.models import Event
from league.frame.api.links import draw_link, round_link
from league.frame.api.operation import BYTES, reads
from league.frame.api.serializers import LinkField, ModelSerializer
from league.seasons.api.view import SeenView
from league.tables.api.table import RetractionSerializer
from league.tables.api.view import stage_versions
from league.tables.models import Draw
from league.tables.queries.access import draw_for
from league.tables.queries.retraction import retraction_of

LINES: Final = "application/x-ndjson"
TOGETHER: Final = 50
"""Draws that are in memory at the same time."""


class DrawSerializer(ModelSerializer[Draw]):
    """A draw, with its group, round, stage, event and club. `input` and `answer` are those of the draw file; ids in
    them are those of entries."""

    round_ = serializers.IntegerField(source="stage_round.number")
    round_url = LinkField(round_link, *(f"stage_round.{name}" for name in OF_STAGE))
    group = serializers.IntegerField(source="group.number")
    input_ = serializers.SerializerMethodField(
        help_text="What `python -m engine draw` reads; of a knock-out, the bracket."
    )
    answer = serializers.SerializerMethodField(help_text="Who sits where, what that costs, and why.")
    url = LinkField(draw_link, "public_id")
    taken_back = serializers.SerializerMethodField(help_text="Null for a draw that stands.")

    class Meta:
        model = Draw
        fields = [
            *("id", "round_", "round_url", "group", "revision", "by_hand", "reason", "made_at", "input_", "answer"),
            *("url", "taken_back"),
        ]
        extra_kwargs = {
            "revision": {"help_text": "1, and one more with every change by hand."},
            "reason": {"help_text": "Why it was changed by hand; empty for others, and where the reason was removed."},
        }

    @extend_schema_field(RetractionSerializer(allow_null=True))
    def get_taken_back(self, draw: Draw) -> dict[str, Any] | None:
        """When its round was taken back, and why."""
        retraction = retraction_of(draw.stage_round)
        return RetractionSerializer(retraction).data if retraction else None

    def get_input(self, draw: Draw) -> dict[str, Any]:
        """The input of the draw file."""
        return dict(json.loads(draw.input))

    def get_answer(self, draw: Draw) -> dict[str, Any]:
        """The answer of the draw file."""
        return dict(json.loads(draw.answer))


class Draws(SeenView):
    """Draws, by their public ids."""

    @cached_property
    def draw(self) -> Draw:
        """The draw of the address. Raises `Draw.DoesNotExist` where the viewer may not see it."""
        draw = draw_for(self.viewer(), self.kwargs["draw"])
        club = draw.stage_round.stage.event.club.slug
        return draw_for(self.viewer(club), self.kwargs["draw"]) if self.is_foreign(club) else draw

    def versions(self) -> Sequence[object] | None:
        """The versions of all that is told of the draw's stage."""
        return stage_versions(self.draw.stage_round.stage)

    def get_object(self) -> Draw:
        """The draw."""
        return self.draw

    @reads("A draw", DrawSerializer)
    def get_draw(self, draw: Draw) -> Draw:
        """The input of a draw, and its outcome; of a round that was never published to organisers alone."""
        return draw


class EventDraws(EventView):
    """The draws of an event as a file."""

    limit = "export"

    @reads("The files of an event's draws", BYTES, media_type=LINES)
    def get_event_draws(self, event: Event) -> StreamingHttpResponse:
        """The draw files of all published rounds, one a line, in order of play.

        `python -m engine draw` draws them again, and comes to the same tables, but for changes by hand.
        """
        headers = {"Content-Disposition": f'attachment; filename="{event.club.slug}-{event.slug}-draws.jsonl"'}
        return StreamingHttpResponse(_lines(event_draws(event)), content_type=LINES, headers=headers)


def _lines(draws: QuerySet[Draw, str]) -> Iterator[bytes]:
    for draw in draws.iterator(chunk_size=TOGETHER):
        yield f"{draw}\n".encode()
