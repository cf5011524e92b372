"""Live tables: what stands on the sheets of open games, for all who see the tables, as it is written.

No die that is hidden can be in it: an open game holds none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from games.services.open_game import CHANNEL
from league.frame.live_part import Facts, Look, PartTopic
from league.frame.unchanged import LIVE
from league.sheets.queries.watch import (
    eyes,
    running_tables,
    table_and_event,
    table_facts,
    tile_facts,
    watched_event,
    watched_table,
)

PIECES: Final = (f"{LIVE}-now", f"{LIVE}-rounds", f"{LIVE}-after")
"""The pieces of a table's part, each with its template."""
TILE: Final = f"{LIVE}-"
"""The piece of an event's table is called by this and the table's public id."""
TILE_PAGE: Final = "league/sheets/live_tile.html"
NOTHING: Final = f"{LIVE}-nothing"
"""The only piece of an event's part while no round of it is running."""


def written_so_far(table: Any) -> str:
    """The version of what everybody sees of a table's sheets; of one that is written unseen, that it is."""
    return f"{table.length + table.sealed}{'u' if table.unseen else ''}"


class TableStreams(PartTopic):
    """Tables whose games are being written down: `/live/tables/`."""

    name, salt, channels = "tables", "live.table", (CHANNEL,)

    @classmethod
    def key_of(cls, subject: str) -> str | None:
        """Read at which table an open game is played."""
        return table_and_event(subject)[0]

    @classmethod
    def look(cls, key: str) -> Look:
        """Read what a table's sheets have come to: their entries, and from the seal on all that follows."""
        table = watched_table(key)
        stage = table.stage_round.stage
        after = f"-{stage.version}-{stage.event.season.ranking.version}" if table.sealed or table.finished else ""
        version = f"{written_so_far(table)}{after}"
        return Look(version, eyes(stage.event), dict.fromkeys(PIECES, version))

    @classmethod
    def facts(cls, key: str, names: Collection[str]) -> Facts:
        """Read the whole game."""
        facts = table_facts(key)
        zone = facts["table"].stage_round.stage.event.club.timezone
        return Facts(zone, {name: (f"league/sheets/{name.replace('-', '_')}.html", facts) for name in PIECES})


class EventStreams(PartTopic):
    """All tables of an event's running rounds: `/live/events/`."""

    name, salt, channels = "events", "live.event", (CHANNEL,)
    around = (f'<ul class="table-grid live-tables" id="{LIVE}">', "</ul>")

    @classmethod
    def key_of(cls, subject: str) -> str | None:
        """Read at which event an open game is played."""
        return table_and_event(subject)[1]

    @classmethod
    def look(cls, key: str) -> Look:
        """Read what the sheets of all running tables have come to."""
        event = watched_event(key)
        tables = list(running_tables(event))
        pieces = {f"{TILE}{table.public_id}": f"{written_so_far(table)} {table.finished}" for table in tables}
        entries = sum(table.length + table.sealed for table in tables)
        stages = sum({table.stage_round.stage_id: table.stage_round.stage.version for table in tables}.values())
        return Look(f"{entries}-{stages}", eyes(event), pieces or {NOTHING: ""})

    @classmethod
    def facts(cls, key: str, names: Collection[str]) -> Facts:
        """Read how these tables stand."""
        event = watched_event(key)
        tiles = tile_facts(event, [name.removeprefix(TILE) for name in names])
        return Facts(event.club.timezone, {name: (TILE_PAGE, tiles.get(name.removeprefix(TILE), {})) for name in names})
