"""A game of Bluff in sections: of one that is longer than people play, a page shows as much as is
quickly drawn.

A game of six seats with five dice has some 25 rounds and 250 moves; what is made up can have a
hundred times as many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.domain.round import PlayedRound

ROUNDS: Final = 60
MOVES: Final = 600
"""Rounds and moves that a page shows at most: up to there all of a game, of a longer one a
section."""


def sections(rounds: Sequence[PlayedRound]) -> Iterator[list[PlayedRound]]:
    """The rounds, cut where a page would become too long; a round of many moves stays whole."""
    section: list[PlayedRound] = []
    moves = 0
    for played in rounds:
        moves += len(played.moves)
        if section and (len(section) == ROUNDS or moves > MOVES):
            yield section
            section, moves = [], len(played.moves)
        section.append(played)
    if section:
        yield section
