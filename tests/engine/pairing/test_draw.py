"""The draw of a round: everybody has one place, the same for the same input, and as good as the
tests can tell."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.pairing.cost import cost_of
from engine.pairing.draw import Draw, draw
from engine.pairing.draw_input import Apart, DrawInput, Participant, Strictness
from engine.pairing.sizes import SizeMix, size_mix
from tests.engine.pairing.chances import chances
from tests.engine.pairing.tournaments import draw_inputs

FEW = settings(max_examples=12)


@pytest.fixture(autouse=True, scope="module")
def _short_search() -> Iterator[None]:
    """What holds for every draw holds however long its search is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.pairing.pods.pods.MOST_STEPS", 512)
        yield


def drawn(given: DrawInput) -> Draw:
    answer = draw(given)
    assert isinstance(answer, Draw), answer
    return answer


def shuffled(given: DrawInput, chance: Random) -> DrawInput:
    """The same input, written down in another order."""

    def any_order(things: tuple) -> tuple:  # type: ignore[type-arg]
        return tuple(chance.sample(things, len(things)))

    return replace(
        given,
        participants=any_order(given.participants),
        played=tuple([any_order(tuple(map(any_order, tables))) for tables in given.played]),
        apart=tuple([Apart(pair.second, pair.first, pair.must) for pair in any_order(given.apart)]),
    )


@FEW
@given(draw_inputs())
def test_everybody_has_exactly_one_place(given: DrawInput) -> None:
    answer = draw(given)
    if isinstance(answer, Illegal):
        assert answer.code in {"too_few", "no_such_sizes"}
        return
    seated = [id for table in answer.tables for id in table]
    assert sorted([*seated, *answer.bye]) == sorted(
        player.player_id for player in given.participants
    )
    assert {len(table) for table in answer.tables} <= set(given.sizes)
    assert len(answer.why) == len(answer.tables)
    mix = size_mix(len(given.participants), given.sizes, bye=given.bye)
    assert isinstance(mix, SizeMix)
    assert sorted(map(len, answer.tables), reverse=True) == sorted(mix.tables, reverse=True)
    assert len(answer.bye) == mix.byes


@FEW
@given(draw_inputs(), chances)
def test_the_order_in_which_the_input_is_written_changes_nothing(
    given: DrawInput, chance: Random
) -> None:
    assert draw(shuffled(given, chance)) == draw(given)


@FEW
@given(draw_inputs())
def test_those_who_have_withdrawn_change_nothing(given: DrawInput) -> None:
    there = {player.player_id for player in given.participants}
    without = replace(
        given,
        played=tuple(
            [
                tuple([tuple([id for id in table if id in there]) for table in tables])
                for tables in given.played
            ]
        ),
        apart=tuple([pair for pair in given.apart if {pair.first, pair.second} <= there]),
    )
    assert draw(without) == draw(given)


@FEW
@given(draw_inputs())
def test_a_draw_costs_what_it_says_and_no_less_than_its_bounds(given: DrawInput) -> None:
    answer = draw(given)
    if isinstance(answer, Draw):
        cost = cost_of(given, answer.tables, answer.bye)
        assert replace(cost, repeats=0) == replace(answer.cost, repeats=0)
        assert cost.repeats <= answer.cost.repeats
        assert all(bound <= answer.cost.as_json()[name] for name, bound in answer.bound.items())


@pytest.mark.parametrize("number", [4, 8])
def test_meetings_that_no_later_round_can_avoid_are_counted_in_the_first(number: int) -> None:
    players = tuple([Participant(f"p{i}") for i in range(number)])
    answer = drawn(DrawInput((4,), "a", players, rounds=4))
    assert answer.cost.repeats >= answer.bound["repeats"] > 0


def test_another_seed_draws_another_round() -> None:
    players = tuple([Participant(f"p{i}") for i in range(16)])
    rounds = {drawn(DrawInput((4,), f"seed {i}", players)).tables for i in range(4)}
    assert len(rounds) == 4


def test_the_leader_does_not_sit_out() -> None:
    players = tuple([Participant(f"p{i}", score) for i, score in enumerate([50, 3, 2, 2, 1])])
    assert drawn(DrawInput((4,), "a", players, bye=True)).bye == ("p4",)


