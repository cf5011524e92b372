"""A season ranked by its events."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.event_points import (
    EventFinish,
    EventResult,
    EventRules,
    EventsRow,
    Per,
    between_events,
    explain_events,
    season_by_events,
)
from engine.scoring.wording import counted, written

BY_RANK = EventRules(Per.EVENT)
BY_TABLE = EventRules(Per.EVENT, points_table=(10, 6, 3))
BY_GAMES = EventRules(Per.GAME)
NAMES = {"a": "Ana", "b": "Ben", "c": "Cid", "s": "Sam"}


def event(number: int, finish: str) -> EventResult:
    """An event whose players are letters, by their finish; those in one word share the rank."""
    finishes, rank = [], 1
    for word in finish.split():
        finishes += [EventFinish(player, rank, Fraction(10 - rank)) for player in word]
        rank += len(word)
    return EventResult(f"e{number}", number, f"evening {number}", tuple(finishes))


def standing(rows: Sequence[EventsRow]) -> list[tuple[int, str, object]]:
    return [(row.rank, row.player, row.points) for row in rows]


def test_an_event_brings_a_point_for_everybody_left_behind() -> None:
    assert standing(season_by_events(BY_RANK, [event(1, "a bc d")])) == [
        (1, "a", 3),
        (2, "b", 1),
        (2, "c", 1),
        (4, "d", 0),
    ]


def test_a_points_table_says_what_a_rank_brings() -> None:
    rows = season_by_events(BY_TABLE, [event(1, "a bc d"), event(2, "e a b c")])
    assert standing(rows) == [(1, "a", 16), (2, "e", 10), (3, "b", 9), (4, "c", 6), (5, "d", 0)]


def test_per_game_an_event_brings_what_its_games_brought() -> None:
    assert standing(season_by_events(BY_GAMES, [event(1, "a b"), event(2, "a b")])) == [
        (1, "a", 18),
        (2, "b", 16),
    ]


def test_only_the_best_events_count_and_the_others_are_named() -> None:
    events = [event(1, "a b c"), event(2, "b c a"), event(3, "a c b")]
    first, *_ = season_by_events(EventRules(Per.EVENT, best=2), events)
    assert standing([first]) == [(1, "a", 4)]
    assert [points.name for points in first.counted] == ["evening 1", "evening 3"]
    assert [points.name for points in first.dropped] == ["evening 2"]
    assert list(map(str, explain_events(first, NAMES))) == [
        "Ana has 4 points and rank 1",
        "evening 1: rank 1, 2 points",
        "evening 3: rank 1, 2 points",
        "only the best 2 events count; not these: evening 2 (0 points)",
    ]


def test_of_events_that_brought_the_same_the_earlier_one_counts() -> None:
    (first, _) = season_by_events(EventRules(Per.EVENT, best=1), [event(2, "a b"), event(1, "a b")])
    assert [points.number for points in first.counted] == [1]


def test_guests_do_not_count_and_ranks_close_up() -> None:
    finishes = (
        EventFinish("g", 1, guest=True),
        EventFinish("a", 2, Fraction(5)),
        EventFinish("b", 3, Fraction(1)),
    )
    guested = EventResult("e1", 1, "evening", finishes)
    assert standing(season_by_events(BY_TABLE, [guested])) == [(1, "a", 10), (2, "b", 6)]
    assert standing(season_by_events(BY_RANK, [guested])) == [(1, "a", 1), (2, "b", 0)]
    assert standing(season_by_events(BY_GAMES, [guested])) == [(1, "a", 5), (2, "b", 1)]


def test_a_substitutes_result_counts_for_whom_the_club_says() -> None:
    finishes = (EventFinish("s", 1, Fraction(4), counts_for="a"), EventFinish("b", 2, Fraction(3)))
    rows = season_by_events(BY_RANK, [EventResult("e1", 1, "evening", finishes)])
    assert standing(rows) == [(1, "a", 1), (2, "b", 0)]
    assert str(explain_events(rows[0], NAMES)[1]) == "evening: rank 1, 1 point, played by Sam"


def test_who_was_replaced_on_the_way_has_the_better_rank_and_the_points_of_all_games() -> None:
    finishes = (
        EventFinish("a", 4, Fraction(2)),
        EventFinish("s", 1, Fraction(7), counts_for="a"),
        EventFinish("b", 2, Fraction(8)),
        EventFinish("c", 3),
    )
    changed = [EventResult("e1", 1, "evening", finishes)]
    assert standing(season_by_events(BY_RANK, changed)) == [(1, "a", 2), (2, "b", 1), (3, "c", 0)]
    assert standing(season_by_events(BY_GAMES, changed))[:2] == [(1, "a", 9), (2, "b", 8)]


def by_games(**points: Sequence[int]) -> list[EventResult]:
    """A season in which each player's events brought these points."""
    return [
        EventResult(
            f"e{number}",
            number,
            "evening",
            tuple(
                [
                    EventFinish(player, 1, Fraction(one))
                    for player, one in zip(points, brought, strict=True)
                ]
            ),
        )
        for number, brought in enumerate(zip(*points.values(), strict=True), start=1)
    ]


