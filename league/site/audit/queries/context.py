"""The context in which a ranking is checked: its state, and the games whose rows aren't trusted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from games.domain.difference import Checkpoint
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranked_game.domain.outcome import GameOutcome, Unreadable, game_outcome
from league.standings.ranking.queries.source import entries
from league.standings.ranking.queries.state import RankingState, ranking_state

MOST: Final = 2000
"""The most games with wrong rows that are replayed in every batch. The wrong rows of further games
are reported, but trusted."""


@dataclass(slots=True)
class RankingContext:
    """A ranking, with the true outcomes of those games whose rows are wrong, so that no check
    relies on a forged row.

    `facts` (what was sealed) and `outcomes` of those games are by row id. `untrusted`: the row ids
    of those games, and of games that the ranking shouldn't hold. `unreadable`: the row ids of games
    whose rounds can't be replayed.
    """

    state: RankingState
    untrusted: set[int]
    facts: dict[int, GameFacts] = field(default_factory=dict)
    outcomes: dict[int, GameOutcome] = field(default_factory=dict)
    unreadable: set[int] = field(default_factory=set)

    @property
    def finished(self) -> list[tuple[GameFacts, GameOutcome]]:
        """The games with wrong rows that are over, with their outcomes."""
        return [
            (self.facts[game_id], outcome)
            for game_id, outcome in self.outcomes.items()
            if outcome.over
        ]


def ranking_context(ranking_id: int, checkpoint: Checkpoint) -> RankingContext:
    """Read the context of a ranking from the facts.

    In the checkpoint, `wrong` has the log positions of games with wrong rows, `strays` the row ids
    of games that the ranking shouldn't hold.
    """
    state = ranking_state(ranking_id)
    context = RankingContext(state, untrusted=set(checkpoint.get("strays", ())))
    positions = checkpoint.get("wrong", ())
    if not positions:
        return context

    for game in entries(club_id=state.club_id, ranking_id=ranking_id, positions=positions):
        context.untrusted.add(game.game_id)
        if game.replaced:
            continue
        context.facts[game.game_id] = game
        try:
            context.outcomes[game.game_id] = game_outcome(game, state.scoring)
        except Unreadable:
            context.unreadable.add(game.game_id)
    return context


def mark_untrusted(checkpoint: Checkpoint, kind: str, number: int) -> None:
    """Note in a checkpoint that a game's rows aren't trusted. `kind` is `wrong`, with the `number`
    of a log position, or `strays` or `wrong_styles`, with a game's row id."""
    numbers = checkpoint.setdefault(kind, [])
    if len(numbers) < MOST:
        numbers.append(number)
