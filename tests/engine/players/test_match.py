"""Games and matches of automatic players: legal by the checker, the same by seed, fair by
rotation."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bluff.move import LayOut
from engine.bluff.ruleset import EXACT, SCORING, Ruleset
from engine.kniffel import combinations as kniffel
from engine.players.match import Entrant, Played, play_match
from engine.players.roster import PLAYERS
from engine.record.bluff.kind import BLUFF
from engine.record.check import check, check_line
from engine.record.kniffel.kind import KNIFFEL
from engine.record.record import begin
from engine.record.write import write

rules = st.builds(
    Ruleset,
    exact=st.sampled_from(list(EXACT)),
    reroll=st.booleans(),
    dice=st.integers(1, 7),
    scoring=st.sampled_from(list(SCORING)),
)
PRINTED = Ruleset()
turn_rules = st.builds(
    kniffel.Ruleset, truth=st.sampled_from(list(kniffel.TRUTH.values())), allow_zero=st.booleans()
)
names = st.sampled_from(list(PLAYERS[BLUFF].by_name))
kinds = st.lists(st.tuples(names, st.sampled_from([0.0, 0.5, 1.0])), min_size=2, max_size=6)


def match(names: str, games: int, seed: int = 1, rules: Ruleset = PRINTED) -> list[Played]:
    return list(
        play_match([Entrant(name, name.rstrip("2")) for name in names.split()], games, seed, rules)
    )


@settings(max_examples=25)
@given(kinds, rules, st.integers(0, 99))
def test_any_players_play_whole_games_by_any_rules_and_the_checker_accepts_the_records(
    chosen: list[tuple[str, float]], rules: Ruleset, seed: int
) -> None:
    entrants = [Entrant(f"{name} {i}", name, strength) for i, (name, strength) in enumerate(chosen)]
    for played in play_match(entrants, 2, seed, rules):
        verdict = check_line(write(played.record))
        assert verdict.error is None
        assert verdict.over
        assert verdict.rank is not None
        at = [played.record.seats.index(entrant.handle) for entrant in entrants]
        assert played.rank == tuple(verdict.rank[seat] for seat in at)
        assert played.score == tuple((verdict.ending.cntdice or ())[seat] for seat in at)


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from(["odds", "random"]), st.sampled_from([0.0, 0.5, 1.0])),
        min_size=2,
        max_size=8,
    ),
    turn_rules,
    st.integers(0, 99),
)
def test_k0_two_to_eight_play_luegen_kniffel_by_any_rules_and_the_checker_accepts_the_records(
    chosen: list[tuple[str, float]], rules: kniffel.Ruleset, seed: int
) -> None:
    entrants = [Entrant(f"{name} {i}", name, strength) for i, (name, strength) in enumerate(chosen)]
    for played in play_match(entrants, 1, seed, rules, KNIFFEL):
        assert_checked(played, entrants)


@pytest.mark.parametrize("seats", KNIFFEL.seats)
def test_k0_a_table_of_any_size_plays_luegen_kniffel(seats: int) -> None:
    entrants = [Entrant(f"player {i}", ("odds", "random")[i % 2]) for i in range(seats)]
    for played in play_match(entrants, 2, 1, kniffel.Ruleset(), KNIFFEL):
        assert_checked(played, entrants)
        assert all(turn.rolls for turn in played.record.rounds)


def assert_checked(played: Played, entrants: list[Entrant]) -> None:
    """The checker finds no fault in a record, and what it says of the entrants is what was
    played."""
    verdict = check_line(write(played.record))
    assert verdict.error is None
    assert verdict.over
    at = [played.record.seats.index(entrant.handle) for entrant in entrants]
    assert played.rank == tuple((verdict.rank or ())[seat] for seat in at)
    assert played.score == tuple((verdict.ending.totals or ())[seat] for seat in at)


def test_the_same_seed_plays_the_same_games_of_luegen_kniffel() -> None:
    entrants = [Entrant("a", "odds"), Entrant("b", "random"), Entrant("c", "odds", 0.5)]
    first, again, other = (
        list(play_match(entrants, 3, seed, kniffel.Ruleset(), KNIFFEL)) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    assert first[:2] == list(play_match(entrants, 2, 1, kniffel.Ruleset(), KNIFFEL))


def test_a_record_tells_every_die_and_its_result() -> None:
    (played,) = match("odds belief", 1, rules=Ruleset(reroll=True))
    _, rounds = begin(played.record, BLUFF)
    assert all(round.level == "dealt" for round in rounds)
    assert any(isinstance(move, LayOut) and move.rolled for round in rounds for move in round.moves)
    assert played.record.result is not None
    assert check(replace(played.record, result=None)).rank == played.record.result.rank


def test_the_same_seed_plays_the_same_games_and_another_seed_others() -> None:
    assert match("odds belief random", 4) == match("odds belief random", 4)
    assert match("odds belief random", 4) != match("odds belief random", 4, seed=2)
    assert match("odds belief random", 4)[:2] == match("odds belief random", 2)


def test_ids_differ_between_games_and_between_matches() -> None:
    matches = [match("odds belief", 3), match("odds belief", 3, seed=2), match("odds random", 3)]
    matches.append(match("odds belief", 3, rules=Ruleset(dice=4)))
    assert len({played.record.record_id for games in matches for played in games}) == 12


def test_everybody_opens_equally_often_and_sits_next_to_everybody() -> None:
    seats = [
        played.record.seats
        for played in match("odds odds2 random random2", 48, rules=Ruleset(dice=1))
    ]
    assert set(Counter(seat[0] for seat in seats).values()) == {12}
    assert len({pair for seat in seats for pair in pairwise(seat)}) == 12
