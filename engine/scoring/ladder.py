"""A ladder: a player who finishes ahead of somebody higher up takes that place.

The players between the two places move down by one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.messages import Message, say


class LadderGame(NamedTuple):
    """A game of a ladder: a challenge of two players, or a larger table; ranks in seat order."""

    game_id: str
    players: tuple[str, ...]
    rank: tuple[int, ...]


class LadderMove(NamedTuple):
    """A player's move up by one game.

    `before` and `after`: places from 1; `beaten`: the player whose place it was; `passed`: that
    player and all between.
    """

    game: str
    player: str
    before: int
    after: int
    beaten: str
    passed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """The order of a ladder, the highest first, and the moves that led to it.

    Players only move down by the moves of others.
    """

    order: tuple[str, ...]
    moves: tuple[LadderMove, ...]


def ladder(
    order: Sequence[str], games: Iterable[LadderGame], withdrawn: Collection[str] = ()
) -> Ladder:
    """Return the ladder that begins with `order`, after these games.

    `games`: in their order of play. New players join at the bottom with their first game; if there
    are several in one game, in its seat order. From the first rank down, each player of a game
    takes the highest place of the players who finished behind, if it is higher than their own.
    `withdrawn`: players who are taken out of the final order; their moves stay as they were played.
    """
    standing = list(order)
    moves: list[LadderMove] = []
    for game in games:
        standing += [player for player in game.players if player not in standing]
        moves += _apply_game(standing, game)
    return Ladder(tuple([player for player in standing if player not in withdrawn]), tuple(moves))


def _apply_game(standing: list[str], game: LadderGame) -> Iterator[LadderMove]:
    """Make the moves up by a game in `standing`, the players from the top down, and yield them."""
    rank_of = dict(zip(game.players, game.rank, strict=True))
    for player in sorted(rank_of, key=lambda player: (rank_of[player], standing.index(player))):
        places_beaten = [
            standing.index(rival) for rival in rank_of if rank_of[rival] > rank_of[player]
        ]
        before = standing.index(player)
        after = min(places_beaten, default=len(standing))
        if after < before:
            yield LadderMove(
                game=game.game_id,
                player=player,
                before=before + 1,
                after=after + 1,
                beaten=standing[after],
                passed=tuple(standing[after:before]),
            )
            standing.insert(after, standing.pop(before))


def explain_move(move: LadderMove, names: Mapping[str, str]) -> Message:
    """Explain a move in a sentence; `names` by player's id."""
    return say(
        "{name} finished ahead of {beaten} and moved up from place {before} to {after}",
        name=names.get(move.player, move.player),
        beaten=names.get(move.beaten, move.beaten),
        before=move.before,
        after=move.after,
    )


def between_rungs(
    above: str, below: str, moves: Sequence[LadderMove], names: Mapping[str, str]
) -> Message:
    """Explain why one of two players, given by their ids, is above the other after these moves.

    `names`: by player's id."""
    for move in reversed(moves):
        if move.player == above and below in move.passed:
            return explain_move(move, names)
    return say(
        "{above} has been ahead of {below} as long as both have been on the ladder",
        above=names.get(above, above),
        below=names.get(below, below),
    )


def explain_rung(
    player: str, place: int, moves: Sequence[LadderMove], names: Mapping[str, str]
) -> Message:
    """Explain a player's place by their last move up, or say that there was none."""
    for move in reversed(moves):
        if move.player == player:
            return explain_move(move, names)
    return say(
        "{name} has place {place} without having moved up",
        name=names.get(player, player),
        place=place,
    )
