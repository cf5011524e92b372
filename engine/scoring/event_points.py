"""A season ranked by its events: the points of each event, the events that count, and why."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from engine.grouping import lists_by_key
from engine.messages import Message, say
from engine.scoring.natural import natural
from engine.scoring.wording import counted, listed, written


class Per(StrEnum):
    """The source of a season's points.

    `event`: the final rank in an event gives points. `game`: an event gives the points of its
    games.
    """

    EVENT = "event"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class EventRules:
    """The rules by which the events of a season count.

    `best`: how many events of each player count, those with the most points; None counts all.
    `points_table`: the points of rank 1, rank 2 and so on in an event, 0 beyond its end; players
    who share a rank get the points of that rank. None gives one point for each player left behind
    in the event.
    """

    per: Per
    best: int | None = None
    points_table: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class EventFinish:
    """The end of an event for one player.

    `rank`: the final one, ties shared. `points`: those of the event's games. `guest`: doesn't count
    in the season, though the games stay as they were played. `counts_for`: the player for whom a
    substitute played, as the club says; None if the points are the player's own.
    """

    player: str
    rank: int
    points: Fraction = Fraction(0)
    guest: bool = False
    counts_for: str | None = None


@dataclass(frozen=True, slots=True)
class EventResult:
    """A finished event of a season. `number`: its unique place in the season, from 1."""

    event_id: str
    number: int
    name: str
    finishes: tuple[EventFinish, ...]


class EventPoints(NamedTuple):
    """A player's season points from one event.

    `rank`: among the players who count; `by`: the substitute who played.
    """

    event: str
    number: int
    name: str
    rank: int
    points: Fraction
    by: str | None


@dataclass(frozen=True, slots=True)
class EventsRow:
    """A row of a season's ranking by events.

    `counted` and `dropped` are in the order of the season.
    """

    rank: int
    player: str
    points: Fraction
    counted: tuple[EventPoints, ...]
    dropped: tuple[EventPoints, ...]

    @property
    def best_first(self) -> tuple[Fraction, ...]:
        """Return the points of the counted events, without zeros, the most first: the tie-break."""
        return tuple(sorted([event.points for event in self.counted if event.points], reverse=True))


def season_by_events(rules: EventRules, events: Iterable[EventResult]) -> tuple[EventsRow, ...]:
    """Return the ranking of a season by its events, best first.

    More points are better; ties are broken by the best event, then the second best, and so on.
    Players equal in all events share the rank, and are sorted by id. The order of `events`, and of
    the finishes in them, doesn't matter.
    """
    pairs: list[tuple[str, EventPoints]] = []
    for event in sorted(events, key=lambda event: event.number):
        pairs += _event_points(rules, event).items()
    points_by_player = lists_by_key(pairs)
    rows = [_row(rules, player, points) for player, points in points_by_player.items()]
    rows.sort(key=lambda row: natural(row.player))
    rows.sort(key=_ranking_key, reverse=True)

    ranked: list[EventsRow] = []
    for place, row in enumerate(rows, start=1):
        is_shared = ranked and _ranking_key(ranked[-1]) == _ranking_key(row)
        ranked.append(replace(row, rank=ranked[-1].rank if is_shared else place))
    return tuple(ranked)


def _ranking_key(row: EventsRow) -> tuple[Fraction, tuple[Fraction, ...]]:
    return row.points, row.best_first


def _event_points(rules: EventRules, event: EventResult) -> dict[str, EventPoints]:
    """Return the points of an event by the player for whom they count.

    Ranks are counted again without guests. If several finishes count for one player, as after a
    substitution, the better rank counts; by `Per.GAME`, the points of all finishes."""
    in_order = sorted(event.finishes, key=lambda finish: (finish.rank, finish.player))
    finishes = lists_by_key(
        (finish.counts_for or finish.player, finish) for finish in in_order if not finish.guest
    )
    final_ranks = sorted([player_finishes[0].rank for player_finishes in finishes.values()])
    points_by_player: dict[str, EventPoints] = {}
    for player, player_finishes in finishes.items():
        final_rank = player_finishes[0].rank
        rank = 1 + bisect_left(final_ranks, final_rank)
        if rules.per == Per.GAME:
            points = sum([finish.points for finish in player_finishes], Fraction(0))
        elif rules.points_table is None:
            points = Fraction(len(final_ranks) - bisect_right(final_ranks, final_rank))
        elif rank <= len(rules.points_table):
            points = Fraction(rules.points_table[rank - 1])
        else:
            points = Fraction(0)
        has_played = any(finish.player == player for finish in player_finishes)
        by = None if has_played else player_finishes[0].player
        points_by_player[player] = EventPoints(
            event.event_id, event.number, event.name, rank, points, by
        )
    return points_by_player


def _row(rules: EventRules, player: str, events: Sequence[EventPoints]) -> EventsRow:
    best_first = sorted(events, key=lambda event: (-event.points, event.number))
    most = len(best_first) if rules.best is None else rules.best
    counted = sorted(best_first[:most], key=lambda event: event.number)
    dropped = sorted(best_first[most:], key=lambda event: event.number)
    points = sum([event.points for event in counted], Fraction(0))
    # The rank is set once all rows are sorted.
    return EventsRow(
        rank=0, player=player, points=points, counted=tuple(counted), dropped=tuple(dropped)
    )


def explain_events(row: EventsRow, names: Mapping[str, str]) -> tuple[Message, ...]:
    """Explain the points of a row event by event, and name the events that don't count.

    `names`: by player's id.
    """
    name = names.get(row.player, row.player)
    sentences = [
        say(
            "{name} has {points} and rank {rank}",
            name=name,
            points=counted(row.points),
            rank=row.rank,
        )
    ]
    sentences += [_event_in_words(event, names) for event in row.counted]
    if row.dropped:
        dropped = [
            say("{event} ({points})", event=event.name, points=counted(event.points))
            for event in row.dropped
        ]
        sentences.append(
            say(
                "only the best {best} events count; not these: {events}",
                best=len(row.counted),
                events=listed(dropped),
            )
        )
    return tuple(sentences)


def _event_in_words(event: EventPoints, names: Mapping[str, str]) -> Message:
    values = {"event": event.name, "rank": event.rank, "points": counted(event.points)}
    if event.by is not None:
        return say(
            "{event}: rank {rank}, {points}, played by {by}",
            **values,
            by=names.get(event.by, event.by),
        )
    return say("{event}: rank {rank}, {points}", **values)


def between_events(above: EventsRow, below: EventsRow, names: Mapping[str, str]) -> Message:
    """Explain the order of two neighbours in a ranking by events, or why they share the rank."""
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
            "{above} and {below} have {points}, and the same points from each event that "
            "counts, best to worst: both have rank {rank}",
            **values,
            rank=below.rank,
        )
    pairs = zip(above.best_first, below.best_first, strict=False)
    number, (more, less) = next(
        (number, pair) for number, pair in enumerate(pairs, start=1) if pair[0] != pair[1]
    )
    values |= {"more": written(more), "less": written(less)}
    if number == 1:
        return say(
            "{above} and {below} have {points}; their best events: {more} and {less}", **values
        )
    return say(
        "{above} and {below} have {points}; "
        "number {number} of their best events: {more} and {less}",
        **values,
        number=number,
    )
