"""Draws of whole tournaments: who meets again, beside a greedy draw as tools of the field make it,
and cut lists."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import mean
from time import process_time
from typing import NamedTuple, TypeAlias

from engine.pairing.cost import meetings, pairs_at, spread
from engine.pairing.draw import Draw, draw
from engine.pairing.draw_input import DrawInput, Participant, TableIds
from engine.pairing.pods import cooling

Drawing: TypeAlias = Callable[[DrawInput], tuple[TableIds, ...]]

CASES = [
    *[
        (number, 4, rounds)
        for number, rounds in [(16, 4), (16, 5), (20, 4), (20, 5), (24, 5), (28, 6), (32, 6)]
    ],
    *[(number, 3, rounds) for number, rounds in [(12, 4), (15, 5), (18, 6), (24, 6)]],
    *[(number, 4, rounds) for number, rounds in [(24, 6), (28, 7), (32, 8), (40, 6), (64, 8)]],
]
CHAIRS = ((23, 4, 7), (27, 4, 9), (24, 5, 6), (14, 3, 7))
"""Numbers that designs of one more serve with an empty chair."""
TURNS = ((13, 4, 4), (17, 4, 6), (22, 4, 6), (26, 4, 6))
"""Numbers at which some sit at short tables, in turn or so that nobody meets again."""
TOURNAMENTS = 100
LARGE = ((1_000, 10), (10_000, 10))
SPREAD = ((64, 8), (1_024, 10))
LONGER = 16
"""So many times the steps are taken by the search for the least spread known to us."""


def ours(draw_input: DrawInput) -> tuple[TableIds, ...]:
    """The tables that `engine.pairing.draw` makes of an input."""
    answer = draw(draw_input)
    assert isinstance(answer, Draw)
    return answer.tables


def least_spread(draw_input: DrawInput) -> int:
    """The least spread known to us of a round with no more meetings again: that of a longer
    search."""
    usual = cooling.STEPS
    drawings = []
    for steps in (usual, LONGER * usual):
        cooling.STEPS = steps  # type: ignore[misc]
        answer = draw(draw_input)
        assert isinstance(answer, Draw)
        drawings.append(answer.cost)
    cooling.STEPS = usual  # type: ignore[misc]
    return min((cost.repeats, cost.spread) for cost in drawings)[1]


def meetings_first(draw_input: DrawInput) -> tuple[TableIds, ...]:
    """The same where meeting nobody again counts more than taking turns at short tables."""
    return ours(replace(draw_input, meetings_first=True))


def greedy(draw_input: DrawInput) -> tuple[TableIds, ...]:
    """One after the other, who has met the fewest first, then the leader, goes to the table with
    the fewest repeats.

    The rule of `PairingDefault` in https://github.com/eVen-gits/EDH_matchmaker,
    src/logic/commander/matching.py, with `evaluate_pod` in src/logic/common/pairing.py; repeats
    weigh as often as two have met."""
    met = meetings(draw_input)
    opponents = Counter(player_id for pair in met for player_id in pair)
    size = draw_input.sizes[0]
    tables: list[list[str]] = [[] for _ in range(len(draw_input.participants) // size)]
    for player in sorted(
        draw_input.participants, key=lambda player: (opponents[player.player_id], -player.score)
    ):
        open_tables = [table for table in tables if len(table) < size]
        repeats = [
            sum(met[tuple(sorted((player.player_id, other)))] for other in table)
            for table in open_tables
        ]
        open_tables[repeats.index(min(repeats))].append(player.player_id)
    return tuple([tuple(table) for table in tables])


def cut(draw_input: DrawInput) -> tuple[TableIds, ...]:
    """The list in the order of the points, cut into tables."""
    ids = [
        player.player_id
        for player in sorted(draw_input.participants, key=lambda player: -player.score)
    ]
    return tuple(
        [tuple(ids[i : i + draw_input.sizes[0]]) for i in range(0, len(ids), draw_input.sizes[0])]
    )


class DrawnTournament(NamedTuple):
    """A tournament: its repeats, its spread, the CPU seconds of each round, the rounds, and their
    inputs."""

    repeats: int
    spread: int
    seconds: list[float]
    rounds: tuple[tuple[TableIds, ...], ...]
    inputs: list[DrawInput]


def play(drawing: Drawing, number: int, size: int, rounds: int, seed: int) -> DrawnTournament:
    """A tournament of which chance decides the results."""
    chance = Random(seed)
    players = {f"p{i}": Participant(f"p{i}", seats=(0,) * size) for i in range(number)}
    played: tuple[tuple[TableIds, ...], ...] = ()
    apart, seconds, inputs = 0, [], []
    for _ in range(rounds):
        sizes = (size, size - 1) if number % size else (size,)
        given = DrawInput(sizes, str(seed), tuple(players.values()), rounds, played)
        inputs.append(given)
        start = process_time()
        tables = drawing(given)
        seconds.append(process_time() - start)
        for table in tables:
            apart += spread([players[player_id].score for player_id in table])
            for seat, (player_id, points) in enumerate(
                zip(table, chance.sample(range(len(table)), len(table)), strict=True)
            ):
                before = players[player_id]
                seats = tuple([count + (seat == other) for other, count in enumerate(before.seats)])
                short = before.short + (len(table) < size)
                players[player_id] = replace(
                    before, score=before.score + points, seats=seats, short=short
                )
        played = (*played, tables)
    met = Counter(pair for tables in played for table in tables for pair in pairs_at(table))
    return DrawnTournament(sum(met.values()) - len(met), apart, seconds, played, inputs)


def shares(rounds: tuple[tuple[TableIds, ...], ...]) -> str:
    """Of the rounds, as many as give everybody the same share of all seats: who has exactly that
    share."""
    size = len(rounds[0][0])
    share = len(rounds) // size
    counts: dict[str, list[int]] = defaultdict(lambda: [0] * size)
    for tables in rounds[: share * size]:
        for table in tables:
            for seat, player_id in enumerate(table):
                counts[player_id][seat] += 1
    opened = Counter(seats[0] for seats in counts.values())
    even = sum(seats == [share] * size for seats in counts.values()) / len(counts)
    often = ", ".join([f"{players} opened {times}×" for times, players in sorted(opened.items())])
    return f"after {share * size} rounds {often}; {even:.1%} had each seat {share}×"


def measure() -> None:
    """Print the repeats of many tournaments, then what large rounds cost."""
    print(
        f"\nDraws: repeats in {TOURNAMENTS} tournaments, those without any, and their mean spread"
    )
    print(
        f"  {'players, size, rounds':<24} {'ours':>22} {'greedy':>22} {'cut list':>22}   CPU "
        "a round, worst"
    )
    for number, size, rounds in CASES:
        line, worst = f"  {number:>7} {size:>6} {rounds:>7}  ", 0.0
        for drawing in (ours, greedy, cut):
            games = [play(drawing, number, size, rounds, seed) for seed in range(TOURNAMENTS)]
            repeats = [game.repeats for game in games]
            line += (
                f"{sum(repeats):>7} {repeats.count(0):>5} "
                f"{mean(game.spread for game in games):>8.0f} "
            )
            worst = worst or max(max(game.seconds) for game in games)
        print(f"{line}  {worst:.2f} s")
    for number, size, rounds in CHAIRS:
        repeats = [
            play(ours, number, size, rounds, seed).repeats for seed in range(TOURNAMENTS // 10)
        ]
        print(
            f"  {number:>7} {size:>6} {rounds:>7}  {sum(repeats):>7} {repeats.count(0):>5} of "
            f"{len(repeats)}"
        )
    print(
        "  short tables: repeats where they are taken in turn, and where meetings count "
        "first, on average"
    )
    for number, size, rounds in TURNS:
        both = [
            mean(
                play(drawing, number, size, rounds, seed).repeats
                for seed in range(TOURNAMENTS // 10)
            )
            for drawing in (ours, meetings_first)
        ]
        print(f"  {number:>7} {size:>6} {rounds:>7}  {both[0]:>7.1f} {both[1]:>7.1f}")
    turns = play(ours, 1_000, 2, 8, 1)
    print(
        f"  duels, 1,000 players: {shares(turns.rounds)}, {mean(turns.seconds):.3f} s CPU a round"
    )
    for number, rounds in LARGE:
        game = play(ours, number, 4, rounds, 1)
        cpu = f"{mean(game.seconds):.3f} s CPU a round, worst {max(game.seconds):.3f} s"
        print(
            f"  {number:,} players, {rounds} rounds: {game.repeats} repeats, spread "
            f"{game.spread:,}, {cpu}"
        )
        print(f"    {shares(game.rounds)}")
    for number, rounds in SPREAD:
        game = play(ours, number, 4, rounds, 1)
        known = sum(map(least_spread, game.inputs))
        print(
            f"  {number:,} players, {rounds} rounds: spread {game.spread:,}, least known {known:,}"
        )
