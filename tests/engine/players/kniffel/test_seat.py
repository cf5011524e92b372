"""A seat at the table of Lügen-Kniffel sees its own dice and what is public, and nothing else."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kniffel.combinations import Announcement, Ruleset
from engine.kniffel.game import Game
from engine.players.chooser import Wavering
from engine.players.kniffel.at_random import TurnsAtRandom
from engine.players.kniffel.by_odds import TurnsByOdds
from engine.players.kniffel.seat import play_game, play_turn
from engine.players.kniffel.view import TurnMove, TurnView

PLAIN = Ruleset()


class Scripted:
    """Makes the moves it is given and keeps what it saw."""

    def __init__(self, *moves: TurnMove) -> None:
        self.moves = list(moves)
        self.views: list[TurnView] = []

    def choose(self, view: TurnView) -> TurnMove:
        self.views.append(view)
        return self.moves.pop(0)


class Dice(Random):
    """Rolls what it is given."""

    def __init__(self, *rolls: str) -> None:
        super().__init__(1)
        self.rolls = list(rolls)

    def choices(self, *_: object, k: int = 1, **__: object) -> list[int]:  # type: ignore[override]
        return [int(face) for face in self.rolls.pop(0)][: max(k, 0)]


def test_the_roller_sees_which_dice_are_locked_and_which_were_just_rolled() -> None:
    roller = Scripted((6, 6), (5,), Announcement("sixes", 12))
    record = play_turn([roller, Scripted(True)], Game(2, 0, PLAIN), 0, Dice("62614", "531", "12"))
    assert [(view.rolls, view.locked, view.rolled) for view in roller.views] == [
        (1, (), (1, 2, 4, 6, 6)),
        (2, (6, 6), (1, 3, 5)),
        (3, (5, 6, 6), (1, 2)),
    ]
    assert record.announcement == Announcement("sixes", 12)
    assert record.doubters == (1,)
    assert record.dice == (1, 2, 5, 6, 6)
    assert [roll.kept for roll in record.rolls] == [(), (6, 6), (5,)]


def test_k16_everybody_else_is_asked_at_once_and_hears_nothing_but_the_announcement_and_the_number_of_rolls() -> (
    None
):
    game = Game(3, 1, PLAIN)
    listeners = [Scripted(True), Scripted(False)]
    roller = Scripted((1,), Announcement("large", 40))
    record = play_turn([listeners[0], roller, listeners[1]], game, 1, Dice("11234", "5555"))
    assert record.doubters == (0,)
    for seat, listener in zip((0, 2), listeners, strict=True):
        (view,) = listener.views
        assert view == TurnView(
            PLAIN, seat, (0, 1, 2), game.sheets, 2, (), (), Announcement("large", 40)
        )


class Rolling:
    """Rolls so often, keeps any dice, and always announces the same."""

    def __init__(self, rolls: int, rng: Random) -> None:
        self.rolls = rolls
        self.rng = rng

    def choose(self, view: TurnView) -> TurnMove:
        if view.rolls == self.rolls:
            return Announcement("chance", 20)
        return tuple(self.rng.sample(view.rolled, self.rng.randrange(len(view.rolled))))


@settings(max_examples=60)
@given(st.integers(2, 8), st.integers(1, 3), st.randoms(use_true_random=False))
def test_k11_turns_that_differ_in_hidden_dice_alone_are_the_same_to_everybody_else(
    seats: int, rolls: int, rng: Random
) -> None:
    views: list[list[TurnView]] = []
    for _ in range(2):
        listeners = [Scripted(False) for _ in range(seats - 1)]
        play_turn([Rolling(rolls, rng), *listeners], Game(seats, 0, PLAIN), 0, rng)
        views.append([view for listener in listeners for view in listener.views])
    assert views[0] == views[1]
    player = TurnsByOdds()
    assert [player.choose(view) for view in views[0]] == [player.choose(view) for view in views[1]]


@pytest.mark.parametrize(
    "moves",
    [
        [(1, 1)],  # only one 1 was rolled
        [(1, 2, 3, 4, 5)],  # one die is rolled each time
        [(1, 2, 3, 4, 5, 6)],
        [(1,), (1,)],  # locked
        [(), (), ()],  # a fourth roll
    ],
)
def test_k11_dice_that_can_not_stay_are_an_error_that_names_the_seat(moves: list[TurnMove]) -> None:
    with pytest.raises(ValueError, match="seat 0: "):
        play_turn(
            [Scripted(*moves), Scripted()],
            Game(2, 0, PLAIN),
            0,
            Dice("12345", "23456", "23456", "23456"),
        )


@pytest.mark.parametrize("said", [("full", 24), ("ones", 0), ("sevens", 7)])
def test_k2_what_can_not_be_announced_is_an_error_that_names_the_turn(
    said: tuple[str, int],
) -> None:
    with pytest.raises(ValueError, match=r"turns\[0\].say: "):
        play_game([Scripted(Announcement(*said)), Scripted(False)], PLAIN, Random(1))


def test_the_same_seed_plays_the_same_game() -> None:
    def played(seed: int) -> object:
        rng = Random(seed)
        wavering = Wavering(TurnsByOdds(), TurnsAtRandom(rng), 0.5, rng)
        return play_game([TurnsAtRandom(rng), TurnsByOdds(), wavering], PLAIN, Random(seed))[1]

    assert played(1) == played(1)
    assert played(1) != played(2)
