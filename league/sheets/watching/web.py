"""Watching: a table whose game is being written down, and all tables of an event at once."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from league.core.frame.live_part import Look, PartTopic
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.log.queries import log_end
from league.core.viewer.web.viewer import PageContext, club_page, page_of
from league.events.event.models import Event
from league.events.event.queries.access import event_for
from league.events.event.web import below_event_crumbs
from league.sheets.watching.live import EventStreams, TableStreams
from league.stages.table.domain.place import number_of, table_name
from league.stages.table.models import Table
from league.stages.table.queries.access import table_for
from league.stages.table.web import table_crumbs
from league.standings.ranking.web.embedding import embeddable


class WatchSubject(NamedTuple):
    """What a live page shows, by its topic and key, and the club in whose log every change of a name stands."""

    topic: type[PartTopic]
    key: str
    club: int


def watch_state(subject: WatchSubject) -> tuple[Look, int]:
    """Read what everything that a live page shows has come to."""
    return subject.topic.look(subject.topic.thing(subject.key)), log_end(subject.club)


@require_safe
@embeddable("events__stages__stage_rounds__tables__public_id", "table_id")
@public_page(watch_state)
@page_of(table_for)
def table_live_page(request: HttpRequest, table: Table) -> HttpResponse:
    """A table that is being played: dice left, the last bid, the rounds so far, and what came of it."""
    stage_round = table.stage_round
    event = stage_round.stage.event
    context: PageContext = {
        "stage": stage_round.stage,
        "round": stage_round,
        "table": table,
        "name": table_name(number_of(table)),
        "crumbs": table_crumbs(table, deeper=True),
    }
    subject = WatchSubject(TableStreams, table.public_id, event.club_id)
    return _answer(request, event, subject, "league/sheets/watching/table_live.html", context)


@require_safe
@embeddable("slug", "club_slug")
@public_page(watch_state)
@page_of(event_for)
def event_live_page(request: HttpRequest, event: Event) -> HttpResponse:
    """All tables of an event's running rounds at once: the last bid of each, dice left, who is out."""
    context: PageContext = {"crumbs": below_event_crumbs(event)}
    subject = WatchSubject(EventStreams, event.public_id, event.club_id)
    return _answer(request, event, subject, "league/sheets/watching/event_live.html", context)


def _answer(
    request: HttpRequest, event: Event, subject: WatchSubject, template: str, context: PageContext
) -> HttpResponse:
    """A live page, unless the reader has it already."""
    thing = subject.topic.thing(subject.key)
    look, logged = subject.topic.look(thing), log_end(subject.club)

    def page() -> HttpResponse:
        part = SafeString(subject.topic.whole(thing, look))
        url = subject.topic.url([subject.key, get_language(), look.eyes], look.version)
        return club_page(request, event.club, template, **context, event=event, part=part, live_url=url)

    return unless_unchanged(request, (look, logged), page, subject)
