"""Promotion and relegation: from the final rankings of divisions and a plan, who moves where when
the season closes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.scoring.wording import listed


class DivisionLine(NamedTuple):
    """The plan between two neighbouring divisions: the number that go up from the lower one and
    down from the upper."""

    up: int
    down: int


@dataclass(frozen=True, slots=True)
class DivisionResult:
    """The final ranking of one division: players with their ranks, equal ones shared, in any
    order."""

    division_id: str
    name: str
    rows: tuple[tuple[str, int], ...]


class DivisionMove(NamedTuple):
    """Somebody who changes the division, with the rank that did it; divisions by id."""

    player: str
    rank: int
    before: str
    after: str


class TieAtLine(NamedTuple):
    """Players who share the rank at a line, more than there are places behind it: the organiser
    says who moves.

    `division`: where they are; `after`: where `places` of the `players` go.
    """

    division: str
    after: str
    rank: int
    players: tuple[str, ...]
    places: int


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    """The moves between divisions. As long as `open_ties` isn't empty, the season can't be
    closed."""

    moves: tuple[DivisionMove, ...]
    open_ties: tuple[TieAtLine, ...]


def division_moves(
    divisions: Sequence[DivisionResult],
    lines: Sequence[DivisionLine],
    choices: Mapping[str, str] = MappingProxyType({}),
) -> DivisionPlan | Illegal:
    """Decide the moves at the end of a season; divisions from the highest to the lowest, with a
    line between each two.

    `choices`: of those tied at a line, who moves, and to which division, as the organiser decided.
    The plan depends on nothing but final rankings: made again after the season was closed, it is
    the same plan. `bad_plan` if there isn't a line between each two divisions, if a division has
    fewer players than are to leave it, or if somebody plays in two."""
    fault = _plan_fault(divisions, lines)
    if fault is not None:
        return fault
    crossings = list(_crossings(divisions, lines))
    moves = [
        DivisionMove(player, rank, crossing.before, crossing.after)
        for crossing in crossings
        for player, rank in crossing.moving(choices)
    ]
    return DivisionPlan(
        tuple(moves), tuple([tie for crossing in crossings for tie in crossing.ties(choices)])
    )


@dataclass(frozen=True, slots=True)
class _Crossing:
    """Those who may cross a line: `clear` ones surely; of the `tied` ones, who share a rank, so
    many as `places`."""

    before: str
    after: str
    clear: tuple[tuple[str, int], ...]
    tied: tuple[tuple[str, int], ...]
    places: int

    def moving(self, choices: Mapping[str, str]) -> tuple[tuple[str, int], ...]:
        """The players who cross the line; of those tied the chosen ones, if they are as many as
        there are places."""
        picked = tuple([row for row in self.tied if choices.get(row[0]) == self.after])
        return self.clear + (picked if len(picked) == self.places else ())

    def ties(self, choices: Mapping[str, str]) -> Iterator[TieAtLine]:
        """The tie that is still open, if there is one."""
        if len(self.moving(choices)) < len(self.clear) + self.places:
            players = tuple([player for player, _ in self.tied])
            yield TieAtLine(self.before, self.after, self.tied[0][1], players, self.places)


def _crossings(
    divisions: Sequence[DivisionResult], lines: Sequence[DivisionLine]
) -> Iterator[_Crossing]:
    for upper, lower, line in zip(divisions, divisions[1:], lines, strict=False):
        yield _crossing(
            upper, lower, sorted(upper.rows, key=lambda row: (-row[1], row[0])), line.down
        )
        yield _crossing(lower, upper, sorted(lower.rows, key=lambda row: (row[1], row[0])), line.up)


def _crossing(
    before: DivisionResult, after: DivisionResult, rows: Sequence[tuple[str, int]], count: int
) -> _Crossing:
    """Of rows from the line on, those who cross it."""
    if count == len(rows) or count == 0 or rows[count - 1][1] != rows[count][1]:
        return _Crossing(before.division_id, after.division_id, tuple(rows[:count]), (), 0)
    rank = rows[count][1]
    clear = tuple([row for row in rows[:count] if row[1] != rank])
    tied = tuple([row for row in rows if row[1] == rank])
    return _Crossing(before.division_id, after.division_id, clear, tied, count - len(clear))


def _plan_fault(
    divisions: Sequence[DivisionResult], lines: Sequence[DivisionLine]
) -> Illegal | None:
    if len(lines) != max(len(divisions) - 1, 0):
        return _bad(say("there must be a line between each two divisions"))
    players = [player for division in divisions for player, _ in division.rows]
    if len(set(players)) < len(players):
        return _bad(say("somebody plays in two divisions"))
    for i, division in enumerate(divisions):
        up = lines[i - 1].up if i else 0
        down = lines[i].down if i < len(lines) else 0
        if min(up, down) < 0 or up + down > len(division.rows):
            values = {
                "division": division.name,
                "leaving": up + down,
                "players": len(division.rows),
            }
            return _bad(
                say(
                    "players to leave {division}: {leaving}; players who are in it: {players}",
                    **values,
                )
            )
    return None


def _bad(message: Message) -> Illegal:
    return Illegal("bad_plan", message)


def explain_division_move(
    move: DivisionMove, divisions: Mapping[str, str], names: Mapping[str, str]
) -> Message:
    """Explain why somebody changes the division; `names` by player's id, and by theirs those of the
    divisions, the highest first."""
    order = list(divisions)
    values = {
        "name": names.get(move.player, move.player),
        "rank": move.rank,
        "before": divisions[move.before],
        "after": divisions[move.after],
    }
    if order.index(move.after) < order.index(move.before):
        return say("{name} has rank {rank} in {before} and goes up to {after}", **values)
    return say("{name} has rank {rank} in {before} and goes down to {after}", **values)


def explain_tie(tie: TieAtLine, divisions: Mapping[str, str], names: Mapping[str, str]) -> Message:
    """Say in a sentence what is left to decide at a line; `names` by player's id, `divisions` by
    theirs."""
    return say(
        (
            "{players} share rank {rank} in {division}; the organiser decides who goes to {after} "
            "(places: {places})"
        ),
        players=listed([names.get(player, player) for player in tie.players]),
        rank=tie.rank,
        division=divisions[tie.division],
        after=divisions[tie.after],
        places=tie.places,
    )
