"""A seat at a table of Bluff: its view of a round, its moves with rolled dice, and a whole game."""

from collections.abc import Sequence
from random import Random

from engine.bluff.game import Game
from engine.bluff.hand import sort_hand
from engine.bluff.move import LayOut, Move
from engine.bluff.round import Round
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import FACES
from engine.players.player import AutomaticPlayer, Said, SeatView
from engine.record.bluff.round import RoundRecord


def roll(dice: int, rng: Random) -> str:
    """Roll a cup of `dice` dice, in face order."""
    return sort_hand("".join(rng.choices(FACES, k=dice)))


def view_of(played: Round, said: Sequence[Said]) -> SeatView:
    """Return what the seat to act may know: its own cup, and what lies open. The dice must be
    known."""
    assert played.cups is not None
    seat = played.turn
    return SeatView(
        rules=played.rules,
        seat=seat,
        after=played.after[seat],
        owned=tuple(played.owned),
        shown=tuple(played.shown),
        cup=sort_hand(played.cups[seat]),
        said=tuple(said),
    )


def play_round(players: Sequence[AutomaticPlayer], played: Round, rng: Random) -> list[Move]:
    """Let the players play a round up to the challenge; return the moves, with the dice rerolled.

    Raise ValueError if a player makes an illegal move. Ruling B6: turns go clockwise. Ruling B14: a
    seat that lays out dice rerolls all its others.
    """
    moves: list[Move] = []
    said: list[Said] = []
    while played.challenger < 0:
        view = view_of(played, said)
        move = players[view.seat].choose(view)
        if isinstance(move, int):
            bid_said = Said(view.seat, move)
        else:
            show = sort_hand(move.show)
            rerolled = roll(len(view.cup) - len(show), rng)
            move = LayOut(move.bid, show, rerolled)
            bid_said = Said(view.seat, move.bid, move.show)
        illegal = played.apply(move)
        if illegal is not None:
            raise ValueError(f"seat {view.seat}: {illegal.message}")
        # The challenge is noted too, but ends the loop before anybody sees it.
        said.append(bid_said)
        moves.append(move)
    return moves


def play_game(
    players: Sequence[AutomaticPlayer], rules: Ruleset, rng: Random, opener: int = 0
) -> tuple[Game, list[RoundRecord]]:
    """Play a game, and return it with its rounds at the level `dealt`; `rng` rolls the dice.

    Rulings B5 to B14: the rules of a game without absences."""
    game = Game(rules, len(players), opener)
    rounds: list[RoundRecord] = []
    while not game.over:
        hands = tuple([roll(dice, rng) for dice in game.owned])
        played = game.roll(hands)
        moves = play_round(players, played, rng)
        game.finish(played, played.count())
        rounds.append(RoundRecord("dealt", hands=hands, moves=tuple(moves)))
    return game, rounds
