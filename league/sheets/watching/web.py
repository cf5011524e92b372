"""Live pages: one table whose game is being written down, and all tables of an event."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.log.queries import log_end
from league.core.viewer.web.viewer import PageContext, club_page, page_of
from league.events.event.models import Event
from league.events.event.queries.access import event_for
from league.events.event.web import event_crumbs
from league.sheets.watching.live import EventStreams, SheetTopic, TableStreams
from league.sheets.watching.queries.watch import (
    event_version,
    running_tiles,
    table_facts,
    table_version,
    watched_table,
)
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.table.models import Table
from league.stages.table.queries.access import table_for
from league.stages.table.web import table_crumbs
from league.standings.ranking.web.embedding import embeddable


class WatchSubject(NamedTuple):
    """The subject of a live page: its topic, its key there, and the row id of its club, whose log
    has an entry for each renamed player."""

    topic: type[SheetTopic]
    key: str
    club: int


def watch_state(subject: WatchSubject) -> tuple[str, int]:
    """Return the version of a live page: that of its subject, and the end of the club's log."""
    return subject.topic.version_of(subject.key), log_end(subject.club)


@require_safe
@embeddable("events__stages__stage_rounds__tables__public_id", "table_id")
@public_page(watch_state)
@page_of(table_for)
def table_live_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Show a table in play: the dice left, the last bid, the rounds so far, and the result."""
    stage_round = table.stage_round
    event = stage_round.stage.event
    watched = watched_table(table.public_id)
    version = table_version(watched)
    last_log_entry = log_end(event.club_id)

    def page() -> HttpResponse:
        context: PageContext = {
            "event": event,
            "stage": stage_round.stage,
            "round": stage_round,
            "name": table_name(number_of(table)),
            "crumbs": table_crumbs(table, deeper=True),
            "live_url": TableStreams.url(table.public_id, version),
        }
        return club_page(
            request,
            event.club,
            "league/sheets/watching/table_live.html",
            **context,
            **table_facts(watched),
        )

    subject = WatchSubject(TableStreams, table.public_id, event.club_id)
    return unless_unchanged(request, (version, last_log_entry), page, subject)


@require_safe
@embeddable("slug", "club_slug")
@public_page(watch_state)
@page_of(event_for)
def event_live_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show all tables of an event's running rounds: of each the last bid, the dice left, and who is
    out."""
    version = event_version(event)
    last_log_entry = log_end(event.club_id)

    def page() -> HttpResponse:
        context: PageContext = {
            "event": event,
            "tiles": running_tiles(event),
            "crumbs": event_crumbs(event),
            "live_url": EventStreams.url(event.public_id, version),
        }
        return club_page(request, event.club, "league/sheets/watching/event_live.html", **context)

    subject = WatchSubject(EventStreams, event.public_id, event.club_id)
    return unless_unchanged(request, (version, last_log_entry), page, subject)
