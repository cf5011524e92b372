"""A seat at a table of Lügen-Kniffel: its turn, the others' doubts, and a whole game."""

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
    """Let the roller roll and announce, then ask all others at once; the sheets stay unchanged.

    Raise ValueError if the player keeps dice that can't be kept. Ruling K11: one to three rolls,
    each with at least one die. Ruling K16: all others answer at once.
    """
    view = TurnView(game.rules, roller, game.playing, game.sheets)
    rolls: list[Roll] = []
    move: TurnMove = ()
    while not isinstance(move, Announcement):
        assert not isinstance(move, bool), "a roller isn't asked to doubt"
        locked = tuple(sorted(view.locked + move))
        rolled = rng.choices(FACES, k=DICE - len(locked))
        rolls.append(Roll(tuple(sorted(move)), tuple(sorted(rolled))))
        dice = dice_shown(rolls)
        if isinstance(dice, Illegal):
            raise ValueError(f"seat {roller}: {dice.message}")
        view = view._replace(rolls=len(rolls), locked=locked, rolled=rolls[-1].new)
        move = players[roller].choose(view)
    # The others don't see the dice.
    public = view._replace(locked=(), rolled=(), announcement=move)
    doubters = []
    for seat in game.playing:
        if seat != roller and players[seat].choose(public._replace(seat=seat)):
            doubters.append(seat)
    return TurnRecord(move, tuple(doubters), tuple(rolls), view.dice)


def play_game(
    players: Sequence[TurnPlayer], rules: Ruleset, rng: Random
) -> tuple[Game, list[TurnRecord]]:
    """Play a game, and return it with its turns and every die; `rng` rolls them.

    Raise ValueError if a player makes an illegal move. Rulings K0 to K13, K16: the rules of a game
    without absences.
    """
    game = Game(len(players), 0, rules)
    turns: list[TurnRecord] = []
    while game.roller is not None:
        turn = play_turn(players, game, game.roller, rng)
        result = settle(game, turn, KNIFFEL.path(len(turns)))
        turns.append(turn)
        if isinstance(result, Illegal):
            raise ValueError(f"{result.path}: {result.message}")
    return game, turns
