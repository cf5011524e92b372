"""A seat at the table of Lügen-Kniffel: its turn with fresh dice, the others' doubts, and a whole
game."""

from collections.abc import Sequence
from random import Random

from engine.illegal import Illegal
from engine.kniffel.combinations import DICE, FACES, Announcement, Ruleset
from engine.kniffel.game import Game
from engine.kniffel.rolls import Roll, dice_shown
from engine.players.kniffel.view import TurnMove, TurnPlayer, TurnView
from engine.record.kniffel.kind import KNIFFEL
from engine.record.kniffel.settle import settle
from engine.record.kniffel.turn import TurnRecord


def play_turn(players: Sequence[TurnPlayer], game: Game, roller: int, rng: Random) -> TurnRecord:
    """Let the roller roll and announce, then ask everybody else at once; nothing is written on the
    sheets yet.

    ValueError if other dice are to stay than can. Rulings K11, K16 (K).
    """
    view = TurnView(game.rules, roller, game.playing, game.sheets)
    rolls: list[Roll] = []
    move: TurnMove = ()
    while not isinstance(move, Announcement):
        assert not isinstance(move, bool), "a roller isn't asked to doubt"
        locked = tuple(sorted(view.locked + move))
        rolls.append(
            Roll(tuple(sorted(move)), tuple(sorted(rng.choices(FACES, k=DICE - len(locked)))))
        )
        dice = dice_shown(rolls)
        if isinstance(dice, Illegal):
            raise ValueError(f"seat {roller}: {dice.message}")
        view = view._replace(rolls=len(rolls), locked=locked, fresh=rolls[-1].new)
        move = players[roller].choose(view)
    public = view._replace(locked=(), fresh=(), announcement=move)
    doubters = [
        seat
        for seat in game.playing
        if seat != roller and players[seat].choose(public._replace(seat=seat))
    ]
    return TurnRecord(move, tuple(doubters), tuple(rolls), view.dice)


def play_game(
    players: Sequence[TurnPlayer], rules: Ruleset, rng: Random
) -> tuple[Game, list[TurnRecord]]:
    """A game over, and its turns with every die; `rng` rolls them.

    ValueError if a player does what isn't legal. Rulings K0 to K13 (K), K16.
    """
    game = Game(len(players), 0, rules)
    turns: list[TurnRecord] = []
    while game.roller is not None:
        turns.append(play_turn(players, game, game.roller, rng))
        if isinstance(result := settle(game, turns[-1], KNIFFEL.path(len(turns) - 1)), Illegal):
            raise ValueError(f"{result.path}: {result.message}")
    return game, turns
