"""The end of a game as people tell it at a table: places, points, the dice that were left, who
left."""

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
"""The setting of Bluff by which a game's points are told."""


class BrokenOff(NamedTuple):
    """The way in which a game was broken off: the dice that each seat had left when time was up, by
    what names the seat; who left, in that order; and whether the clock ended it. Rulings B17, B20,
    K15, K17."""

    dice: Mapping[str, int] | None = None
    forfeit: Sequence[str] = ()
    by_clock: bool = False


PLAYED_OUT: Final = BrokenOff()
"""A game that nobody left, and that no clock ended."""


class GameHead(NamedTuple):
    """All that a game's record tells beside its end: its id, where and when it was played, by
    handles who sat there."""

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
    """The end of a game in seat order; `keys` name the seats."""
    dice = broken_off.dice
    return KnownEnd(
        tuple(ranks[key] for key in keys),
        None if points is None else tuple(points[key] for key in keys),
        None if dice is None else tuple(dice.get(key, 0) for key in keys),
        tuple(keys.index(key) for key in broken_off.forfeit),
        CLOCK if broken_off.by_clock else None,
    )


def game_rules(season: Season, *, with_points: bool) -> dict[str, Any]:
    """The rules that a game's record names: those on which the season has agreed, and, where its
    points by dice are told, that scoring."""
    rules: dict[str, Any] = dict(season.rules)
    if with_points and season.kind == Kind.BLUFF:
        rules.setdefault(SCORING, Scoring.CNTDICE.value)
    return rules


def tells_points(season: Season) -> bool:
    """True if points beside the places can be told: in Bluff, unless all have agreed on places,
    dice scores, in Lügen-Kniffel the totals."""
    return (
        season.kind != Kind.BLUFF or season.rules.get(SCORING, Scoring.CNTDICE) == Scoring.CNTDICE
    )


def record_value(
    season: Season, head: GameHead, rules: dict[str, Any], end: KnownEnd
) -> dict[str, Any]:
    """The record of a game of which only the end is known, as JSON."""
    return header_value(season, head, rules) | {"outcome": outcome_json(end)}


def header_value(season: Season, head: GameHead, rules: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a game of which nothing has been played, as JSON."""
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
        "played_at": head.played_at.replace(microsecond=0).isoformat() if head.played_at else None,
    }
    return {key: part for key, part in value.items() if part not in (None, "")}


def corrected_value(
    season: Season, record: Record, seats: Sequence[str], end: KnownEnd, played_at: datetime | None
) -> dict[str, Any]:
    """The record, as JSON, of a game of which only the end is known, with these seats and this end
    in place of its own."""
    header = header_json(record)
    rules: Any = header["rules"]
    if end.points is not None and season.kind == Kind.BLUFF:
        rules = rules | {SCORING: Scoring.CNTDICE.value}
    opener = record.opener if tuple(seats) == record.seats else 0
    value = header | {
        "rules": rules,
        "seats": list(seats),
        "opener": opener,
        "outcome": outcome_json(end),
    }
    if played_at is not None and played_at != record.instant:
        value["played_at"] = played_at.replace(microsecond=0).isoformat()
    return value


def kind_of(season: Season) -> AnyKind:
    """The kind of game of a season, as the engine has it."""
    return KINDS[season.kind]


def completed(
    season: Season, end: KnownEnd, points: Sequence[int | None]
) -> tuple[int, ...] | None:
    """The points of every seat: those that are told, and of the others those that follow from the
    end, as the winner's do; None where some are neither told nor follow."""
    kind = kind_of(season)
    bounds = kind.points_bounds(kind.read_rules(game_rules(season, with_points=True), "rules"), end)
    if len(bounds) < len(points):
        return None
    whole = [
        scores[0] if told_score is None and len(scores) == 1 else told_score
        for told_score, scores in zip(points, bounds, strict=True)
    ]
    return tuple(score for score in whole if score is not None) if None not in whole else None
