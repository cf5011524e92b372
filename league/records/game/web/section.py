"""Long games of Bluff in sections, so that a page is drawn quickly.

A game of six seats with five dice has some 25 rounds and 250 moves; an invented one can have a
hundred times as many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.domain.round import PlayedRound

ROUNDS: Final = 60
MOVES: Final = 600
"""The most rounds and moves that a page shows; longer games are divided into sections."""


def sections(rounds: Sequence[PlayedRound]) -> Iterator[list[PlayedRound]]:
    """Yield the rounds in sections that fit on a page; a round of many moves stays whole."""
    section: list[PlayedRound] = []
    moves = 0
    for played in rounds:
        moves += len(played.moves)
        if section and (len(section) == ROUNDS or moves > MOVES):
            yield section
            section = []
            moves = len(played.moves)
        section.append(played)
    if section:
        yield section
