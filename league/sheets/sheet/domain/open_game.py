"""The names of open games, and the records with which they open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.illegal import Illegal, Refused
from engine.record.canonical import canonical_json
from engine.record.record import Record, read
from games.models import OpenSheet
from league.stages.result.domain.end import GameHead, game_rules, header_value, kind_of
from league.standings.season.models import Season


def open_game_id(table: str, number: int, edition: int) -> str:
    """Return the id that the record of a table's open game has."""
    return f"{table}-{number}" if edition == 1 else f"{table}-{number}.{edition}"


def season_game_id(season: str, key: str) -> str:
    """Return the id that the record of a season's open game has which is played at no table; `key`
    is its own."""
    return f"{season}-{key}"


def open_record(season: Season, head: GameHead, rules: Mapping[str, Any] | None = None) -> Record:
    """Return the record of a game that hasn't begun. `rules`: as a record has them; None: those of
    the season.

    Raise `Refused`, as for too few seats."""
    if rules is None:
        rules = game_rules(season, with_points=True)
    value = header_value(season, head, rules) | {kind_of(season).units: []}
    record = read(canonical_json(value))
    if isinstance(record, Illegal):
        raise Refused(record)
    return record


def sheet_head(open_game: str, sheet: OpenSheet) -> dict[str, Any]:
    """What the log tells of the sheet of an open game, given by public id, when its game is
    sealed."""
    return {"open_game": open_game, "length": sheet.length, "link": bytes(sheet.link).hex()}
