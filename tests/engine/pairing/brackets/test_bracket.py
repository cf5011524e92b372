"""Knock-outs, round by round: who meets whom, who is out, and when it is over."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import (
    BracketInput,
    BracketTable,
    bracket_places,
    bracket_round,
    layout,
)
from tests.engine.pairing.chances import chances
from tests.engine.pairing.knockouts import after, by_chance, by_seeding, drawn, knockout, knockouts


def tables(given: BracketInput) -> dict[str, set[str]]:
    """The tables to be played, by label."""
    return {table.label: set(table.ids) for table in drawn(given).tables}


def refused(given: BracketInput) -> tuple[str, str | None]:
    """Code and path of what is wrong."""
    answer = bracket_round(given)
    assert isinstance(answer, Illegal)
    assert layout(given) == answer
    return answer.code, answer.path


def picture(given: BracketInput) -> tuple[BracketTable, ...]:
    """The layout of a knock-out that is sound."""
    answer = layout(given)
    assert not isinstance(answer, Illegal)
    return answer


def test_the_best_seeds_meet_last() -> None:
    cup = knockout(8)
    assert tables(cup) == {
        "W1.1": {"p1", "p8"},
        "W1.2": {"p2", "p7"},
        "W1.3": {"p3", "p6"},
        "W1.4": {"p4", "p5"},
    }
    cup = by_seeding(cup)
    assert tables(cup) == {"W2.1": {"p1", "p4"}, "W2.2": {"p2", "p3"}}
    cup = by_seeding(cup)
    assert tables(cup) == {"final": {"p1", "p2"}}
    assert [table.why for table in drawn(cup).tables] == [
        ("the winner of W2.1 meets the winner of W2.2",)
    ]


def test_why_a_first_table_sits_together() -> None:
    assert [table.why for table in drawn(knockout(4)).tables] == [
        ("seed 1 meets seed 4",),
        ("seed 2 meets seed 3",),
    ]
    assert drawn(knockout(3, 4, 2)).tables[0].why == ("seed 1, seed 2 and seed 3 sit together",)
    pods = by_seeding(knockout(8, 4, 2))
    assert drawn(pods).tables[0].why == (
        (
            "the winner of W1.1, the winner of W1.2, number 2 of W1.1 and number 2 of W1.2 sit "
            "together"
        ),
    )


def test_the_best_seeds_have_the_byes() -> None:
    cup = drawn(knockout(6))
    assert cup.byes == ("p1", "p2")
    assert [table.label for table in cup.tables] == ["W1.1", "W1.2"]


def test_two_of_four_go_on() -> None:
    pods = after(knockout(8, 4, 2), "p8 p1 p4 p5", "p2 p7 p3 p6")
    assert tables(pods) == {"final": {"p8", "p1", "p2", "p7"}}
    over = drawn(after(pods, "p7 p1 p2 p8"))
    assert over.over
    assert [(place.player_id, place.place, place.out) for place in over.places] == [
        ("p7", 1, None),
        ("p1", 2, "final"),
        ("p2", 3, "final"),
        ("p8", 4, "final"),
        ("p3", 5, "W1.2"),
        ("p4", 5, "W1.1"),
        ("p5", 7, "W1.1"),
        ("p6", 7, "W1.2"),
    ]


def test_the_losers_before_the_final_play_for_the_third_place() -> None:
    cup = by_seeding(knockout(4, third=True))
    assert tables(cup) == {"third": {"p3", "p4"}, "final": {"p1", "p2"}}
    places = drawn(after(cup, "p4 p3", "p2 p1")).places
    assert [(place.player_id, place.place) for place in places] == [
        ("p2", 1),
        ("p1", 2),
        ("p4", 3),
        ("p3", 4),
    ]
    assert [place.decided for place in places] == [None, "final", "third", "third"]
    assert [place.out for place in places[2:]] == ["W1.1", "W1.2"]


def test_without_that_table_they_share_it() -> None:
    places = drawn(by_seeding(by_seeding(knockout(4)))).places
    assert [(place.player_id, place.place) for place in places] == [
        ("p1", 1),
        ("p2", 2),
        ("p3", 3),
        ("p4", 3),
    ]


def test_who_loses_once_plays_on_in_double_elimination() -> None:
    cup = after(knockout(4, kind="double"), "p1 p4", "p2 p3")
    assert tables(cup) == {"W2.1": {"p1", "p2"}, "L1.1": {"p3", "p4"}}
    cup = after(cup, "p1 p2", "p4 p3")
    assert tables(cup) == {"L2.1": {"p2", "p4"}}
    cup = after(cup, "p2 p4")
    assert tables(cup) == {"final": {"p1", "p2"}}
    over = drawn(after(cup, "p1 p2"))
    assert over.over
    assert [place.player_id for place in over.places] == ["p1", "p2", "p4", "p3"]


def test_a_final_won_from_the_losers_side_is_played_again() -> None:
    cup = after(after(knockout(2, kind="double"), "p1 p2"), "p2 p1")
    assert tables(cup) == {"reset": {"p1", "p2"}}
    assert {place.place for place in drawn(cup).places} == {1}
    over = drawn(after(cup, "p1 p2"))
    assert over.over
    assert [(place.player_id, place.out) for place in over.places] == [
        ("p1", None),
        ("p2", "reset"),
    ]


def test_the_reset_of_a_table_is_a_duel() -> None:
    cup = knockout(4, 4, 2, "double")
    cup = after(cup, "p1 p2 p3 p4")
    assert tables(cup) == {"final": {"p1", "p2", "p3", "p4"}}
    cup = after(cup, "p3 p2 p1 p4")
    assert tables(cup) == {"reset": {"p1", "p3"}}
    over = drawn(after(cup, "p3 p1"))
    assert [place.player_id for place in over.places] == ["p3", "p1", "p2", "p4"]


def test_an_absent_one_never_goes_on_before_somebody_present() -> None:
    cup = replace(knockout(4), absent=frozenset({"p1"}))
    answer = drawn(cup)
    assert [(table.label, table.ids) for table in answer.walkovers] == [("W1.1", ("p4", "p1"))]
    assert answer.walkovers[0].why[1] == "too many of them are absent: nobody present could go out"
    assert tables(after(cup, "p4 p1", "p2 p3")) == {"final": {"p2", "p4"}}


def test_a_table_is_played_without_its_absent() -> None:
    pods = replace(knockout(8, 4, 2), absent=frozenset({"p1", "p2", "p3"}))
    answer = drawn(pods)
    assert [(table.label, set(table.ids)) for table in answer.tables] == [
        ("W1.1", {"p4", "p5", "p8"})
    ]
    assert [(table.label, table.ids) for table in answer.walkovers] == [
        ("W1.2", ("p6", "p7", "p2", "p3"))
    ]
    final = after(pods, "p8 p5 p4", "p6 p7 p2 p3")
    assert tables(final) == {"final": {"p5", "p6", "p7", "p8"}}
    assert [place.out for place in drawn(final).places if place.player_id == "p1"] == ["W1.1"]


def test_who_withdraws_later_changes_nothing_before() -> None:
    cup = after(knockout(4), "p1 p4", "p2 p3")
    gone = replace(cup, absent=frozenset({"p1", "p3"}))
    assert [table.ids for table in drawn(gone).walkovers] == [("p2", "p1")]
    over = drawn(after(gone, "p2 p1"))
    assert (over.over, over.places[0].player_id) == (True, "p2")


def test_seats_are_drawn_by_lot() -> None:
    first = {drawn(replace(knockout(2), seed=seed)).tables[0].ids[0] for seed in "abcdefgh"}
    assert first == {"p1", "p2"}
    assert drawn(knockout(16)) == drawn(knockout(16))


def test_the_layout_shows_what_is_known() -> None:
    cup = replace(after(knockout(4, kind="double"), "p1 p4", "p3 p2"), absent=frozenset({"p4"}))
    answer = picture(cup)
    assert [(table.planned.label, table.ids, table.state) for table in answer] == [
        ("W1.1", ("p1", "p4"), "finished"),
        ("W1.2", ("p2", "p3"), "finished"),
        ("W2.1", ("p1", "p3"), "open"),
        ("L1.1", ("p4", "p2"), "walkover"),
        ("L2.1", (None, None), "waiting"),
        ("final", (None, None), "waiting"),
        ("reset", (None, None), "waiting"),
    ]
    assert answer[1].order == ("p3", "p2")
    assert answer[3].order == ("p2", "p4")


def test_a_reset_that_isnt_needed_is_told() -> None:
    answer = picture(after(after(knockout(2, kind="double"), "p1 p2"), "p1 p2"))
    assert [(table.planned.label, table.state) for table in answer] == [
        ("W1.1", "finished"),
        ("final", "finished"),
        ("reset", "unneeded"),
    ]


@pytest.mark.parametrize(
    ("cup", "code", "path"),
    [
        (knockout(8, 1, 1), "no_such_sizes", "sizes"),
        (knockout(8, 7, 1), "no_such_sizes", "sizes"),
        (knockout(8, 4, 4), "bad_draw", "bracket.advance"),
        (knockout(8, 4, 0), "bad_draw", "bracket.advance"),
        (knockout(8, kind="double", third=True), "bad_draw", "bracket.third"),
        (knockout(0), "too_few", "players"),
        (knockout(1), "too_few", "players"),
        (knockout(4097), "bad_draw", "players"),
        (replace(knockout(2), participants=("p1", "p1")), "bad_draw", "players"),
        (after(knockout(4), "p1 p4"), "bad_draw", "finished[0]"),
        (after(knockout(4), "p1 p3", "p2 p4"), "bad_draw", "finished[0]"),
        (after(knockout(4), "p1 p4", "p2 p2"), "bad_draw", "finished[0]"),
        (after(knockout(4), "p1 p4", "p2 p3", "p9"), "bad_draw", "finished[0][2]"),
        (after(after(knockout(2), "p1 p2"), "p1 p2"), "bad_draw", "finished[1]"),
        (
            after(after(after(knockout(2, kind="double"), "p1 p2"), "p1 p2"), "p1 p2"),
            "bad_draw",
            "finished[2]",
        ),
    ],
)
def test_a_knockout_that_cant_be(cup: BracketInput, code: str, path: str) -> None:
    assert refused(cup) == (code, path)


@given(knockouts(), chances)
def test_a_knockout_played_through_ends_with_one_winner(cup: BracketInput, chance: Random) -> None:
    lost: Counter[str] = Counter()
    allowed = 1 if cup.kind == "single" else 2
    while not (answer := drawn(cup)).over:
        seated = [id for table in answer.tables for id in table.ids]
        assert len(set(seated)) == len(seated)
        assert all(lost[id] < allowed for id in seated)
        assert not {id for id in answer.byes if id in seated}
        cup = by_chance(cup, chance)
        advance = {table.planned.label: table.planned.advance for table in picture(cup)}
        for table in answer.tables:
            order = next(order for order in cup.finished[-1] if set(order) == set(table.ids))
            lost.update(order[advance[table.label] :])
    assert [place.player_id for place in answer.places if place.place == 1] == [
        answer.places[0].player_id
    ]
    assert all(1 <= lost[place.player_id] <= allowed for place in answer.places[1:])
    assert lost[answer.places[0].player_id] < allowed
    assert {place.player_id for place in answer.places if place.out} == set(cup.participants) - {
        answer.places[0].player_id
    }


@given(knockouts(), chances, st.data())
def test_nobody_absent_beats_anybody_present(
    cup: BracketInput, chance: Random, data: st.DataObject
) -> None:
    while not drawn(cup).over:
        gone = data.draw(st.sets(st.sampled_from(cup.participants), max_size=3))
        cup = replace(cup, absent=cup.absent | gone)
        answer = drawn(cup)
        for table in answer.tables:
            assert not cup.absent & set(table.ids)
        for table in answer.walkovers:
            absent = [id in cup.absent for id in table.ids]
            assert absent == sorted(absent)
        cup = by_chance(cup, chance)
    assert len(drawn(cup).places) == len(cup.participants)


@given(knockouts(), chances)
def test_the_order_of_tables_is_no_matter(cup: BracketInput, chance: Random) -> None:
    while not drawn(cup).over:
        cup = by_chance(cup, chance)
        turned = tuple([tuple(reversed(finished)) for finished in cup.finished])
        assert drawn(replace(cup, finished=turned)) == drawn(cup)


def reached(given: BracketInput, *played: str) -> tuple[dict[str, int], bool]:
    """The places while these tables of the round are finished, each an order of finish; and whether
    it is over."""
    answer = bracket_places(given, tuple(tuple(order.split()) for order in played))
    assert not isinstance(answer, Illegal)
    places, over = answer
    return {place.player_id: place.place for place in places if place.out}, over


def test_places_follow_finished_tables_at_once() -> None:
    cup = knockout(16, 4, 2)
    assert reached(cup) == ({}, False)
    first, second, third, fourth = (" ".join(sorted(ids)) for ids in tables(cup).values())
    out = first.split()[2:]
    assert reached(cup, first) == ({out[0]: 9, out[1]: 13}, False)
    places, _ = reached(cup, first, second, third, fourth)
    assert (places[out[0]], places[out[1]]) == (9, 13), "they stay when the others are finished"
    assert sorted(places.values()) == [9, 9, 9, 9, 13, 13, 13, 13]


@given(knockouts(), st.randoms(use_true_random=False))
def test_who_is_out_keeps_the_place_until_the_round_is_finished(
    cup: BracketInput, random: Random
) -> None:
    while not (answer := drawn(cup)).over:
        orders = [tuple(random.sample(table.ids, len(table.ids))) for table in answer.tables]
        before, _ = reached(cup, *[" ".join(order) for order in orders if random.random() < 0.5])
        cup = replace(
            cup, finished=(*cup.finished, (*orders, *[table.ids for table in answer.walkovers]))
        )
        places, _ = reached(cup)
        assert {player: places[player] for player in before} == before


def test_the_final_ends_it_while_the_third_place_is_played_for() -> None:
    cup = by_seeding(knockout(4, third=True))
    assert reached(cup, "p1 p2") == ({"p2": 2, "p3": 3, "p4": 3}, True)
    assert reached(cup, "p4 p3") == ({"p4": 3, "p3": 4}, False)


def test_a_knock_out_that_can_not_be_has_no_places() -> None:
    assert isinstance(bracket_places(knockout(1), ()), Illegal)
