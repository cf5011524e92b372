"""A ladder after its games."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.ladder import (
    LadderGame,
    LadderMove,
    between_rungs,
    explain_move,
    explain_rung,
    ladder,
)


def won(name: str, finish: str) -> LadderGame:
    """A game by its finish."""
    return LadderGame(name, tuple(finish), tuple(range(1, len(finish) + 1)))


def order(start: str, *finishes: str) -> str:
    return "".join(
        ladder(
            start, [won(f"g{number}", finish) for number, finish in enumerate(finishes, 1)]
        ).order
    )


def test_who_beats_somebody_above_takes_the_place_and_those_between_move_down() -> None:
    assert order("abcde", "db") == "adbce"


def test_who_beats_somebody_below_stays() -> None:
    assert order("abcde", "bd") == "abcde"


def test_games_count_in_their_order() -> None:
    assert order("abc", "ca", "ba") == "cba"
    assert order("abc", "ba", "ca") == "bca"


def test_at_a_larger_table_everybody_takes_the_highest_place_of_those_left_behind() -> None:
    assert order("abcd", "dcba") == "dcba"
    assert order("abcdef", "eca") == "ecabdf"


def test_a_shared_rank_moves_nobody() -> None:
    assert ladder("ab", [LadderGame("g", ("a", "b"), (1, 1))]).order == ("a", "b")


def test_who_is_new_joins_at_the_bottom() -> None:
    assert order("ab", "xb") == "axb"
    assert order("ab", "bxy") == "abxy"


def test_who_withdrew_leaves_and_the_gap_closes() -> None:
    games = [won("g1", "ca")]
    assert ladder("abcd", games, withdrawn={"c"}).order == ("a", "b", "d")


def test_every_move_up_is_told_with_its_reason() -> None:
    moves = ladder("abcde", [won("g1", "db"), won("g2", "ab")]).moves
    assert moves == (LadderMove("g1", "d", 4, 2, "b", ("b", "c")),)
    assert str(explain_move(moves[0], {"d": "Dora", "b": "Ben"})) == (
        "Dora finished ahead of Ben and moved up from place 4 to 2"
    )


def test_every_place_and_every_two_neighbours_are_explained() -> None:
    names = {"a": "Anna", "b": "Ben", "c": "Cleo", "d": "Dora"}
    made = ladder("abcd", [won("g1", "db")])
    assert made.order == ("a", "d", "b", "c")
    moves = made.moves
    assert (
        str(explain_rung("d", 2, moves, names))
        == "Dora finished ahead of Ben and moved up from place 4 to 2"
    )
    assert str(explain_rung("c", 4, moves, names)) == "Cleo has place 4 without having moved up"
    assert (
        str(between_rungs("d", "b", moves, names))
        == "Dora finished ahead of Ben and moved up from place 4 to 2"
    )
    assert (
        str(between_rungs("d", "c", moves, names))
        == "Dora finished ahead of Ben and moved up from place 4 to 2"
    )
    still = "Anna has been ahead of Dora as long as both have been on the ladder"
    assert str(between_rungs("a", "d", moves, names)) == still


@given(st.randoms(use_true_random=False), st.integers(2, 6), st.integers(0, 8))
def test_after_a_game_nobody_stands_behind_those_left_behind_in_it(
    random: Random, players: int, games: int
) -> None:
    start = "abcdef"[:players]
    played = []
    for number in range(games):
        seats = random.sample(start, random.randint(2, players))
        strengths = [random.randint(1, 3) for _ in seats]
        rank = tuple([1 + sum(other > own for other in strengths) for own in strengths])
        played.append(LadderGame(f"g{number}", tuple(seats), rank))
        before, after = ladder(start, played[:-1]).order, ladder(start, played).order
        assert sorted(after) == sorted(start)
        finished = dict(zip(seats, rank, strict=True))
        for one in seats:
            for other in seats:
                if finished[one] < finished[other]:
                    assert after.index(one) < after.index(other)
        idle = [player for player in start if player not in seats]
        assert [player for player in after if player in idle] == [
            player for player in before if player in idle
        ]


@given(st.randoms(use_true_random=False), st.integers(1, 6), st.integers(0, 8))
def test_every_sentence_about_a_ladder_is_so(random: Random, players: int, games: int) -> None:
    """Worked out anew from the orders after each game; some join on the way."""
    played: list[LadderGame] = []
    orders = ["abcdef"[:players]]
    for number in range(games):
        seats = random.sample("abcdefgh", random.randint(2, 5))
        strengths = [random.randint(1, 3) for _ in seats]
        rank = tuple([1 + sum(other > own for other in strengths) for own in strengths])
        played.append(LadderGame(f"g{number}", tuple(seats), rank))
        orders.append("".join(ladder(orders[0], played).order))
    made = ladder(orders[0], played)
    turned = {(move.game, move.player): move for move in made.moves}
    for place, player in enumerate(made.order, start=1):
        own = [move for move in made.moves if move.player == player]
        words = (
            explain_move(own[-1], {})
            if own
            else f"{player} has place {place} without having moved up"
        )
        assert explain_rung(player, place, made.moves, {}) == words
    for above, below in pairwise(made.order):
        both = [number for number, order in enumerate(orders) if above in order and below in order]
        behind = [
            number for number in both if orders[number].index(above) > orders[number].index(below)
        ]
        words = between_rungs(above, below, made.moves, {})
        if "as long as both have been" in words:
            assert not behind
            assert {above, below} <= set(words)
        else:
            name, beaten = words.split()[0], words.split()[4]
            assert name == above
            game = next(
                move.game for move in reversed(made.moves) if words == explain_move(move, {})
            )
            ranks = dict(
                zip(played[int(game[1:])].players, played[int(game[1:])].rank, strict=True)
            )
            assert ranks[above] < ranks[beaten]
            assert not behind or behind[-1] <= int(game[1:]), "ahead ever since"
            assert below in turned[game, above].passed


def test_the_moves_of_a_larger_table_are_told_from_the_first_rank_down() -> None:
    assert ladder("abc", [won("g", "cba")]).moves == (
        LadderMove("g", "c", 3, 1, "a", ("a", "b")),
        LadderMove("g", "b", 3, 2, "a", ("a",)),
    )
