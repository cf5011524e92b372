"""Knock-outs played through, and duels drawn: beside matching in the full graph, as one does
without a proof."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import rustworkx

from bench.measure import Contest, run
from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketInput, bracket_round
from engine.pairing.brackets.bracket_plan import plan
from engine.pairing.cost import meetings, ordered
from engine.pairing.draw_input import DrawInput, Participant
from engine.pairing.duels.duels import duels

KNOCKOUT = 4096
ROUNDS = 6


def play_knockout(size: int, advance: int) -> None:
    """A double elimination of 4,096, planned, drawn round by round and played by chance."""
    plan.cache_clear()
    chance = Random(1)
    ids = tuple([f"p{seed}" for seed in range(KNOCKOUT)])
    cup = BracketInput(size, advance, "double", "bench", ids)
    while True:
        drawn = bracket_round(cup)
        assert not isinstance(drawn, Illegal)
        if drawn.over:
            return
        finished = tuple(
            [tuple(chance.sample(table.ids, len(table.ids))) for table in drawn.tables]
        )
        cup = replace(cup, finished=(*cup.finished, finished))


def before_last_round(number: int) -> DrawInput:
    """A Swiss tournament of so many players after its first rounds, played by strength and
    chance."""
    chance = Random(number)
    strength = {f"p{i}": chance.gauss(0, 1) for i in range(number)}
    score = dict.fromkeys(strength, 0)
    given = DrawInput((2,), "bench", tuple([Participant(player_id) for player_id in strength]))
    for _ in range(ROUNDS):
        tables = duels(given).tables
        for table in tables:
            score[max(table, key=lambda player_id: strength[player_id] + chance.gauss(0, 1))] += 1
        players = tuple([Participant(player_id, points) for player_id, points in score.items()])
        given = replace(given, participants=players, played=(*given.played, tables))
    return given


def full_matching(given: DrawInput) -> None:
    """Repeats, then spread, by rustworkx in the graph of all pairs."""
    players, met = given.participants, meetings(given)
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(players)))
    graph.add_edges_from(
        [
            (
                a,
                b,
                10**9
                - 10**7 * met[ordered(one.player_id, other.player_id)]
                - (one.score - other.score) ** 2,
            )
            for a, one in enumerate(players)
            for b, other in enumerate(players[:a])
        ]
    )
    rustworkx.max_weight_matching(graph, True, weight_fn=int)


def measure() -> None:
    """Print how many players of a knock-out, and of a round of duels, are done in a second of CPU
    time."""
    pairs, tables = (
        {"Cups Up": lambda: play_knockout(2, 1)},
        {"Cups Up": lambda: play_knockout(4, 2)},
    )
    run(Contest("Double elimination of 4,096, played through", "players", KNOCKOUT, pairs), turns=3)
    run(
        Contest("Double elimination of 4,096 at tables of four", "players", KNOCKOUT, tables),
        turns=3,
    )
    for number, turns in ((100, 7), (1000, 3), (4000, 1)):
        given = before_last_round(number)
        contestants = {
            "Cups Up": lambda given=given: duels(given),
            "rustworkx, all pairs": lambda given=given: full_matching(given),
        }
        run(
            Contest(f"Round {ROUNDS + 1} of a Swiss of {number:,}", "players", number, contestants),
            turns,
        )