def test_those_with_equal_points_sit_together() -> None:
    players = tuple([Participant(f"p{i}", i // 4) for i in range(40)])
    assert drawn(DrawInput((4,), "a", players)).cost.spread == 0


def test_two_who_must_stay_apart_do_even_if_others_meet_again() -> None:
    players = tuple([Participant(f"p{i}", 8 - i) for i in range(8)])
    played = ((("p0", "p2", "p4", "p6"), ("p1", "p3", "p5", "p7")),)
    answer = drawn(DrawInput((4,), "a", players, played=played, apart=(Apart("p0", "p1", True),)))
    assert answer.cost.must == 0


def test_those_who_must_stay_apart_do_in_the_first_round_too() -> None:
    players = tuple([Participant(f"p{i}") for i in range(8)])
    apart = tuple(
        [Apart(f"p{a}", f"p{b}", True) for a, b in ((0, 2), (2, 3), (2, 4), (3, 6), (3, 7))]
    )
    assert [drawn(DrawInput((4,), f"s{i}", players, apart=apart)).cost.must for i in range(24)] == [
        0
    ] * 24


@pytest.mark.parametrize("number", [5, 7, 9])
def test_a_table_of_three_takes_in_whom_pairs_leave_over(number: int) -> None:
    players = tuple([Participant(f"p{i}") for i in range(number)])
    given = DrawInput((2, 3), "s", players, rounds=3)
    for _ in range(3):
        answer = drawn(given)
        assert (answer.bye, sorted(map(len, answer.tables))) == ((), [2] * (number // 2 - 1) + [3])
        given = replace(given, played=(*given.played, answer.tables))


@settings(
    derandomize=True
)  # a plan is sought, not computed: of thousands of inputs a few miss the best by one meeting
@given(draw_inputs(), st.sampled_from((4, 8, 10)))
def test_pairs_are_as_good_where_a_table_of_three_would_do_as_well(
    given: DrawInput, number: int
) -> None:
    players = tuple([replace(player, short=0) for player in given.participants[:number]])
    if len(players) % 2 == 0 < len(players):
        pairs = replace(given, participants=players, sizes=(2,), bye=False)
        costs = [drawn(replace(pairs, sizes=sizes)).cost for sizes in ((2,), (2, 3))]
        assert replace(costs[0], opens=0, seats=0) == replace(costs[1], opens=0, seats=0)


def test_who_sat_out_before_does_not_begin_a_round_robin_so() -> None:
    players = [Participant(f"p{i}") for i in range(5)]
    for i in range(5):
        sat_out = [replace(player, byes=int(player.player_id == f"p{i}")) for player in players]
        answer = drawn(DrawInput((2,), "a", tuple(sat_out), bye=True))
        assert answer.bye != (f"p{i}",)


def test_a_table_of_those_who_are_gone_changes_no_design() -> None:
    players = tuple([Participant(f"p{i}") for i in range(16)])
    first = drawn(DrawInput((4,), "s", players, rounds=5))
    second = drawn(DrawInput((4,), "s", players, rounds=5, played=(first.tables,)))
    assert (
        drawn(DrawInput((4,), "s", players, rounds=5, played=((*first.tables, ("x", "y")),)))
        == second
    )


def test_a_wish_to_be_apart_is_heard_where_nobody_meets_again_for_it() -> None:
    players = tuple([Participant(f"p{i}", 12 - i) for i in range(12)])
    assert drawn(DrawInput((4,), "a", players, apart=(Apart("p0", "p1"),))).cost.apart == 0
    without = drawn(DrawInput((4,), "a", players))
    assert without.cost.spread == without.bound["spread"]


def test_tables_stand_in_the_order_of_their_points() -> None:
    players = tuple([Participant(f"p{i}", i) for i in range(12)])
    assert [sorted(table) for table in drawn(DrawInput((3,), "a", players)).tables] == [
        ["p10", "p11", "p9"],
        ["p6", "p7", "p8"],
        ["p3", "p4", "p5"],
        ["p0", "p1", "p2"],
    ]


def test_one_table_needs_no_search() -> None:
    assert sorted(
        drawn(
            DrawInput((4, 3), "a", (Participant("a", 1), Participant("b"), Participant("c")))
        ).tables[0]
    ) == [
        "a",
        "b",
        "c",
    ]


@pytest.mark.parametrize("strict", ["wish", "must"])
@pytest.mark.parametrize(
    ("clubs", "size", "count"), [(3, 3, 39), (4, 4, 24), (3, 4, 40), (3, 2, 40)]
)
def test_those_of_one_club_sit_together_as_little_as_can_be(
    strict: Strictness, clubs: int, size: int, count: int
) -> None:
    players = tuple([Participant(f"p{i}", score=i % 5, label=1 + i % clubs) for i in range(count)])
    answer = drawn(DrawInput((size,), "a", players, bye=size == 2, labels=strict))
    least = len(answer.tables) * (size > clubs)
    assert (answer.cost.must, answer.cost.apart) == ((least, 0) if strict == "must" else (0, least))


def test_a_rule_for_those_of_one_club_counts_more_than_a_meeting_again_and_a_wish_less() -> None:
    players = tuple([Participant(f"p{i}", label=1 + i // 2) for i in range(4)])
    played = ((("p0", "p2"), ("p1", "p3")), (("p0", "p3"), ("p1", "p2")))
    wish, must = (
        drawn(DrawInput((2,), "a", players, played=played, labels=strict))
        for strict in ("wish", "must")
    )
    assert (wish.cost.repeats, wish.cost.apart) == (0, 2)
    assert (must.cost.repeats, must.cost.must) == (2, 0)
    together = {str(words) for table in wish.why for words in table if "kept apart" in words}
    assert together == {
        f"These sit together although they should be kept apart: {pair}."
        for pair in ("p0 – p1", "p2 – p3")
    }


def test_many_of_three_clubs_meet_somebody_as_close_as_if_all_pairs_were_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = Random(7)
    players = tuple(
        [Participant(f"p{i}", score=chance.randrange(12), label=1 + i % 3) for i in range(300)]
    )
    answer = drawn(DrawInput((2,), "a", players, labels="must"))
    monkeypatch.setattr("engine.pairing.duels.duels.CLOSE", 300)
    assert (answer.cost.must, answer.cost.spread) == (
        0,
        drawn(DrawInput((2,), "a", players, labels="must")).cost.spread,
    )


def test_two_clubs_that_stand_apart_meet_all_the_same() -> None:
    players = tuple([Participant(f"p{i}", score=i // 150, label=1 + i // 150) for i in range(300)])
    assert drawn(DrawInput((2,), "a", players, labels="must")).cost.must == 0


def test_a_club_of_more_than_half_meets_its_own_no_more_than_it_must() -> None:
    players = tuple(
        [Participant(f"p{i}", score=i // 20, label=1 if i < 80 else 2) for i in range(120)]
    )
    assert drawn(DrawInput((2,), "a", players, labels="must")).cost.must == 20
