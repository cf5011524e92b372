"""The screen for the projector in the hall: draw, clock and ranking in turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.core.frame.unchanged import unless_unchanged
from league.core.log.queries import log_end
from league.core.viewer.web.viewer import PageContext, club_page, page_of
from league.events.event.models import Event
from league.events.event.queries.access import event_for
from league.events.wall_list.desk import wall_address
from league.floor.clock.domain import round_clock
from league.floor.clock.queries import current_round
from league.floor.hall.domain.finished import FinishedPlayer, finished_players
from league.play.online_table.queries import tables_in_play
from league.sheets.sheet.domain.table_now import TableNow
from league.sheets.watching.queries.watch import event_version, tile_facts
from league.stages.draw.queries.draw import disputed_before
from league.stages.placing.domain.ranking import shown_groups
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import StageFacts, published_facts
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.domain.table import RoundOfGroup, SeatedTable, round_tables
from league.standings.ranking.live import live_url

REFRESH_SECONDS = 10


@require_safe
@page_of(event_for)
def hall_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the running stage, or the last one: its round in play, the round's clock, its
    ranking."""
    stage = event.stages.exclude(status=Stage.Status.PLANNED).order_by("-number").first()
    sheets_version = event_version(event)
    wall_url = _wall(request, event)
    versions = (
        event.public_id,
        stage.version if stage else None,
        sheets_version,
        log_end(event.club_id),
        _clock_moment(event),
        wall_url,
    )
    return unless_unchanged(
        request,
        versions,
        lambda: club_page(
            request,
            event.club,
            "league/floor/hall/hall.html",
            wall=wall_url,
            **_screen_context(event, stage),
        ),
    )


def _wall(request: HttpRequest, event: Event) -> str:
    """Return the address of the event's wall code, but only to viewers who may check players in,
    because everybody can open the screen, from anywhere."""
    shows = not event.over and request.user.has_perm("league.score_event", event)
    return wall_address(event) if shows else ""


def _screen_context(event: Event, stage: Stage | None) -> PageContext:
    ranking = event.season.ranking
    shared_context: PageContext = {
        "event": event,
        "stage": stage,
        "live_url": live_url(ranking.pk, ranking.version),
        "refresh": None if event.over else REFRESH_SECONDS,
    }
    if stage is None:
        return shared_context
    facts = published_facts(stage_facts(stage))
    latest = facts.current
    groups = round_tables(facts, latest) if latest else []
    if stage.format_rules.free:
        groups = [group._replace(tables=_tables_in_play(group.tables)) for group in groups]
    return {
        **shared_context,
        "round": latest,
        "rests_on": _disputed_games(facts, latest),
        "clock": round_clock(latest) if latest else None,
        "groups": groups,
        "finished": _finished_players(facts, groups),
        "lines": _game_lines(event, groups),
        "watched": _online_tables(event, groups),
        "ranking": shown_groups(facts),
    }


def _disputed_games(facts: StageFacts, latest: StageRound | None) -> list[str]:
    if latest is None:
        return []
    latest.stage = facts.stage
    return disputed_before(latest, facts)


def _tables_in_play(tables: tuple[SeatedTable, ...]) -> tuple[SeatedTable, ...]:
    """Return the free tables in play, because there can be many finished ones; all tables if none
    is in play."""
    return tuple(seated for seated in tables if not seated.table.finished) or tables


def _finished_players(
    facts: StageFacts, groups: Sequence[RoundOfGroup]
) -> dict[str, list[FinishedPlayer]]:
    tables = [seated for group in groups for seated in group.tables if seated.table.finished]
    return {seated.table.public_id: finished_players(facts, seated) for seated in tables}


def _game_lines(event: Event, groups: Sequence[RoundOfGroup]) -> dict[str, TableNow]:
    tables = _unfinished_table_ids(groups)
    return {table: tile["now"] for table, tile in tile_facts(event, tables).items() if tile["now"]}


def _online_tables(event: Event, groups: Sequence[RoundOfGroup]) -> dict[str, str]:
    return tables_in_play(_unfinished_table_ids(groups)) if event.online else {}


def _unfinished_table_ids(groups: Sequence[RoundOfGroup]) -> list[str]:
    return [
        seated.table.public_id
        for group in groups
        for seated in group.tables
        if not seated.table.finished
    ]


def _clock_moment(event: Event) -> datetime | None:
    """Return the present time while a clock runs, so that the page is loaded anew: its browser
    computes from the time how wrong the clock of its device is."""
    latest = current_round(event)
    clock = round_clock(latest) if latest else None
    return clock.now if clock and clock.ends_at else None
