"""Games and matches of automatic players: legal by the checker, the same by seed, fair by rotation."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bluff.move import LayOut
from engine.bluff.ruleset import EXACT, SCORING, Ruleset
from engine.players.match import Entrant, Played, play_match
from engine.players.roster import PLAYERS
from engine.record.bluff.kind import BLUFF
from engine.record.check import check, check_line
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
names = st.sampled_from(list(PLAYERS[BLUFF].by_name))
kinds = st.lists(st.tuples(names, st.sampled_from([0.0, 0.5, 1.0])), min_size=2, max_size=6)


def match(names: str, games: int, seed: int = 1, rules: Ruleset = PRINTED) -> list[Played]:
    return list(play_match([Entrant(name, name.rstrip("2")) for name in names.split()], games, seed, rules))


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
    seats = [played.record.seats for played in match("odds odds2 random random2", 48, rules=Ruleset(dice=1))]
    assert set(Counter(seat[0] for seat in seats).values()) == {12}
    assert len({pair for seat in seats for pair in pairwise(seat)}) == 12
