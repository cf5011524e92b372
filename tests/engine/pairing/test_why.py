"""Why a table is what it is."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.pairing.why import why, why_out
from tests.engine.pairing.chances import chances
from tests.engine.pairing.tournaments import draw_inputs

PLAYERS = (
    Participant("a", 3, seats=(1,), floats="down"),
    Participant("b", 1, short=1),
    Participant("c", 1),
)

FLOATS = (
    "As in the last round, somebody here is alone above or below everybody else at the table.",
)


def test_a_table_says_who_has_met_and_how_far_the_points_lie_apart() -> None:
    given = DrawInput((3,), "x", PLAYERS, played=((("a", "c"),),))
    assert why(given, [("b", "a", "c")]) == (
        (
            "These have met before, but no better draw was found: a – c.",
            "The points here range from 1 to 3.",
            *FLOATS,
            "b opens: nobody here has opened less often.",
        ),
    )


def test_a_table_says_whose_points_were_not_all_known() -> None:
    players = (Participant("a", unknown=2), Participant("b"), Participant("c", unknown=1))
    (sentences,) = why(DrawInput((3,), "x", players), [("a", "b", "c")])
    assert sentences[1:3] == (
        "All here have the same points: 0.",
        "Not all points of these players were known: a, c.",
    )


def test_a_short_table_says_whether_it_was_the_turn_of_those_there() -> None:
    given = DrawInput((3, 2), "x", PLAYERS, apart=(Apart("c", "b"),))
    (sentences,) = why(given, [("b", "c")])
    assert sentences[:2] == (
        "The table is short, although it wasn’t everybody’s turn to sit at a short one.",
        "These sit together although they should be kept apart: b – c.",
    )
    (sentences,) = why(given, [("a", "c")])
    assert (
        sentences[0]
        == "The table is short: nobody has sat at a short one less often than those here."
    )


def test_of_tables_changed_by_hand_nothing_is_said_that_only_a_draw_looks_for() -> None:
    given = DrawInput((2,), "x", PLAYERS, played=((("a", "c"),),))
    assert why(given, [("a", "c")], by_hand=True) == (
        ("These have met before: a – c.", "The points here range from 1 to 3.", *FLOATS),
    )


def test_who_opens_too_often_is_told_why() -> None:
    (sentences,) = why(DrawInput((2,), "x", PLAYERS), [("a", "b")])
    assert sentences[0] == "Nobody here has met before."
    assert sentences[-1] == "a opens, so that all seats are shared evenly."


def test_who_sits_out_is_told_whether_it_was_their_turn_and_what_their_points_had_to_do_with_it() -> (
    None
):
    def sentence(player: str, *players: Participant) -> str:
        (words,) = why_out(DrawInput((2,), "x", players, bye=True), (player,))
        return str(words)

    low, high, tired = (
        Participant("low", 1),
        Participant("high", 5),
        Participant("tired", 1, byes=1),
    )
    assert sentence("low", low, high, tired) == (
        "low sits out: nobody had sat out less often, and of these nobody had fewer points."
    )
    assert sentence("high", low, high, tired) == (
        "high sits out: nobody had sat out less often. Somebody had fewer points, but who meets "
        "whom counts more than that."
    )
    assert (
        sentence("tired", low, high, tired)
        == "tired sits out, though somebody had sat out less often."
    )
    assert (
        sentence("low", low, Participant("other", 1), tired)
        == "low sits out: nobody had sat out less often."
    )
    assert sentence("low", low) == "low sits out: nobody had sat out less often."


@given(draw_inputs(), st.sets(st.integers(0, 9), max_size=3))
def test_what_is_said_of_who_sits_out_is_so(given: DrawInput, places: set[int]) -> None:
    """Every sentence, worked out anew from the players alone."""
    out = [player for place, player in enumerate(given.participants) if place in places]
    playing = [player for player in given.participants if player not in out]
    for own, words in zip(
        out, why_out(given, tuple([player.player_id for player in out])), strict=True
    ):
        assert words.startswith(f"{own.player_id} sits out")
        has_rested_more = any(player.byes < own.byes for player in playing)
        assert ("though somebody had sat out less often" in words) == has_rested_more
        scores = [player.score for player in playing if player.byes == own.byes]
        fewer = not has_rested_more and any(score < own.score for score in scores)
        more = not has_rested_more and any(score > own.score for score in scores)
        assert ("Somebody had fewer points" in words) == fewer
        assert ("of these nobody had fewer points" in words) == (more and not fewer)


def opened(player: Participant) -> int:
    return sum(player.seats[:1])


def listed(table: tuple[Participant, ...], pairs: set[frozenset[str]]) -> str:
    """Those of some pairs that sit at a table, in order."""
    ids = sorted(player.player_id for player in table)
    return ", ".join(
        f"{one} – {other}"
        for one, other in combinations(ids, 2)
        if frozenset((one, other)) in pairs
    )


def reasons_of(given: DrawInput, table: tuple[Participant, ...]) -> dict[str, object]:
    """What can be said of a table, worked out anew from the input: what holds, or what fills the
    sentence, by the words that tell it from all others."""
    met = {
        frozenset(pair)
        for tables in given.played
        for ids in tables
        for pair in combinations(ids, 2)
    }
    apart = {frozenset((pair.first, pair.second)) for pair in given.apart}
    if given.labels:
        apart |= {
            frozenset((one.player_id, other.player_id))
            for one, other in combinations(given.participants, 2)
            if one.label == other.label != 0
        }
    scores = [player.score for player in table]
    is_short = len(table) < given.sizes[0]
    had_turn = all(player.short <= other.short for player in table for other in given.participants)
    beside = [[other.score for other in table if other is not player] for player in table]
    ways = {
        (
            player.floats,
            "up" if player.score < min(others) else "down" if player.score > max(others) else "",
        )
        for player, others in zip(table, beside, strict=True)
    }
    return {
        "nobody has sat at a short one less often": is_short and had_turn,
        "although it wasn’t everybody’s turn": is_short and not had_turn,
        "although they should be kept apart: ": listed(table, apart),
        "Nobody here has met before": not listed(table, met),
        "have met before, but no better draw was found: ": listed(table, met),
        "These have met before: ": listed(table, met),
        "have the same points: ": len(set(scores)) == 1 and f"{scores[0]}",
        "points here range from ": len(set(scores)) > 1 and f"{min(scores)} to {max(scores)}",
        "is alone above or below": bool(ways & {("up", "up"), ("down", "down")}),
        "all seats are shared evenly": opened(table[0]) > min(map(opened, table)),
        "nobody here has opened less often": opened(table[0]) == min(map(opened, table)),
    }


DRAWN_ALONE = ("but no better draw was found", "opened less often", "shared evenly")
"""What is said of a table that was drawn, and not of one that somebody seated otherwise."""


@pytest.mark.parametrize("by_hand", [False, True])
@given(draw_inputs(), chances)
def test_what_is_said_of_a_table_is_so(by_hand: bool, given: DrawInput, chance: Random) -> None:
    """Every sentence, none is missing and there is no further one: worked out anew from the input
    alone."""
    table = tuple(
        chance.sample(given.participants, min(len(given.participants), chance.randint(2, 6)))
    )
    if len(table) < 2:
        return
    (sentences,) = why(given, [tuple([player.player_id for player in table])], by_hand=by_hand)
    found = []
    for words, holds in reasons_of(given, table).items():
        sayings = [sentence for sentence in sentences if words in sentence]
        is_of_draw, is_of_hand = (
            any(part in words for part in DRAWN_ALONE),
            words == "These have met before: ",
        )
        found += sayings
        assert len(sayings) == bool(holds and not (is_of_draw if by_hand else is_of_hand)), words
        if sayings and isinstance(holds, str):
            assert sayings[0].endswith(f"{words}{holds}.")
        if sayings and is_of_draw and "opens" in sayings[0]:
            assert sayings[0].startswith(f"{table[0].player_id} opens")
    assert sorted(found) == sorted(sentences)
