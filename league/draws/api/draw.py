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
from league.frame.api.document import BYTES, documented
from league.frame.api.links import draw_link, stage_link
from league.frame.api.parameters import SeenBy
from league.tables.api.view import stage_versions
from league.tables.models import Draw
from league.tables.queries.access import draw_for

LINES: Final = "application/x-ndjson"
TOGETHER: Final = 50
"""Draws that are in memory at the same time."""


class DrawShape(serializers.Serializer[None]):
    """A draw of a group's round. `input` and `answer` are those of the draw file; ids in them are those of entries."""

    id = serializers.CharField()
    round = serializers.IntegerField()
    round_url = serializers.CharField()
    group = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="1, and one more with every change by hand.")
    by_hand = serializers.BooleanField()
    reason = serializers.CharField(help_text="Why it was changed by hand; else empty.")
    made_at = serializers.DateTimeField()
    input = serializers.DictField(help_text="What `python -m engine draw` reads; of a knock-out, the bracket.")
    answer = serializers.DictField(help_text="Who sits where, what that costs, and why.")
    url = serializers.CharField()


def draw_json(draw: Draw) -> dict[str, Any]:
    """A draw, with its group, round, stage, event and club, as it is sent."""
    stage = draw.stage_round.stage
    number = draw.stage_round.number
    return {
        "id": draw.public_id,
        "round": number,
        "round_url": f"{stage_link(stage.event.club.slug, stage.event.slug, stage.number)}rounds/{number}/",
        "group": draw.group.number,
        "revision": draw.revision,
        "by_hand": draw.by_hand,
        "reason": draw.reason,
        "made_at": draw.made_at,
        "input": json.loads(draw.input),
        "answer": json.loads(draw.answer),
        "url": draw_link(draw.public_id),
    }


INPUT: Final = {
    "v": 1,
    "sizes": [2],
    "seed": "5e",
    "players": [{"id": "m6tz2kq9xr", "score": 0}, {"id": "b3hw7rk5zt", "score": 0}],
}
EXAMPLE: Final = {
    "id": "d9kx4wv2mr", "round": 1, "round_url": f"{stage_link('zum-stern', 'night-1', 1)}rounds/1/", "group": 1,
    "revision": 1, "by_hand": False, "reason": "", "made_at": "2026-12-03T18:31:00Z", "input": INPUT,
    "answer": {"ok": True, "tables": [["m6tz2kq9xr", "b3hw7rk5zt"]], "bye": [], "cost": {"repeats": 0}},
    "url": draw_link("d9kx4wv2mr"),
}  # fmt: skip


class OneDraw(EventView):
    """One draw, by its public id."""

    @documented("get_draw", "A draw", DrawShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, draw: str) -> HttpResponseBase:
        """What went into a draw, and what came out; of a round that isn't published to organisers alone."""
        found = draw_for(self.viewer(), draw)
        club = found.stage_round.stage.event.club.slug
        if self.is_foreign(club):
            found = draw_for(self.viewer(club), draw)
        return self.unless_unchanged(stage_versions(found.stage_round.stage), lambda: Response(draw_json(found)))


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
        found = self.event(club, event)
        headers = {"Content-Disposition": f'attachment; filename="{club}-{event}-draws.jsonl"'}
        return self.unless_unchanged(
            event_versions(found),
            lambda: StreamingHttpResponse(_lines(event_draws(found)), content_type=LINES, headers=headers),
        )


def _lines(draws: QuerySet[Draw, str]) -> Iterator[bytes]:
    for input in draws.iterator(chunk_size=TOGETHER):
        yield f"{input}\n".encode()