@pytest.mark.parametrize(
    ("a", "b", "sentence"),
    [
        ((2, 0), (1, 0), "Ana has 2 points, Ben 1"),
        ((2, 0), (1, 1), "Ana and Ben have 2 points; their best events: 2 and 1"),
        ((0, 3, 2), (3, 1, 1), "Ana and Ben have 5 points; number 2 of their best events: 2 and 1"),
        (
            (3, 1),
            (1, 3),
            (
                "Ana and Ben have 4 points, and the same points from each event that counts, "
                "best to worst: both have rank 1"
            ),
        ),
    ],
)
def test_two_neighbours_hear_why_they_stand_in_this_order(
    a: tuple[int, ...], b: tuple[int, ...], sentence: str
) -> None:
    above, below = season_by_events(BY_GAMES, by_games(a=a, b=b))
    assert str(between_events(above, below, NAMES)) == sentence


def test_an_event_that_brought_nothing_is_no_advantage() -> None:
    finishes = (
        (EventFinish("a", 1, Fraction(3)),),
        (EventFinish("b", 1, Fraction(3)),),
        (EventFinish("b", 1),),
    )
    season = [
        EventResult(f"e{number}", number, "evening", finish)
        for number, finish in enumerate(finishes, start=1)
    ]
    assert standing(season_by_events(BY_GAMES, season)) == [(1, "a", 3), (1, "b", 3)]


def test_a_season_without_events_has_no_rows() -> None:
    assert season_by_events(BY_RANK, []) == ()


@st.composite
def seasons(draw: st.DrawFn) -> list[EventResult]:
    random = draw(st.randoms(use_true_random=False))
    return [played_event(random, number) for number in range(1, draw(st.integers(0, 5)) + 1)]


def played_event(random: Random, number: int) -> EventResult:
    players = random.sample("abcdef", random.randint(1, 6))
    strengths = [random.randint(1, 3) for _ in players]
    finishes = [
        EventFinish(
            player,
            1 + sum(other > own for other in strengths),
            Fraction(random.randint(0, 5), 2),
            random.random() < 0.2,
            random.choice([None, None, "f"]),
        )
        for player, own in zip(players, strengths, strict=True)
    ]
    return EventResult(f"e{number}", number, f"evening {number}", tuple(finishes))


rules_of_seasons = st.builds(
    EventRules,
    st.sampled_from(Per),
    st.none() | st.integers(0, 4),
    st.none() | st.just((5, 3, 1)) | st.just(()),
)


@given(rules_of_seasons, seasons(), st.randoms(use_true_random=False))
def test_the_order_of_events_and_finishes_changes_nothing(
    rules: EventRules, season: list[EventResult], random: Random
) -> None:
    shuffled = [
        EventResult(
            one.event_id,
            one.number,
            one.name,
            tuple(random.sample(one.finishes, len(one.finishes))),
        )
        for one in random.sample(season, len(season))
    ]
    assert season_by_events(rules, shuffled) == season_by_events(rules, season)


@given(rules_of_seasons, seasons())
def test_points_are_those_of_the_best_events_and_order_the_rows(
    rules: EventRules, season: list[EventResult]
) -> None:
    rows = season_by_events(rules, season)
    for row in rows:
        assert row.points == sum((event.points for event in row.counted), Fraction(0))
        assert rules.best is None or len(row.counted) <= rules.best
        assert not row.dropped or len(row.counted) == rules.best
        kept = min((event.points for event in row.counted), default=Fraction(100))
        assert all(event.points <= kept for event in row.dropped)
    for above, below in pairwise(rows):
        assert (above.points, above.best_first) >= (below.points, below.best_first)
        assert (above.rank == below.rank) == (
            (above.points, above.best_first) == (below.points, below.best_first)
        )
        assert str(between_events(above, below, NAMES))


@given(rules_of_seasons, seasons())
def test_every_sentence_about_a_season_of_events_is_so(
    rules: EventRules, season: list[EventResult]
) -> None:
    """Worked out anew from the points that each event brought."""
    rows = season_by_events(rules, season)
    for row in rows:
        first, *others = explain_events(row, {})
        assert first == f"{row.player} has {counted(row.points)} and rank {row.rank}"
        for event, words in zip(row.counted, others, strict=False):
            by = f", played by {event.by}" if event.by else ""
            assert words == f"{event.name}: rank {event.rank}, {counted(event.points)}{by}"
        last = others[len(row.counted) :]
        assert len(last) == bool(row.dropped)
        for event in row.dropped:
            assert f"only the best {rules.best} events count; not these: " in last[0]
            assert f"{event.name} ({counted(event.points)})" in last[0]
    for above, below in pairwise(rows):
        words = between_events(above, below, {})
        more, less = ([event.points for event in row.counted] for row in (above, below))
        values = {name: str(value) for name, value in words.values.items()}
        if above.rank == below.rank:
            assert "the same points from each event that counts, best to worst" in words
            assert sorted(filter(None, more)) == sorted(filter(None, less))
        elif sum(more) != sum(less):
            assert (values["more"], values["less"]) == (
                str(counted(sum(more, Fraction()))),
                written(sum(less, Fraction())),
            )
        else:
            number = int(values.get("number", 1))
            ordered = [
                [*sorted(points, reverse=True), *[Fraction(0)] * 9] for points in (more, less)
            ]
            assert ordered[0][: number - 1] == ordered[1][: number - 1]
            ahead, behind = ordered[0][number - 1], ordered[1][number - 1]
            assert ahead > behind
            assert (values["more"], values["less"]) == (written(ahead), written(behind))
