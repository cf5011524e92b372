"""Draws: the facts behind rounds, and files of them to draw again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.draws.queries.draw import event_draws
from league.events.api.view import EventView
from league.events.queries.event import event_versions
from league.frame.api.body import ModelSerializer
from league.frame.api.document import BYTES, documented
from league.frame.api.fields import LinkField
from league.frame.api.links import draw_link, round_link
from league.frame.api.parameters import SeenBy
from league.tables.api.table import address_of
from league.tables.api.view import stage_versions
from league.tables.models import Draw
from league.tables.queries.access import draw_for

LINES: Final = "application/x-ndjson"
TOGETHER: Final = 50
"""Draws that are in memory at the same time."""


class DrawSerializer(ModelSerializer[Draw]):
    """A draw, with its group, round, stage, event and club. `input` and `answer` are those of the draw file; ids in
    them are those of entries."""

    id = serializers.CharField(source="public_id")
    round = serializers.IntegerField(source="stage_round.number")
    round_url = serializers.SerializerMethodField()
    group = serializers.IntegerField(source="group.number")
    input = serializers.SerializerMethodField(
        help_text="What `python -m engine draw` reads; of a knock-out, the bracket."
    )
    answer = serializers.SerializerMethodField(help_text="Who sits where, what that costs, and why.")
    url = LinkField(draw_link, "public_id")

    class Meta:
        model = Draw
        fields = [
            "id",
            "round",
            "round_url",
            "group",
            "revision",
            "by_hand",
            "reason",
            "made_at",
            "input",
            "answer",
            "url",
        ]
        extra_kwargs = {
            "revision": {"help_text": "1, and one more with every change by hand."},
            "reason": {"help_text": "Why it was changed by hand; else empty."},
        }

    def get_round_url(self, draw: Draw) -> str:
        """The address of the round."""
        return round_link(address_of(draw.stage_round.stage), draw.stage_round.number)

    def get_input(self, draw: Draw) -> dict[str, Any]:
        """The input of the draw file."""
        return dict(json.loads(draw.input))

    def get_answer(self, draw: Draw) -> dict[str, Any]:
        """The answer of the draw file."""
        return dict(json.loads(draw.answer))


class OneDraw(EventView):
    """One draw, by its public id."""

    @documented("get_draw", "A draw", DrawSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, draw: str) -> HttpResponseBase:
        """The input of a draw, and its outcome; of a round that isn't published to organisers alone."""
        row = draw_for(self.viewer(), draw)
        club = row.stage_round.stage.event.club.slug
        if self.is_foreign(club):
            row = draw_for(self.viewer(club), draw)
        versions = stage_versions(row.stage_round.stage)
        return self.unless_unchanged(versions, lambda: Response(DrawSerializer(row).data))


class EventDraws(EventView):
    """The draws of an event as a file."""

    limit = "export"

    @documented(
        "get_event_draws", "The files of an event's draws", BYTES, problems=[404], parameters=[SeenBy],
        media_type=LINES,
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The draw files of all published rounds, one a line, in order of play.

        `python -m engine draw` draws them again, and comes to the same tables, but for changes by hand.
        """
        row = self.event(club, event)
        headers = {"Content-Disposition": f'attachment; filename="{club}-{event}-draws.jsonl"'}
        return self.unless_unchanged(
            event_versions(row),
            lambda: StreamingHttpResponse(_lines(event_draws(row)), content_type=LINES, headers=headers),
        )


def _lines(draws: QuerySet[Draw, str]) -> Iterator[bytes]:
    for draw in draws.iterator(chunk_size=TOGETHER):
        yield f"{draw}\n".encode()
