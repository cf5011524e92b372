"""Live tables: what stands on the sheets of open games, for all who see the tables, as it is written.

No die that is hidden can be in it: an open game holds none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from games.services.open_game import CHANNEL
from league.core.frame.live_part import Facts, Look, PartTopic
from league.core.frame.unchanged import LIVE
from league.events.event.models import Event
from league.sheets.watching.queries.watch import (
    eyes,
    running_tables,
    table_and_event,
    table_facts,
    tile_facts,
    watched_event,
    watched_table,
)

AFTER: Final = f"{LIVE}-after"
PIECES: Final = (f"{LIVE}-now", f"{LIVE}-rounds", AFTER)
"""The pieces of a table's part, each with its template; what comes after a game stays as it is until one is over."""
TILE: Final = f"{LIVE}-"
"""The piece of an event's table is called by this and the table's public id."""
TILE_PAGE: Final = "league/sheets/watching/live_tile.html"
NOTHING: Final = f"{LIVE}-nothing"
"""The only piece of an event's part while no round of it is running."""


def written_so_far(table: Any) -> str:
    """The version of what everybody sees of a table's sheets; of one that is written unseen, that it is; and to how
    many of its results seats object."""
    unseen = "u" if table.unseen else ""
    objected = f"o{table.provisional}" if table.provisional else ""
    return f"{table.length + table.sealed}{unseen}{objected}"


class TableStreams(PartTopic):
    """Tables whose games are being written down: `/live/tables/`."""

    name, salt, channels = "tables", "live.table", (CHANNEL,)

    @classmethod
    def key_of(cls, subject: str) -> str | None:
        """Read at which table an open game is played."""
        return table_and_event(subject)[0]

    @classmethod
    def thing(cls, key: str) -> Any:
        """Read what a table has come to."""
        return watched_table(key)

    @classmethod
    def look(cls, thing: Any) -> Look:
        """Read of a table its entries, and from the end of a game on all that follows."""
        after = f"-{thing.stage_version}-{thing.ranking_version}" if thing.sealed or thing.finished else ""
        version = f"{written_so_far(thing)}{after}"
        nothing_after = {} if thing.over or after else {AFTER: ""}
        return Look(version, thing.eyes, dict.fromkeys(PIECES, version) | nothing_after)

    @classmethod
    def facts(cls, thing: Any, names: Collection[str]) -> Facts:
        """Read the whole game."""
        facts = table_facts(thing)
        return Facts(
            thing.zone, {name: (f"league/sheets/watching/{name.replace('-', '_')}.html", facts) for name in PIECES}
        )


class EventStreams(PartTopic):
    """All tables of an event's running rounds: `/live/events/`."""

    name, salt, channels = "events", "live.event", (CHANNEL,)
    around = (f'<ul class="table-grid live-tables" id="{LIVE}">', "</ul>")

    @classmethod
    def key_of(cls, subject: str) -> str | None:
        """Read at which event an open game is played."""
        return table_and_event(subject)[1]

    @classmethod
    def thing(cls, key: str) -> Any:
        """Read an event with its club and its season."""
        return watched_event(key)

    @classmethod
    def look(cls, thing: Event) -> Look:
        """Read what the sheets of all running tables have come to."""
        tables = list(running_tables(thing))
        pieces = {f"{TILE}{table.public_id}": f"{written_so_far(table)} {table.finished}" for table in tables}
        entries = sum(table.length + table.sealed for table in tables)
        stages = sum({table.stage_round.stage_id: table.stage_round.stage.version for table in tables}.values())
        objected = sum(table.provisional for table in tables)
        return Look(
            f"{entries}-{stages}-{objected}",
            eyes(thing, thing.season.visibility, thing.season.link_token),
            pieces or {NOTHING: ""},
        )

    @classmethod
    def facts(cls, thing: Event, names: Collection[str]) -> Facts:
        """Read how these tables stand."""
        tiles = tile_facts(thing, [name.removeprefix(TILE) for name in names])
        return Facts(thing.club.timezone, {name: (TILE_PAGE, tiles.get(name.removeprefix(TILE), {})) for name in names})
