"""A season ranked by its events: what each event brings, which of them count, and why the rows
stand in this order."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from engine.grouping import lists_by_key
from engine.messages import Message, say
from engine.scoring.natural import natural
from engine.scoring.wording import counted, listed, written


class Per(StrEnum):
    """The source of a season's points.

    `event`: the final rank in an event brings points. `game`: an event brings what its games
    brought."""

    EVENT = "event"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class EventRules:
    """The rules by which the events of a season count.

    `best`: only so many events of each player count, those that brought most; None counts all.
    `points_table`: per event, the points of rank 1, rank 2 and so on, 0 behind its end; who shares
    a rank has the points of that rank. None is one point for everybody left behind in the event.
    """

    per: Per
    best: int | None = None
    points_table: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class EventFinish:
    """The end of an event for one player.

    `rank`: the final one, equal ones shared. `points`: what the games of the event brought.
    `guest`: doesn't count in the season, though the games stay as they were played. `counts_for`:
    the player for whom a substitute played, as the club says; None for who played for oneself."""

    player: str
    rank: int
    points: Fraction = Fraction(0)
    guest: bool = False
    counts_for: str | None = None


@dataclass(frozen=True, slots=True)
class EventResult:
    """One event of a season that is over. `number`: its place in the season, from 1; no two have
    the same."""

    event_id: str
    number: int
    name: str
    finishes: tuple[EventFinish, ...]


class EventPoints(NamedTuple):
    """A player's season points from one event. `rank`: among those who count; `by`: the substitute
    who played."""

    event: str
    number: int
    name: str
    rank: int
    points: Fraction
    by: str | None


@dataclass(frozen=True, slots=True)
class EventsRow:
    """One row of a season's ranking by events; `counted` and `dropped` are in the order of the
    season."""

    rank: int
    player: str
    points: Fraction
    counted: tuple[EventPoints, ...]
    dropped: tuple[EventPoints, ...]

    @property
    def best_first(self) -> tuple[Fraction, ...]:
        """The points of the events that count and brought any, the most first: by these, equal rows
        are compared."""
        return tuple(sorted([event.points for event in self.counted if event.points], reverse=True))


def season_by_events(rules: EventRules, events: Iterable[EventResult]) -> tuple[EventsRow, ...]:
    """The ranking of a season by its events, best first; the order in which events and finishes
    come changes nothing.

    More points are better. Equal: the better best event, then the second best, and so on; who is
    equal in all shares the rank, and stands in the order of ids."""
    in_order = sorted(events, key=lambda event: event.number)
    points_brought = lists_by_key(
        pair for event in in_order for pair in _event_points(rules, event).items()
    )
    rows = [_row(rules, player, points) for player, points in points_brought.items()]
    rows.sort(key=lambda row: natural(row.player))
    rows.sort(key=_strength, reverse=True)
    ranked: list[EventsRow] = []
    for place, row in enumerate(rows, start=1):
        shared = bool(ranked) and _strength(ranked[-1]) == _strength(row)
        ranked.append(
            EventsRow(
                ranked[-1].rank if shared else place,
                row.player,
                row.points,
                row.counted,
                row.dropped,
            )
        )
    return tuple(ranked)


def _strength(row: EventsRow) -> tuple[Fraction, tuple[Fraction, ...]]:
    return row.points, row.best_first


def _event_points(rules: EventRules, event: EventResult) -> dict[str, EventPoints]:
    """Compute the points that an event brings everybody for whom it counts.

    Ranks are counted anew without guests. If several finishes count for one player, as when a
    substitute took over, the better rank counts, per game the points of all."""
    in_order = sorted(event.finishes, key=lambda finish: (finish.rank, finish.player))
    finishes = lists_by_key(
        (finish.counts_for or finish.player, finish) for finish in in_order if not finish.guest
    )
    ranks = sorted([own[0].rank for own in finishes.values()])
    points: dict[str, EventPoints] = {}
    for player, own in finishes.items():
        rank = 1 + bisect_left(ranks, own[0].rank)
        if rules.per == Per.GAME:
            points_brought = sum([finish.points for finish in own], Fraction(0))
        elif rules.points_table is None:
            points_brought = Fraction(len(ranks) - bisect_right(ranks, own[0].rank))
        else:
            points_brought = Fraction(
                rules.points_table[rank - 1] if rank <= len(rules.points_table) else 0
            )
        by = None if any(finish.player == player for finish in own) else own[0].player
        points[player] = EventPoints(
            event.event_id, event.number, event.name, rank, points_brought, by
        )
    return points


def _row(rules: EventRules, player: str, events: Sequence[EventPoints]) -> EventsRow:
    """The row of one player, with a rank still to be given; of events that brought the same, the
    earlier ones count."""
    best_first = sorted(events, key=lambda event: (-event.points, event.number))
    counted, dropped = (
        sorted(part, key=lambda event: event.number) for part in _split(best_first, rules.best)
    )
    return EventsRow(
        0,
        player,
        sum([event.points for event in counted], Fraction(0)),
        tuple(counted),
        tuple(dropped),
    )


def _split(
    events: list[EventPoints], best: int | None
) -> tuple[list[EventPoints], list[EventPoints]]:
    return (events, []) if best is None else (events[:best], events[best:])


def explain_events(row: EventsRow, names: Mapping[str, str]) -> tuple[Message, ...]:
    """Explain the points of a row event by event, and name the events that don't count; `names` by
    player's id."""
    name = names.get(row.player, row.player)
    sentences = [
        say(
            "{name} has {points} and rank {rank}",
            name=name,
            points=counted(row.points),
            rank=row.rank,
        )
    ]
    sentences += [_event(event, names) for event in row.counted]
    if row.dropped:
        dropped = listed(
            [
                say("{event} ({points})", event=event.name, points=counted(event.points))
                for event in row.dropped
            ]
        )
        best = len(row.counted)
        sentences.append(
            say("only the best {best} events count; not these: {events}", best=best, events=dropped)
        )
    return tuple(sentences)


def _event(event: EventPoints, names: Mapping[str, str]) -> Message:
    values = {"event": event.name, "rank": event.rank, "points": counted(event.points)}
    if event.by is not None:
        return say(
            "{event}: rank {rank}, {points}, played by {by}",
            **values,
            by=names.get(event.by, event.by),
        )
    return say("{event}: rank {rank}, {points}", **values)


def between_events(above: EventsRow, below: EventsRow, names: Mapping[str, str]) -> Message:
    """Explain why of two neighbours in a season's ranking by events one is above the other, or both
    share the rank."""
    values = {
        "above": names.get(above.player, above.player),
        "below": names.get(below.player, below.player),
    }
    if above.points != below.points:
        values |= {"more": counted(above.points), "less": written(below.points)}
        return say("{above} has {more}, {below} {less}", **values)
    values["points"] = counted(below.points)
    if above.rank == below.rank:
        return say(
            "{above} and {below} have {points}, the same from the best event that counts to the "
            "last: both have rank"
            " {rank}",
            **values,
            rank=below.rank,
        )
    number, more, less = next(
        (number, more, less)
        for number, (more, less) in enumerate(
            zip(above.best_first, below.best_first, strict=False), start=1
        )
        if more != less
    )
    values |= {"more": written(more), "less": written(less)}
    if number == 1:
        return say(
            "{above} and {below} have {points}; their best events: {more} and {less}", **values
        )
    return say(
        (
            "{above} and {below} have {points}; number {number} of their best events: {more} and "
            "{less}"
        ),
        **values,
        number=number,
    )
