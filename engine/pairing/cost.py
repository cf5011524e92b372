"""The cost of a draw: the criteria that make one draw better than another, in order of weight.

First, nobody sits out, or sits at a table smaller than wanted, more often than others. Players who
must stay apart stay apart. Nobody meets an opponent again, in this round or the planned ones, if it
can be avoided. Wishes to stay apart are respected. The players with the fewest points sit out.

Then come the finer points: the players of a table have scores as close as possible; nobody has more
points than all others at the table, or fewer, twice running; everybody opens equally often, and
sits in each seat equally often. The lot decides the rest. With `meetings_first`, turns at tables
smaller than wanted count after the meetings.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from itertools import chain, combinations
from typing import TypeAlias

from engine.pairing.draw_input import DrawInput, Floating, Participant, TableIds

PairOfIds: TypeAlias = tuple[str, str]
"""The ids of two players, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a draw. Less is better; the first difference in the order of `criteria` decides.

    `byes` and `short`: how often the players who sit out, or sit at a short table, did so before,
    with the least of all players subtracted for each. `must` and `apart`: pairs at a table that
    must, or wish to, stay apart. `repeats`: how often pairs at a table met before, plus the
    repeated meetings that the planned rounds can't avoid. `out`: by how many points the players who
    sit out exceed the lowest score. `spread`: squared differences of score, over all pairs at a
    table. `floats`: players who float the same way as in the last round. `opens` and `seats`:
    squared counts of first turns, and of each seat, over all players, including this round.
    """

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
        """Return the criteria by name, in their usual order."""
        return asdict(self)

    def ranked(self, draw_input: DrawInput) -> tuple[int, ...]:
        """Return the criteria in the order in which they count for an input: the lesser tuple is
        the better draw."""
        return tuple(
            [getattr(self, name) for name in criteria(meetings_first=draw_input.meetings_first)]
        )


@cache
def criteria(*, meetings_first: bool) -> tuple[str, ...]:
    """Return the names of the criteria in order of weight.

    `meetings_first`: whether meetings come before turns at short tables.
    """
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
    """Return the cost of these tables and byes, whose players are all among the participants.

    `later`: the repeated meetings that the planned rounds can't avoid, as far as known. `met`: the
    input's `meetings`, if the caller has them already."""
    participants = draw_input.participants
    players = {player.player_id: player for player in participants}
    if met is None:
        met = meetings(draw_input)

    out = [players[player_id] for player_id in bye]
    short: list[Participant] = []
    for table in tables:
        if len(table) < draw_input.sizes[0]:
            short += [players[player_id] for player_id in table]

    pairs = list(chain.from_iterable(map(pairs_at, tables)))
    apart = [must for _, must in pairs_apart(draw_input, pairs)]
    repeats = sum(met.get(pair, 0) for pair in pairs)

    spreads = 0
    floats = 0
    opens = sum(seat_count(player, seat=0) ** 2 for player in out)
    seats = sum(_squares(player.seats) for player in out)
    for table in tables:
        spreads += spread([players[player_id].score for player_id in table])
        floats += floats_again(table, players)
        opens += _squared_openings(table, players)
        seats += _squared_seats(table, players)
    return Cost(
        byes=_above_least(
            [player.byes for player in out], [player.byes for player in participants]
        ),
        short=_above_least(
            [player.short for player in short], [player.short for player in participants]
        ),
        must=apart.count(True),
        repeats=repeats + later,
        apart=apart.count(False),
        out=_above_least(
            [player.score for player in out], [player.score for player in participants]
        ),
        spread=spreads,
        floats=floats,
        opens=opens,
        seats=seats,
    )


def ordered(first: str, second: str) -> PairOfIds:
    """Return two ids as one pair, in alphabetical order."""
    if first < second:
        return first, second
    return second, first


def pairs_at(table: Iterable[str]) -> Iterable[PairOfIds]:
    """Yield all pairs of players at a table."""
    return combinations(sorted(table), 2)


def pairs_apart(
    draw_input: DrawInput, pairs: Iterable[PairOfIds]
) -> Iterator[tuple[PairOfIds, bool]]:
    """Yield those of the pairs that should stay apart, each with True if it must, False if it is
    a wish.

    A pair should stay apart if the input names it, or if both players have the same label."""
    if not draw_input.keeps_apart:
        return
    must_by_pair: dict[PairOfIds, bool] = {}
    for apart in draw_input.apart:
        pair = ordered(apart.first, apart.second)
        must_by_pair[pair] = must_by_pair.get(pair, False) or apart.must
    labels: dict[str, int] = {}
    if draw_input.labels:
        labels = {
            player.player_id: player.label for player in draw_input.participants if player.label
        }
    for pair in pairs:
        first, second = pair
        same_label = first in labels and labels[first] == labels.get(second)
        if same_label or pair in must_by_pair:
            must = must_by_pair.get(pair, False)
            yield pair, must or (same_label and draw_input.labels == "must")


def meetings(draw_input: DrawInput) -> Counter[PairOfIds]:
    """Count the meetings of every pair in the rounds played."""
    return Counter(
        pair for tables in draw_input.played for table in tables for pair in pairs_at(table)
    )


def spread(scores: Sequence[int]) -> int:
    """Return the sum, over all pairs at a table, of the squared difference of their scores."""
    return len(scores) * sum(score * score for score in scores) - sum(scores) ** 2


def float_of(score: int, scores: Iterable[int]) -> Floating | None:
    """Return how a player floats among others with these scores.

    Up if all have more points, down if all have fewer, else None."""
    others = list(scores)
    if score < min(others):
        return "up"
    if score > max(others):
        return "down"
    return None


def floats_at(table: TableIds, players: Mapping[str, Participant]) -> dict[str, Floating | None]:
    """Return how each player floats at a table of two or more, by id, for the next draw's input."""
    scores = {player_id: players[player_id].score for player_id in table}
    floats = {}
    for player_id in table:
        others = [scores[opponent] for opponent in table if opponent != player_id]
        floats[player_id] = float_of(scores[player_id], others)
    return floats


def floats_again(table: TableIds, players: Mapping[str, Participant]) -> int:
    """Count the players at a table who float the same way as in the last round."""
    return sum(
        direction is not None and direction == players[player_id].floats
        for player_id, direction in floats_at(table, players).items()
    )


def _above_least(counts: Sequence[int], all_counts: Sequence[int]) -> int:
    """Return by how much the counts exceed the least of all players' counts, added up."""
    return sum(counts) - len(counts) * min(all_counts, default=0)


def _squared_seats(table: TableIds, players: Mapping[str, Participant]) -> int:
    before = sum(_squares(players[player_id].seats) for player_id in table)
    # One more turn in a seat makes n² into (n + 1)², which adds 2n + 1.
    added = sum(
        2 * seat_count(players[player_id], seat) + 1 for seat, player_id in enumerate(table)
    )
    return before + added


def _squared_openings(table: TableIds, players: Mapping[str, Participant]) -> int:
    openings = [seat_count(players[player_id], seat=0) for player_id in table]
    # The first player's n² becomes (n + 1)², which adds 2n + 1.
    return _squares(openings) + 2 * openings[0] + 1


def seat_count(player: Participant, seat: int) -> int:
    """Return in how many rounds a player had a seat; the first seat is 0."""
    if seat < len(player.seats):
        return player.seats[seat]
    return 0


def _squares(counts: Iterable[int]) -> int:
    return sum(count * count for count in counts)
