"""Stages for tests, written down in short."""

from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from engine.scoring.stage.results import (
    GameResult,
    RoundBye,
    StageParticipant,
    StageResults,
    TableResult,
)
from engine.scoring.stage.rules import StageRules, StageScoring, StageTieBreak

ALL = tuple(StageTieBreak)


def rules(
    *tie_breaks: StageTieBreak,
    scoring: StageScoring = StageScoring.PLACEMENT,
    size: int = 4,
    games: int = 1,
    bye: Fraction | None = None,
) -> StageRules:
    return StageRules(scoring, size, tie_breaks, "autumn cup", games, bye)


def game(
    *rank: int, cntdice: tuple[int, ...] | None = None, totals: tuple[int, ...] | None = None
) -> GameResult:
    return GameResult(rank, cntdice, totals)


def table(round: int, finish: str, *others: str) -> TableResult:
    """A table whose players are letters in seat order, by the first game's finish; each game is
    told by its finish."""
    return TableResult(
        round,
        tuple(sorted(finish)),
        tuple([game(*ranks(finish, order)) for order in (finish, *others)]),
    )


def ranks(players: str, order: str) -> list[int]:
    return [order.index(player) + 1 for player in sorted(players)]


def stage(
    rules: StageRules, *tables: TableResult, byes: tuple[RoundBye, ...] = (), **carried: int
) -> StageResults:
    """A stage of all who sit at its tables, have a bye, or carry points over; called by their ids
    in capitals."""
    players = (
        {player for table in tables for player in table.players}
        | {bye.player for bye in byes}
        | set(carried)
    )
    participants = [
        StageParticipant(id, id.upper(), carried=Fraction(carried.get(id, 0)))
        for id in sorted(players)
    ]
    return StageResults(rules, tuple(participants), tables, byes)


@st.composite
def stages(draw: st.DrawFn) -> StageResults:
    """Any stage without fault: tables of all sizes, shared ranks, byes, absences, guests and tables
    not over yet."""
    scoring = draw(st.sampled_from(list(StageScoring)))
    random = draw(st.randoms(use_true_random=False))
    size, most = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    order = draw(st.lists(st.sampled_from(ALL), unique=True))
    ids = [f"p{number}" for number in range(draw(st.integers(0, 9)))]
    participants = [
        StageParticipant(
            id,
            f"player {id}",
            random.choice([None, random.randint(1, 3)]),
            Fraction(random.randint(0, 3), random.choice([1, 2])),
            random.random() < 0.2,
            random.choice(["", "Ulm", "Bonn"]),
        )
        for id in ids
    ]
    tables: list[TableResult] = []
    byes: list[RoundBye] = []
    for round in range(1, draw(st.integers(0, 4)) + 1):
        waiting = random.sample([*ids, "guest"], len(ids) + 1)
        while len(waiting) > 1:
            seats = random.randint(2, min(8, len(waiting)))
            players, waiting = waiting[:seats], waiting[seats:]
            if random.random() < 0.9:
                played = random.choice([0, most, most])
                tables.append(
                    TableResult(
                        round,
                        tuple(players),
                        tuple([played_game(random, seats) for _ in range(played)]),
                    )
                )
        byes += [RoundBye(round, id) for id in waiting if id != "guest"]
    rules = StageRules(
        scoring, size, tuple(order), "seed", most, label_best=random.choice([None, 3])
    )
    return StageResults(rules, tuple(participants), tuple(tables), tuple(byes))


def played_game(random: Random, seats: int) -> GameResult:
    strengths = [random.randint(0, seats) for _ in range(seats)]
    rank = tuple([1 + sum(other > own for other in strengths) for own in strengths])
    totals = tuple([random.randint(0, 375) for _ in rank])
    return GameResult(rank, tuple([5 * (seats - place + 1) for place in rank]), totals)
