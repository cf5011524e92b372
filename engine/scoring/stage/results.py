"""The input of a stage's ranking: its participants, and the results of its tables."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, TypeVar

from engine.illegal import Illegal
from engine.kniffel.sheet import MOST
from engine.messages import Message, say
from engine.record.kinds import SEATS
from engine.scoring.points import MOST_PENALTY, is_ranking, points_as_ruled
from engine.scoring.stage.rules import StageRules

T = TypeVar("T", bound=Hashable)

PARTS: Final = 840
"""A score is a whole number of these parts of a point: the smallest number divisible by all of 1
to 8, so that every place at every table has a whole score."""
DICE: Final = 5
"""Dice that each seat of Bluff starts with: the last seat of a game scores that many for each
seat, ruling B13."""


@dataclass(frozen=True, slots=True)
class StageParticipant:
    """A player ranked in the stage.

    `name`: as sentences call the player. `seeding`: the place in the starting list from 1, None if
    not in it. `carried`: points carried over from an earlier stage. `label`: the club or town,
    empty for none.
    """

    player_id: str
    name: str
    seeding: int | None = None
    carried: Fraction = Fraction(0)
    withdrawn: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game, in seat order.

    `rank`: ties shared, as in 1, 2, 2, 4. `cntdice`, `totals`: the dice scores or the totals of the
    sheets, if known. `order`: the ranks that an arbiter has set instead of those played, if any.
    `penalty`: the points that an arbiter deducts from each seat, if any.
    """

    rank: tuple[int, ...]
    cntdice: tuple[int, ...] | None = None
    totals: tuple[int, ...] | None = None
    order: tuple[int, ...] | None = None
    penalty: tuple[int, ...] | None = None

    @property
    def as_ruled(self) -> "GameResult":
        """Return the game as it counts: in the order that an arbiter has set, with its points."""
        if self.order is None:
            return self
        return replace(
            self,
            rank=self.order,
            cntdice=self._in_order(self.cntdice),
            totals=self._in_order(self.totals),
            order=None,
        )

    def _in_order(self, points: tuple[int, ...] | None) -> tuple[int, ...] | None:
        if points is None or self.order is None:
            return points
        return points_as_ruled(points, self.rank, self.order)


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table of a round: the ids of its players, and their games in order of play.

    Rounds count from 1. Without games it isn't over yet. A game that lacks the points that the
    stage counts is over, too: it gives nothing until they are known. Players who don't take part in
    the stage, such as guests, aren't ranked, but the game stays as it was played.
    """

    round_number: int
    players: tuple[str, ...]
    games: tuple[GameResult, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundBye:
    """A player who had no table in a round."""

    round_number: int
    player: str


@dataclass(frozen=True, slots=True)
class StageResults:
    """The input of a stage's ranking; the order of participants, tables and byes doesn't matter."""

    rules: StageRules
    participants: tuple[StageParticipant, ...]
    tables: tuple[TableResult, ...]
    byes: tuple[RoundBye, ...] = ()


def results_fault(results: StageResults) -> Illegal | None:
    """Return the first error, a `bad_stage` with its path; None if the stage can be ranked."""
    return next(_faults(results), None)


def _faults(results: StageResults) -> Iterator[Illegal]:
    yield from _rules_faults(results.rules)
    for i, player_id in _repeated([participant.player_id for participant in results.participants]):
        yield _bad(f"participants[{i}].id", say("{player} takes part twice", player=player_id))
    for i, participant in enumerate(results.participants):
        yield from _points_faults(f"participants[{i}].carried", participant.carried)

    tables_in_round: Counter[int] = Counter()
    # Each pair of a round and a player at one of its tables, or with a bye.
    places: list[tuple[int, str]] = []
    for table in results.tables:
        number = table.round_number
        path = f"rounds[{number - 1}].tables[{tables_in_round[number]}]"
        yield from _table_faults(results.rules, table, path)
        tables_in_round[number] += 1
        places += [(number, player) for player in table.players]

    places += [(bye.round_number, bye.player) for bye in results.byes]
    for _, (round_number, player) in _repeated(places):
        yield _bad(
            f"rounds[{round_number - 1}]",
            say("{player} has two places in the round", player=player),
        )


def _rules_faults(rules: StageRules) -> Iterator[Illegal]:
    if rules.size not in SEATS:
        yield _bad(
            "size", say("a table has {least} to {most} seats", least=SEATS[0], most=SEATS[-1])
        )
    if rules.games < 1:
        yield _bad("games", say("a table plays at least one game"))
    for i, tie_break in _repeated(rules.tie_breaks):
        yield _bad(
            f"tie_breaks[{i}]", say("the tie-break {tie_break} is named twice", tie_break=tie_break)
        )
    if rules.bye is not None:
        yield from _points_faults("bye", rules.bye)


def _points_faults(path: str, points: Fraction) -> Iterator[Illegal]:
    if points < 0 or PARTS % points.denominator:
        yield _bad(path, say("must be a multiple of 1/840 of a point"))


def _table_faults(rules: StageRules, table: TableResult, path: str) -> Iterator[Illegal]:
    if len(table.players) not in SEATS:
        yield _bad(
            f"{path}.players",
            say("a table has {least} to {most} seats", least=SEATS[0], most=SEATS[-1]),
        )
    if len(table.games) > rules.games:
        yield _bad(
            f"{path}.games",
            say("a table in this stage plays at most {games} games", games=rules.games),
        )
    for i, game in enumerate(table.games):
        yield from _game_faults(rules, game, len(table.players), f"{path}.games[{i}]")


def _game_faults(rules: StageRules, game: GameResult, seats: int, path: str) -> Iterator[Illegal]:
    numbers_by_key = {
        "rank": game.rank,
        "cntdice": game.cntdice,
        "totals": game.totals,
        "order": game.order,
        "penalty": game.penalty,
    }
    for key, numbers in numbers_by_key.items():
        if numbers is not None and len(numbers) != seats:
            yield _bad(
                f"{path}.{key}", say("there must be one for each of the {seats} seats", seats=seats)
            )
    for key, ranks in (("rank", game.rank), ("order", game.order)):
        if ranks is not None and not is_ranking(ranks):
            yield _bad(
                f"{path}.{key}",
                say("these aren't valid ranks: equal ones are shared, as in 1, 2, 2, 4"),
            )
    if not _are_in_range(game.cntdice, DICE * seats):
        yield _bad(f"{path}.cntdice", say("a dice score is from 0 to {most}", most=DICE * seats))
    if not _are_in_range(game.totals, MOST):
        yield _bad(f"{path}.totals", say("a total is from 0 to {most}", most=MOST))
    if not _are_in_range(game.penalty, MOST_PENALTY):
        yield _bad(
            f"{path}.penalty", say("a penalty is from 0 to {most} points", most=MOST_PENALTY)
        )


def _are_in_range(numbers: tuple[int, ...] | None, most: int) -> bool:
    """Return True if all numbers are from 0 to `most`, or if there are none."""
    return numbers is None or all(0 <= number <= most for number in numbers)


def _repeated(entries: Sequence[T]) -> Iterator[tuple[int, T]]:
    """Yield each entry that was there before, after its index."""
    seen: set[T] = set()
    for i, entry in enumerate(entries):
        if entry in seen:
            yield i, entry
        seen.add(entry)


def _bad(path: str, message: Message) -> Illegal:
    return Illegal("bad_stage", message, path=path)
