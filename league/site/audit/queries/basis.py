"""All that the checks of a ranking rest on: its rows, as far as the sealed rounds have borne them
out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from games.domain.difference import Bookmark
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranked_game.domain.outcome import GameOutcome, Unreadable, game_outcome
from league.standings.ranking.queries.source import entries
from league.standings.ranking.queries.state import RankingState, ranking_state

MOST: Final = 2000
"""Games with wrong rows that are replayed for each passage; the rows of any more are believed,
though named."""


@dataclass(slots=True)
class Basis:
    """A ranking, and what its games with wrong rows really brought, so that nothing is expected of
    a forged row.

    `facts`: of those games, by row id, what was sealed, and `outcomes` what that brings. `passed`:
    the games whose rows aren't believed: those, and games that the ranking shouldn't hold.
    `unreadable`: those whose rounds can't be replayed."""

    state: RankingState
    passed: set[int]
    facts: dict[int, GameFacts] = field(default_factory=dict)
    outcomes: dict[int, GameOutcome] = field(default_factory=dict)
    unreadable: set[int] = field(default_factory=set)

    @property
    def over(self) -> list[tuple[GameFacts, GameOutcome]]:
        """The games with wrong rows that are over."""
        return [
            (self.facts[game], outcome) for game, outcome in self.outcomes.items() if outcome.over
        ]


def basis_of(ranking_id: int, bookmark: Bookmark) -> Basis:
    """Read the basis anew from the facts: `wrong` in the bookmark are the positions of the entries
    of games with wrong rows, `strays` the row ids of games that don't belong there."""
    state = ranking_state(ranking_id)
    basis = Basis(state, set(bookmark.get("strays", ())))
    wrong = bookmark.get("wrong", ())
    for game in (
        entries(club_id=state.club_id, ranking_id=ranking_id, positions=wrong) if wrong else ()
    ):
        basis.passed.add(game.game_id)
        if game.replaced:
            continue
        basis.facts[game.game_id] = game
        try:
            basis.outcomes[game.game_id] = game_outcome(game, state.scoring)
        except Unreadable:
            basis.unreadable.add(game.game_id)
    return basis


def distrust(bookmark: Bookmark, kind: str, number: int) -> None:
    """Note in a bookmark that the rows of a game aren't believed: `wrong` or `strays`."""
    numbers = bookmark.setdefault(kind, [])
    if len(numbers) < MOST:
        numbers.append(number)
