"""Watching: a table whose game is being written down, and all tables of an event at once."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from league.clubs.queries.access import Viewer
from league.clubs.web.viewer import PageContext, club_page, or_404, viewer_of
from league.events.models import Event
from league.events.queries.access import event_for
from league.events.web.crumbs import event_crumbs
from league.frame.live_part import Part, PartTopic
from league.frame.rendering import public_page
from league.frame.unchanged import unless_unchanged
from league.log.queries import log_end
from league.sheets.live import EVENT, TABLE, Events, Tables
from league.sheets.queries.watch import audience_of
from league.tables.domain.place import number_of, table_name
from league.tables.queries.access import table_for
from league.tables.web.table import table_crumbs


class WatchSubject(NamedTuple):
    """What a live page shows, by its public id, and the club in whose log every change of a name stands."""

    key: str
    club: int


def table_state(subject: WatchSubject) -> tuple[object, ...]:
    """Read what everything that a table's live page shows has come to."""
    return TABLE.look(subject.key), log_end(subject.club)


def event_watch_state(subject: WatchSubject) -> tuple[object, ...]:
    """Read what everything that an event's live page shows has come to."""
    return EVENT.look(subject.key), log_end(subject.club)


@require_safe
@public_page(table_state)
def table_live_page(request: HttpRequest, table_id: str) -> HttpResponse:
    """A table that is being played: dice left, the last bid, the rounds so far, and what came of it."""
    viewer = viewer_of(request)
    table = or_404(table_for, viewer, table_id)
    stage = table.stage_round.stage
    context: PageContext = {
        "stage": stage,
        "round": table.stage_round,
        "table": table,
        "name": table_name(number_of(table)),
        "crumbs": table_crumbs(table, deeper=True),
    }
    subject = WatchSubject(table.public_id, stage.event.club_id)
    return _answer(request, viewer, stage.event, subject, TABLE, Tables, "league/sheets/table_live.html", context)


@require_safe
@public_page(event_watch_state)
def event_live_page(request: HttpRequest, club_slug: str, event_slug: str) -> HttpResponse:
    """All tables of an event's running rounds at once: the last bid of each, dice left, who is out."""
    viewer = viewer_of(request)
    event = or_404(event_for, viewer, club_slug, event_slug)
    subject = WatchSubject(event.public_id, event.club_id)
    way = (event.name, reverse("event", args=[club_slug, event_slug]))
    context: PageContext = {"crumbs": [*event_crumbs(event.club), way]}
    return _answer(request, viewer, event, subject, EVENT, Events, "league/sheets/event_live.html", context)


def _answer(
    request: HttpRequest,
    viewer: Viewer,
    event: Event,
    subject: WatchSubject,
    part: Part,
    topic: type[PartTopic],
    template: str,
    context: PageContext,
) -> HttpResponse:
    """A live page, unless the reader has it already."""
    look = part.look(subject.key)

    def page() -> HttpResponse:
        signed = [subject.key, get_language(), *audience_of(viewer, event)]
        shown = {"part": SafeString(part.whole(subject.key, look)), "live_url": topic.url(signed, look.version)}
        return club_page(request, event.club, template, {"event": event, **shown, **context})

    return unless_unchanged(request, (look, log_end(subject.club)), page, subject)
