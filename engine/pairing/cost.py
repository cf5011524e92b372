"""The cost of a draw: the criteria that make one draw better than another, in the order in which
they count.

Nobody sits out, or sits at a table smaller than wanted, more often than others. Two who must stay
apart stay apart. Nobody meets somebody again, now or in the rounds that are planned, if that can be
avoided. Wishes to stay apart are heard. Those with the fewest points sit out. Only then: those at a
table have as nearly the same points as can be; nobody has more points than all others at the table,
or fewer, twice running; everybody opens equally often, and sits in each seat equally often. What is
still open then, the lot decides. Where `meetings_first` is chosen, turns at tables smaller than
wanted count behind the meetings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from itertools import combinations
from typing import TypeAlias

from engine.pairing.draw_input import DrawInput, Floating, Participant, TableIds

PairOfIds: TypeAlias = tuple[str, str]
"""The ids of two, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a draw: less is better, the first difference in the order of `criteria` decides.

    `byes` and `short`: how often those who sit out, or sit at a short table, did before, the least
    of all players taken off for each. `must` and `apart`: pairs at a table that must, or wish to,
    stay apart. `repeats`: how often pairs at a table met before, and the meetings again that the
    rounds to come can't avoid. `out`: by how much those who sit out have more points than the last
    of all. `spread`: squared differences of score, over all pairs at a table. `floats`: players who
    float as they did in the last round. `opens` and `seats`: squared counts of first turns, and of
    each seat, over all players, with this round."""

    byes: int
    short: int
    must: int
    repeats: int
    apart: int
    out: int
    spread: int
    floats: int
    opens: int
    seats: int

    def as_json(self) -> dict[str, int]:
        """The criteria by name, in their usual order."""
        return asdict(self)

    def ranked(self, draw_input: DrawInput) -> tuple[int, ...]:
        """The criteria in the order in which they count for an input: of two draws the lesser one
        is better."""
        return tuple(
            [getattr(self, name) for name in criteria(meetings_first=draw_input.meetings_first)]
        )


@cache
def criteria(*, meetings_first: bool) -> tuple[str, ...]:
    """The names of the criteria, in the order in which they count where meetings do so before turns
    at short tables, or behind them."""
    names = [field.name for field in fields(Cost)]
    if meetings_first:
        names.remove("short")
        names.insert(names.index("repeats") + 1, "short")
    return tuple(names)


def cost_of(
    draw_input: DrawInput,
    tables: Sequence[TableIds],
    bye: TableIds = (),
    later: int = 0,
    met: Mapping[PairOfIds, int] | None = None,
) -> Cost:
    """Compute the cost of these tables and these byes; all players in them are among the
    participants.

    `later`: the meetings again that the rounds to come can't avoid, as far as one knows. `met`: the
    input's `meetings` where one has them already."""
    players = {player.player_id: player for player in draw_input.participants}
    met = meetings(draw_input) if met is None else met
    pairs = [pair for table in tables for pair in pairs_at(table)]
    apart = [must for _, must in pairs_apart(draw_input, pairs)]
    return Cost(
        byes=_more_than_others(
            [player.byes for player in players.values()],
            [players[player_id].byes for player_id in bye],
        ),
        short=_more_than_others(
            [player.short for player in players.values()],
            [
                players[player_id].short
                for table in tables
                if len(table) < draw_input.sizes[0]
                for player_id in table
            ],
        ),
        must=apart.count(True),
        repeats=sum(met.get(pair, 0) for pair in pairs) + later,
        apart=apart.count(False),
        out=_more_than_others(
            [player.score for player in players.values()],
            [players[player_id].score for player_id in bye],
        ),
        spread=sum(spread([players[player_id].score for player_id in table]) for table in tables),
        floats=sum(floats_again(table, players) for table in tables),
        opens=sum(_opens(table, players) for table in tables)
        + sum(seat_count(players[player_id], 0) ** 2 for player_id in bye),
        seats=sum(_seats(table, players) for table in tables)
        + sum(_squares(players[player_id].seats) for player_id in bye),
    )


def ordered(first: str, second: str) -> PairOfIds:
    """Two ids as one pair, whichever is named first."""
    return (first, second) if first < second else (second, first)


def pairs_at(table: Iterable[str]) -> Iterable[PairOfIds]:
    """Everybody at a table with everybody else there."""
    return combinations(sorted(table), 2)


def pairs_apart(
    draw_input: DrawInput, pairs: Iterable[PairOfIds]
) -> Iterator[tuple[PairOfIds, bool]]:
    """Those of some pairs who had better not meet, as they are named or have one label; each with
    whether they must not."""
    if not draw_input.keeps_apart:
        return
    must_by_pair = {
        ordered(pair.first, pair.second): pair.must
        for pair in sorted(
            draw_input.apart, key=lambda pair: pair.must
        )  # where a pair is named twice, must holds
    }
    labels = {player.player_id: player.label for player in draw_input.participants if player.label}
    for pair in pairs:
        is_labelled = (
            draw_input.labels and pair[0] in labels and labels[pair[0]] == labels.get(pair[1])
        )
        if is_labelled or pair in must_by_pair:
            yield (
                pair,
                must_by_pair.get(pair, False) or bool(is_labelled and draw_input.labels == "must"),
            )


def meetings(draw_input: DrawInput) -> Counter[PairOfIds]:
    """Count the meetings of every pair that met in the rounds played."""
    return Counter(
        pair for tables in draw_input.played for table in tables for pair in pairs_at(table)
    )


def spread(scores: Sequence[int]) -> int:
    """The sum over all pairs at a table of the squared difference of their scores."""
    return len(scores) * sum(score * score for score in scores) - sum(scores) ** 2


def float_of(score: int, scores: Iterable[int]) -> Floating | None:
    """The float of a player among others with these scores: up if all have more, down if all have
    fewer, else None."""
    least, most = min(scores := list(scores)), max(scores)
    return "up" if score < least else "down" if score > most else None


def floats_at(table: TableIds, players: Mapping[str, Participant]) -> dict[str, Floating | None]:
    """The float of each player at a table of two or more, by id: part of the next draw's input."""
    scores = {player_id: players[player_id].score for player_id in table}
    return {
        player_id: float_of(
            scores[player_id], [scores[opponent] for opponent in table if opponent != player_id]
        )
        for player_id in table
    }


def floats_again(table: TableIds, players: Mapping[str, Participant]) -> int:
    """Count the players at a table who float the same way as in the last round."""
    return sum(
        way is not None and way == players[player_id].floats
        for player_id, way in floats_at(table, players).items()
    )


def _more_than_others(all_counts: Sequence[int], counts: Sequence[int]) -> int:
    return sum(counts) - len(counts) * min(all_counts, default=0)


def _seats(table: TableIds, players: Mapping[str, Participant]) -> int:
    """The squared counts of each seat of those at a table, once they sat there."""
    before = sum(_squares(players[player_id].seats) for player_id in table)
    return before + sum(
        2 * seat_count(players[player_id], seat) + 1 for seat, player_id in enumerate(table)
    )


def _opens(table: TableIds, players: Mapping[str, Participant]) -> int:
    """The squared counts of first turns of those at a table, once one of them opened there."""
    before = [seat_count(players[player_id], 0) for player_id in table]
    return _squares(before) + 2 * before[0] + 1


def seat_count(player: Participant, seat: int) -> int:
    """Count the rounds in which a player had a seat; the first seat is 0."""
    return player.seats[seat] if seat < len(player.seats) else 0


def _squares(counts: Iterable[int]) -> int:
    return sum(count * count for count in counts)
