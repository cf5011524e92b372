"""Turns at short tables: strictly kept, or behind the meetings where that is chosen, and what the
first of it costs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations

import pytest

from engine.pairing.draw import Draw, draw
from engine.pairing.draw_input import Apart, DrawInput, Participant


@pytest.fixture(autouse=True, scope="module")
def _short_search() -> Iterator[None]:
    """What holds for every draw holds however long its search is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.pairing.pods.pods.MOST_STEPS", 2048)
        yield


def night(players: int, rounds: int, *, meetings_first: bool = False) -> DrawInput:
    """An evening at tables of four and three."""
    there = tuple([Participant(f"p{number:02}") for number in range(players)])
    return DrawInput((4, 3), "night", there, rounds, meetings_first=meetings_first)


def short_of(answer: Draw) -> Counter[str]:
    return Counter(chain(*[table for table in answer.tables if len(table) < 4]))


def evening(given: DrawInput) -> Iterator[tuple[DrawInput, Draw]]:
    """All rounds of an evening, one after the other, of which the points don't count."""
    while len(given.played) < (given.rounds or 0):
        answer = draw(given)
        assert isinstance(answer, Draw)
        yield given, answer
        numbered = given.design or given.seed
        short = short_of(answer)
        people = [
            replace(player, short=player.short + short[player.player_id])
            for player in given.participants
        ]
        given = replace(
            given,
            participants=tuple(people),
            seed=f"round {len(given.played)}",
            design=numbered,
            played=(*given.played, answer.tables),
        )


def drawn(given: DrawInput) -> list[Draw]:
    """The draws of all its rounds."""
    return [answer for _, answer in evening(given)]


def again(answers: list[Draw]) -> int:
    """How many meetings again there were."""
    met = Counter(
        pair
        for answer in answers
        for table in answer.tables
        for pair in combinations(sorted(table), 2)
    )
    return met.total() - len(met)


def times_short(answers: list[Draw], players: int) -> list[int]:
    """How often the players sat short, the least first."""
    short = sum(map(short_of, answers), Counter[str]())
    return sorted([*short.values(), *[0] * (players - len(short))])


@pytest.mark.parametrize(("players", "rounds"), [(13, 4), (22, 6), (26, 6)])
def test_nobody_sits_short_twice_before_all_others_did_once(players: int, rounds: int) -> None:
    answers = drawn(night(players, rounds))
    for number in range(1, rounds + 1):
        times = times_short(answers[:number], players)
        assert times[-1] - times[0] <= 1
    assert [answer.cost.short for answer in answers] == [
        answer.bound["short"] for answer in answers
    ]


@pytest.mark.parametrize(("players", "rounds"), [(13, 4), (22, 6), (26, 6)])
def test_nobody_meets_again_where_meetings_count_first(players: int, rounds: int) -> None:
    answers = drawn(night(players, rounds, meetings_first=True))
    assert again(answers) == 0
    assert {answer.price for answer in answers} == {None}


def test_a_draw_tells_how_many_meetings_fewer_it_would_have_if_they_counted_first() -> None:
    prices = []
    for given, answer in evening(night(13, 4)):
        free = draw(replace(given, meetings_first=True))
        assert isinstance(free, Draw)
        assert free.price is None
        if answer.price is not None:
            prices.append(answer.price)
            assert answer.price == answer.cost.repeats - free.cost.repeats
            assert answer.as_json()["price"] == answer.price
        else:
            assert answer.cost.repeats == answer.bound["repeats"]
            assert "price" not in answer.as_json()
    assert max(prices) > 0


def test_nothing_is_asked_where_nobody_meets_again_or_all_tables_are_full() -> None:
    for given in (night(23, 7), night(12, 5), night(13, 1)):
        answer = draw(given)
        assert isinstance(answer, Draw)
        assert answer.price is None


def test_among_equally_few_meetings_those_sit_short_whose_turn_it_is() -> None:
    people = [
        replace(player, short=number % 2) for number, player in enumerate(night(10, 1).participants)
    ]
    answer = draw(replace(night(10, 1, meetings_first=True), participants=tuple(people)))
    assert isinstance(answer, Draw)
    assert answer.cost.short == answer.bound["short"]


def test_the_search_weighs_turns_as_is_chosen_where_no_design_has_enough_rounds() -> None:
    strict, free = night(10, 4), night(10, 4, meetings_first=True)
    assert again(drawn(free)) * 2 < again(drawn(strict))


@pytest.mark.parametrize("meetings_first", [True, False])
def test_of_many_those_whose_turn_it_is_sit_short_together_again_or_not(
    meetings_first: bool,
) -> None:
    """Three alone never sat short, and have met."""
    field = night(67, 5, meetings_first=meetings_first)
    people = [
        replace(player, short=int(number > 2)) for number, player in enumerate(field.participants)
    ]
    before = (("p00", "p01", "p02"),)
    wish = (Apart("p03", "p04"),)  # no design is looked for
    answer = draw(replace(field, participants=tuple(people), played=(before,), apart=wish))
    assert isinstance(answer, Draw)
    assert (answer.cost.short, answer.cost.repeats) == ((2, 0) if meetings_first else (0, 3))


def test_of_the_rounds_of_a_design_the_one_is_next_in_which_those_sit_short_whose_turn_it_is() -> (
    None
):
    field = night(23, 6, meetings_first=True)
    first = next(iter(drawn(replace(field, rounds=1))))
    people = [
        replace(player, short=short_of(first)[player.player_id]) for player in field.participants
    ]
    answer = draw(replace(field, participants=tuple(people)))
    assert isinstance(answer, Draw)
    assert answer.cost.short == 0
