"""Live tables: what stands on the sheets of open games, for all who see the tables, as it is written.

No die that is hidden can be in it: an open game holds none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.utils import timezone

from games.services.open_game import CHANNEL
from league.events.queries.access import visible_events
from league.frame.live_part import EVERYBODY, Look, Part, PartTopic
from league.frame.unchanged import LIVE
from league.rankings.services.counting import LIVE_CHANNEL
from league.sheets.queries.watch import (
    WatchedTable,
    eyes,
    running_tables,
    table_and_event,
    table_facts,
    tile_facts,
    viewer_behind,
    watched_event,
    watched_table,
)
from league.tables.models import Table
from league.tables.queries.access import table_for

PIECES: Final = ("now", "rounds", "after")
"""The pieces of a table's part, each with its template."""
NOTHING: Final = "nothing"
"""The only piece of an event's part while no round of it is running."""


class TablePart(Part):
    """A table whose game is being written down."""

    def look(self, key: str) -> Look:
        """Read what the sheets of a table have come to: their entries, and from the seal on all that follows."""
        table = watched_table(key)
        stage = table.stage_round.stage
        ranking = stage.event.season.ranking
        after = f"-{stage.version}-{ranking.version}" if table.sealed or table.finished else ""
        version = f"{table.length + table.sealed}{after}"
        seen_by = EVERYBODY if table.public else f"{eyes(stage.event)} {table.stage_round.status}"
        return Look(version, seen_by, dict.fromkeys(map(_id, PIECES), version), ranking.pk if after else None)

    def may_see(self, key: str, *audience: Any) -> bool:
        """True if somebody may still see the table's page."""
        try:
            table_for(viewer_behind(watched_table(key).stage_round.stage.event, *audience), key)
        except Table.DoesNotExist:
            return False
        return True

    def facts(self, key: str, names: Collection[str]) -> WatchedTable:
        """Read the whole game."""
        return table_facts(key)

    def render(self, facts: WatchedTable, names: Iterable[str]) -> dict[str, str]:
        """Render the table as it stands, its rounds, and what came of it."""
        with timezone.override(ZoneInfo(facts.table.stage_round.stage.event.club.timezone)):
            return {
                _id(piece): _rendered(f"live_{piece}", {"watched": facts, "id": _id(piece)})
                for piece in PIECES
                if _id(piece) in names
            }


class EventPart(Part):
    """All tables of an event's running rounds."""

    around = (f'<ul class="table-grid live-tables" id="{LIVE}">', "</ul>")

    def look(self, key: str) -> Look:
        """Read what the sheets of all running tables have come to."""
        event = watched_event(key)
        tables = list(running_tables(event))
        pieces = {_id(table.public_id): f"{table.length + table.sealed} {table.finished}" for table in tables}
        entries = sum(table.length + table.sealed for table in tables)
        stages = sum({table.stage_round.stage_id: table.stage_round.stage.version for table in tables}.values())
        version = f"{entries}-{stages}"
        seen_by = EVERYBODY if event.public else eyes(event)
        return Look(version, seen_by, pieces or {_id(NOTHING): ""}, event.season.ranking_id)

    def may_see(self, key: str, *audience: Any) -> bool:
        """True if somebody may still see the event's page."""
        event = watched_event(key)
        return visible_events(viewer_behind(event, *audience)).filter(pk=event.pk).exists()

    def facts(self, key: str, names: Collection[str]) -> Any:
        """Read how these tables stand."""
        event = watched_event(key)
        tiles = tile_facts(event, [name.removeprefix(_id("")) for name in names])
        return event.club.timezone, {_id(table): tile for table, tile in tiles.items()}

    def render(self, facts: Any, names: Iterable[str]) -> dict[str, str]:
        """Render the tiles of these tables."""
        zone, tiles = facts
        with timezone.override(ZoneInfo(zone)):
            rows = {name: {"id": name, "tile": tiles.get(name)} for name in names}
            return {name: _rendered("live_tile", row) for name, row in rows.items()}


def _rendered(template: str, context: dict[str, Any]) -> str:
    """A piece without the empty lines that its template leaves: it is sent to many."""
    return "\n".join(filter(None, render_to_string(f"league/sheets/{template}.html", context).split("\n")))


def _id(name: str) -> str:
    """The id of the element of a piece."""
    return f"{LIVE}-{name}"


TABLE: Final = TablePart()
EVENT: Final = EventPart()


class Tables(PartTopic):
    """The streams of tables, below `/live/tables/`."""

    name, salt, part = "tables", "live.table", TABLE
    channels = (CHANNEL, LIVE_CHANNEL)
    ranking_channel = LIVE_CHANNEL

    def key_of(self, subject: str) -> str | None:
        """Read at which table an open game is played."""
        return table_and_event(subject)[0]


class Events(PartTopic):
    """The streams of events, below `/live/events/`."""

    name, salt, part = "events", "live.event", EVENT
    channels = (CHANNEL, LIVE_CHANNEL)
    ranking_channel = LIVE_CHANNEL

    def key_of(self, subject: str) -> str | None:
        """Read at which event an open game is played."""
        return table_and_event(subject)[1]
