"""Promotion and relegation: the moves between divisions at the end of a season.

They follow from the final rankings of the divisions and a plan.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.scoring.wording import listed


class DivisionLine(NamedTuple):
    """The plan between two neighbouring divisions: how many players go up, and how many down."""

    up: int
    down: int


@dataclass(frozen=True, slots=True)
class DivisionResult:
    """The final ranking of one division: players with their ranks, ties shared, in any order."""

    division_id: str
    name: str
    rows: tuple[tuple[str, int], ...]


class DivisionMove(NamedTuple):
    """A player who changes division, with the rank that caused it; divisions by id."""

    player: str
    rank: int
    before: str
    after: str


class TieAtLine(NamedTuple):
    """Players who share the rank at a line, more of them than places: the organiser decides.

    `division`: their division; `after`: the one to which `places` of the `players` go.
    """

    division: str
    after: str
    rank: int
    players: tuple[str, ...]
    places: int


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    """The moves between divisions. The season can't be closed until `open_ties` is empty."""

    moves: tuple[DivisionMove, ...]
    open_ties: tuple[TieAtLine, ...]


def division_moves(
    divisions: Sequence[DivisionResult],
    lines: Sequence[DivisionLine],
    choices: Mapping[str, str] = MappingProxyType({}),
) -> DivisionPlan | Illegal:
    """Return the moves at the end of a season.

    `divisions`: from the highest to the lowest; `lines`: one between each two. `choices`: the
    players tied at a line who move, with their new division, as the organiser decided. The plan
    depends on nothing else: made again after the season was closed, it is the same. Error:
    `bad_plan` if there isn't a line between each two divisions, if a division has fewer players
    than are to leave it, or if a player is in two divisions.
    """
    fault = _plan_fault(divisions, lines)
    if fault is not None:
        return fault
    moves: list[DivisionMove] = []
    ties: list[TieAtLine] = []
    for crossing in _crossings(divisions, lines):
        for player, rank in crossing.moving(choices):
            moves.append(DivisionMove(player, rank, crossing.before, crossing.after))
        ties += crossing.open_ties(choices)
    return DivisionPlan(tuple(moves), tuple(ties))


@dataclass(frozen=True, slots=True)
class _Crossing:
    """The players, each with their rank, who may cross the line from one division to another.

    `clear`: the players who certainly do. `tied`: players who share a rank, of whom as many as
    `places` cross the line.
    """

    before: str
    after: str
    clear: tuple[tuple[str, int], ...]
    tied: tuple[tuple[str, int], ...]
    places: int

    def moving(self, choices: Mapping[str, str]) -> tuple[tuple[str, int], ...]:
        """Return the players who cross the line into the other division, each with their rank.

        Tied players are among them once the organiser has chosen as many as there are places left.
        `choices`: the new division of each chosen player.
        """
        chosen = tuple([row for row in self.tied if choices.get(row[0]) == self.after])
        if len(chosen) == self.places:
            return self.clear + chosen
        return self.clear

    def open_ties(self, choices: Mapping[str, str]) -> list[TieAtLine]:
        """Return a list of the tie if the organiser still has to decide it; else an empty list."""
        if len(self.moving(choices)) == len(self.clear) + self.places:
            return []
        players = tuple([player for player, _ in self.tied])
        rank = self.tied[0][1]
        return [TieAtLine(self.before, self.after, rank, players, self.places)]


def _crossings(
    divisions: Sequence[DivisionResult], lines: Sequence[DivisionLine]
) -> Iterator[_Crossing]:
    for upper, lower, line in zip(divisions, divisions[1:], lines, strict=False):
        worst_first = sorted(upper.rows, key=lambda row: (-row[1], row[0]))
        yield _crossing(upper, lower, worst_first, line.down)
        best_first = sorted(lower.rows, key=lambda row: (row[1], row[0]))
        yield _crossing(lower, upper, best_first, line.up)


def _crossing(
    before: DivisionResult, after: DivisionResult, rows: Sequence[tuple[str, int]], count: int
) -> _Crossing:
    """Return the crossing of the players in the first `count` rows.

    `rows`: the players of the division `before` with their ranks, in the order in which they would
    leave it. If the last of them shares the rank with the next player, all on that rank are
    tied."""
    is_clear = count in (0, len(rows)) or rows[count - 1][1] != rows[count][1]
    if is_clear:
        return _Crossing(
            before.division_id,
            after.division_id,
            clear=tuple(rows[:count]),
            tied=(),
            places=0,
        )
    rank = rows[count][1]
    clear = tuple([row for row in rows[:count] if row[1] != rank])
    tied = tuple([row for row in rows if row[1] == rank])
    places = count - len(clear)
    return _Crossing(before.division_id, after.division_id, clear, tied, places)


def _plan_fault(
    divisions: Sequence[DivisionResult], lines: Sequence[DivisionLine]
) -> Illegal | None:
    if len(lines) != max(len(divisions) - 1, 0):
        return _bad(say("there must be a line between each pair of neighbouring divisions"))
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
                    "players to leave {division}: {leaving}; players in it: {players}",
                    **values,
                )
            )
    return None


def _bad(message: Message) -> Illegal:
    return Illegal("bad_plan", message)


def explain_division_move(
    move: DivisionMove, divisions: Mapping[str, str], names: Mapping[str, str]
) -> Message:
    """Explain why a player changes division.

    `names`: of the players by id; `divisions`: names by id, the highest division first.
    """
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
    """Return a sentence about the tie to be decided at a line.

    `names`: of the players by id; `divisions`: names by id.
    """
    return say(
        "{players} share rank {rank} in {division}; "
        "the organiser decides who goes to {after} (places: {places})",
        players=listed([names.get(player, player) for player in tie.players]),
        rank=tie.rank,
        division=divisions[tie.division],
        after=divisions[tie.after],
        places=tie.places,
    )
