"""The end of a game as players report it: places, points, dice left, and players who left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from engine.clock import CLOCK
from engine.record.kind import AnyKind
from engine.record.kinds import KINDS
from engine.record.outcome import KnownEnd, outcome_json
from engine.record.record import VERSION, Record
from engine.record.write import header_json
from games.models.game import Kind
from league.standings.ranking.models import Scoring
from league.standings.season.models import Season

SCORING: Final = "scoring"
"""The rule of Bluff that says how a game's points are counted."""


class BrokenOff(NamedTuple):
    """How a game was broken off: the dice that each seat had left when time was up, by the key of
    the seat; the seats that left, in that order; and whether the clock ended it. Rulings B17 and
    K15 (leaving), B20 and K17 (time is up)."""

    dice: Mapping[str, int] | None = None
    forfeit: Sequence[str] = ()
    by_clock: bool = False


PLAYED_OUT: Final = BrokenOff()
"""A game that was played to its end."""


class GameHead(NamedTuple):
    """The head of a game's record: its id, the handles of its seats, and where and when it was
    played."""

    record_id: str
    seats: Sequence[str]
    event: str
    table: str
    played_at: datetime | None


def known_end(
    keys: Sequence[str],
    ranks: Mapping[str, int],
    points: Mapping[str, int] | None,
    broken_off: BrokenOff,
) -> KnownEnd:
    """Return the end of a game in seat order; `keys` are the keys of the seats."""
    dice = broken_off.dice
    return KnownEnd(
        rank=tuple(ranks[key] for key in keys),
        points=None if points is None else tuple(points[key] for key in keys),
        dice=None if dice is None else tuple(dice.get(key, 0) for key in keys),
        forfeit=tuple(keys.index(key) for key in broken_off.forfeit),
        ended=CLOCK if broken_off.by_clock else None,
    )


def game_rules(season: Season, *, with_points: bool) -> dict[str, Any]:
    """Return the rules that a game's record states: those of the season and, for a game of Bluff
    with points, the scoring by dice."""
    rules: dict[str, Any] = dict(season.rules)
    if with_points and season.kind == Kind.BLUFF:
        rules.setdefault(SCORING, Scoring.CNTDICE.value)
    return rules


def season_has_points(season: Season) -> bool:
    """Return True if games of a season can have points: totals in Lügen-Kniffel, dice scores in
    Bluff, unless its rules count places."""
    if season.kind != Kind.BLUFF:
        return True
    agreed: str = season.rules.get(SCORING, Scoring.CNTDICE)
    return agreed == Scoring.CNTDICE


def record_value(
    season: Season, head: GameHead, rules: dict[str, Any], end: KnownEnd
) -> dict[str, Any]:
    """Return the record, as JSON, of a game of which only the end is known."""
    value = header_value(season, head, rules)
    value["outcome"] = outcome_json(end)
    return value


def header_value(season: Season, head: GameHead, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record, as JSON, of a game before its first round."""
    value: dict[str, Any] = {
        "v": VERSION,
        "id": head.record_id,
        "game": season.kind,
        "rules": rules,
        "seats": list(head.seats),
        "opener": 0,
        "season": season.slug,
        "event": head.event,
        "table": head.table,
        "played_at": _isoformat(head.played_at) if head.played_at else None,
    }
    return {key: part for key, part in value.items() if part not in (None, "")}


def corrected_value(
    season: Season, record: Record, seats: Sequence[str], end: KnownEnd, played_at: datetime | None
) -> dict[str, Any]:
    """Return the record, as JSON, of a game of which only the end is known, with these seats and
    this end instead of its own."""
    value: dict[str, Any] = dict(header_json(record))
    if end.points is not None and season.kind == Kind.BLUFF:
        value["rules"] = {**value["rules"], SCORING: Scoring.CNTDICE.value}
    value["seats"] = list(seats)
    value["opener"] = record.opener if tuple(seats) == record.seats else 0
    value["outcome"] = outcome_json(end)
    if played_at is not None and played_at != record.instant:
        value["played_at"] = _isoformat(played_at)
    return value


def _isoformat(at: datetime) -> str:
    return at.replace(microsecond=0).isoformat()


def kind_of(season: Season) -> AnyKind:
    """Return the engine's kind of game of a season."""
    return KINDS[season.kind]


def completed(
    season: Season, end: KnownEnd, points: Sequence[int | None]
) -> tuple[int, ...] | None:
    """Return the points of every seat, or None if some can't be known. Points that weren't entered
    are filled in if they follow from the end, as the winner's do."""
    kind = kind_of(season)
    possible_points = kind.points_bounds(
        kind.read_rules(game_rules(season, with_points=True), "rules"), end
    )
    if len(possible_points) < len(points):
        return None
    complete = []
    for entered, possible in zip(points, possible_points, strict=True):
        if entered is not None:
            complete.append(entered)
        elif len(possible) == 1:
            complete.append(possible[0])
        else:
            return None
    return tuple(complete)
