"""The record ids of open games, and the records with which they open."""

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
    """Return the record id of an open game at a table, given by public id."""
    return f"{table}-{number}" if edition == 1 else f"{table}-{number}.{edition}"


def season_game_id(season: str, key: str) -> str:
    """Return the record id of an open game without a table. `season`: public id; `key`: unique for
    each game."""
    return f"{season}-{key}"


def open_record(season: Season, head: GameHead, rules: Mapping[str, Any] | None = None) -> Record:
    """Return the record of a game that hasn't begun. `rules`: in the format of a record; by default
    those of the season. Raise `Refused` if the record isn't valid, for instance with too few
    seats."""
    if rules is None:
        rules = game_rules(season, with_points=True)
    value = header_value(season, head, rules) | {kind_of(season).units: []}
    record = read(canonical_json(value))
    if isinstance(record, Illegal):
        raise Refused(record)
    return record


def sheet_head(open_game: str, sheet: OpenSheet) -> dict[str, Any]:
    """Return what the log says about a sheet: the public id of its open game, its length, and the
    last link of its chain of digests."""
    return {"open_game": open_game, "length": sheet.length, "link": bytes(sheet.link).hex()}
