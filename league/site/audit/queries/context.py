"""All that the checks of a ranking rest on: its rows, as far as the sealed rounds have borne them
out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from games.domain.difference import Checkpoint
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranked_game.domain.outcome import Brought, Unreadable, brought_home
from league.standings.ranking.queries.source import entries
from league.standings.ranking.queries.state import RankingState, ranking_state

MOST: Final = 2000
"""Games with wrong rows that are replayed for each passage; the rows of any more are believed,
though named."""


@dataclass(slots=True)
class RankingContext:
    """A ranking, and what its games with wrong rows really brought, so that nothing is expected of
    a forged row.

    `facts`: of those games, by row id, what was sealed, and `outcomes` what that brings. `passed`:
    the games whose rows aren't believed: those, and games that the ranking shouldn't hold.
    `unreadable`: those whose rounds can't be replayed."""

    state: RankingState
    passed: set[int]
    facts: dict[int, GameFacts] = field(default_factory=dict)
    outcomes: dict[int, Brought] = field(default_factory=dict)
    unreadable: set[int] = field(default_factory=set)

    @property
    def over(self) -> list[tuple[GameFacts, Brought]]:
        """The games with wrong rows that are over."""
        return [
            (self.facts[game], outcome) for game, outcome in self.outcomes.items() if outcome.over
        ]


def ranking_context(ranking_id: int, checkpoint: Checkpoint) -> RankingContext:
    """Read the context anew from the facts: `wrong` in the checkpoint are the positions of the entries
    of games with wrong rows, `strays` the row ids of games that don't belong there."""
    state = ranking_state(ranking_id)
    context = RankingContext(state, set(checkpoint.get("strays", ())))
    wrong = checkpoint.get("wrong", ())
    for game in (
        entries(club_id=state.club_id, ranking_id=ranking_id, positions=wrong) if wrong else ()
    ):
        context.untrusted.add(game.game_id)
        if game.replaced:
            continue
        context.facts[game.game_id] = game
        try:
            context.outcomes[game.game_id] = brought_home(game, state.scoring)
        except Unreadable:
            context.unreadable.add(game.game_id)
    return context


def mark_untrusted(checkpoint: Checkpoint, kind: str, number: int) -> None:
    """Note in a checkpoint that the rows of a game aren't believed: `wrong` or `strays`."""
    numbers = checkpoint.setdefault(kind, [])
    if len(numbers) < MOST:
        numbers.append(number)
