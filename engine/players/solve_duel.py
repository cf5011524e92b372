"""`python -m engine.players.solve_duel FILE [ITERATIONS]`: compute the table of the duel by CFR+
(needs NumPy).

CFR+ as by Tammelin: regrets are never below zero, the seats take turns, later strategies weigh more
in the average. The 4096 histories are in arrays by their number; those whose last bid is k are the
block from 2^k to 2^(k+1), and their parents are all histories before the block. So a sweep over the
whole tree has twelve steps.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np

from engine.arrays import Floats
from engine.players.duel import (
    DUEL_BIDS,
    HISTORIES,
    Strategy,
    packed,
    raises_of,
    true_bid,
    unpacked,
)
from engine.players.exploit import exploitability

BLOCKS: Final = [slice(1 << k, 2 << k) for k in range(len(DUEL_BIDS))]
CALL: Final = len(DUEL_BIDS)
"""The index of the challenge among the moves; a raise has the index of its bid."""
NODE: Final = np.arange(HISTORIES)
ACTOR: Final = np.array([history.bit_count() % 2 for history in range(HISTORIES)])
LEGAL: Final = np.array(
    [
        [move in raises_of(history) for move in range(CALL)] + [history > 0]
        for history in range(HISTORIES)
    ],
    dtype=np.float64,
)[:, None, :]
TRUE: Final = np.array(
    [[[true_bid(k, one, other) for other in range(6)] for one in range(6)] for k in range(CALL)],
    np.float64,
)
NEVER: Final = 1e-4
"""Rows reached less often than this in the strategy's own play aren't shipped: a best answer
gains almost nothing from them."""


def normalised(weights: Floats) -> Floats:
    """Return chances over the legal moves, uniform if all weights are zero.

    Shape (histories, dice, moves)."""
    total = weights.sum(2, keepdims=True)
    uniform = LEGAL / LEGAL.sum(2, keepdims=True)
    divisor = np.where(total > 0, total, 1)
    return np.where(total > 0, weights / divisor, uniform)


def reaches(strategy: Floats) -> Floats:
    """Return the chance that each seat, with each die, makes its bids of each history.

    Shape (histories, seats, dice)."""
    reach = np.ones((HISTORIES, 2, 6))
    for k, block in enumerate(BLOCKS):
        parents = slice(0, block.start)
        reach[block] = reach[parents]
        reach[block][NODE[parents], ACTOR[parents]] *= strategy[parents, :, k]
    return reach


def move_values(strategy: Floats, reach: Floats) -> Floats:
    """Return the value of each move for the seat to act, weighted by the other's reach.

    Shape (histories, dice, moves)."""
    moves = np.zeros((HISTORIES, 6, CALL + 1))
    value = np.zeros((HISTORIES, 2, 6))
    for k in reversed(range(CALL)):
        block = BLOCKS[k]
        parents = slice(0, block.start)
        nodes = NODE[parents]
        actor = ACTOR[block]
        own = reach[block][nodes, actor]
        other = reach[block][nodes, 1 - actor]
        moves[block, :, CALL] = other @ (1 - TRUE[k])
        value[block][nodes, actor] = (strategy[block] * moves[block]).sum(2)
        value[block][nodes, 1 - actor] += (own * strategy[block, :, CALL]) @ TRUE[k]
        moves[parents, :, k] = value[block][nodes, 1 - actor]
        value[parents][nodes, actor] += value[block][nodes, actor]
    return moves


def solve(iterations: int) -> Strategy:
    """Return the average strategy after these iterations, without rows that are never needed.

    A row without weights stands for one that isn't needed."""
    regret = np.zeros((HISTORIES, 6, CALL + 1))
    total = np.zeros_like(regret)
    for number in range(1, iterations + 1):
        for seat in (0, 1):
            strategy = normalised(regret)
            reach = reaches(strategy)
            gain = move_values(strategy, reach)
            gain -= (strategy * gain).sum(2, keepdims=True)
            acts = seat == ACTOR
            regret[acts] = np.maximum(regret[acts] + gain[acts] * LEGAL[acts], 0)
            # Later strategies weigh more in the average.
            total[acts] += number * (reach[NODE, ACTOR][:, :, None] * strategy)[acts]
    average = normalised(total)
    needed = reaches(average)[NODE, ACTOR] >= NEVER
    return as_rows(average * needed[:, :, None])


def as_rows(strategy: Floats) -> Strategy:
    """Return the strategy as the table holds it, with only the legal moves."""
    return [
        [tuple(row[LEGAL[history, 0] > 0].tolist()) for row in strategy[history]]
        for history in range(HISTORIES)
    ]


def main(file: str, iterations: int = 3000) -> None:
    """Solve, write the table and print its quality."""
    table = packed(solve(iterations))
    Path(file).write_bytes(table)
    print(f"{len(table)} bytes, exploitability {exploitability(unpacked(table)):.6f}")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
