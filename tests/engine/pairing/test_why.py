"""Why a table is what it is."""

from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.pairing.why import why, why_out
from tests.engine.pairing.tournaments import draw_inputs

PLAYERS = (Participant("a", 3, seats=(1,), floats="down"), Participant("b", 1, short=1), Participant("c", 1))


def test_a_table_says_who_has_met_and_how_far_the_points_lie_apart() -> None:
    given = DrawInput((3,), "x", PLAYERS, played=((("a", "c"),),))
    assert why(given, [("b", "a", "c")]) == (
        (
            "These have met before, as no better draw was found: a – c.",
            "The points here lie between 1 and 3.",
            "As in the last round, somebody here stands alone above or below all others at the table.",
            "b opens: nobody here has opened less often.",
        ),
    )


def test_a_short_table_says_whether_it_was_the_turn_of_those_there() -> None:
    given = DrawInput((3, 2), "x", PLAYERS, apart=(Apart("c", "b"),))
    (sentences,) = why(given, [("b", "c")])
    assert sentences[:2] == (
        "The table is short, and not for everybody here was it the turn to sit at one.",
        "These sit together though they were to be apart: b – c.",
    )
    (sentences,) = why(given, [("a", "c")])
    assert sentences[0] == "The table is short: nobody has sat at a short one less often than those here."


def test_who_opens_too_often_is_told_why() -> None:
    (sentences,) = why(DrawInput((2,), "x", PLAYERS), [("a", "b")])
    assert sentences[0] == "Nobody here has met before."
    assert sentences[-1] == "a opens, so that all seats are shared out evenly."


def test_who_sits_out_is_told_whether_it_was_their_turn_and_what_their_points_had_to_do_with_it() -> None:
    def sentence(player: str, *players: Participant) -> str:
        (words,) = why_out(DrawInput((2,), "x", players, bye=True), (player,))
        return str(words)

    low, high, tired = Participant("low", 1), Participant("high", 5), Participant("tired", 1, byes=1)
    assert sentence("low", low, high, tired) == (
        "low sits out: nobody had sat out less often, and of these nobody had fewer points."
    )
    assert sentence("high", low, high, tired) == (
        "high sits out: nobody had sat out less often. Somebody had fewer points, but who meets whom counts more than "
        "that."
    )
    assert sentence("tired", low, high, tired) == "tired sits out, though somebody had sat out less often."
    assert sentence("low", low, Participant("other", 1), tired) == "low sits out: nobody had sat out less often."
    assert sentence("low", low) == "low sits out: nobody had sat out less often."


@given(draw_inputs(), st.sets(st.integers(0, 9), max_size=3))
def test_what_is_said_of_who_sits_out_is_so(given: DrawInput, places: set[int]) -> None:
    """Every sentence, worked out anew from the players alone."""
    out = [player for place, player in enumerate(given.participants) if place in places]
    playing = [player for player in given.participants if player not in out]
    for own, words in zip(out, why_out(given, tuple([player.player_id for player in out])), strict=True):
        assert words.startswith(f"{own.player_id} sits out")
        has_rested_more = any(player.byes < own.byes for player in playing)
        assert ("though somebody had sat out less often" in words) == has_rested_more
        scores = [player.score for player in playing if player.byes == own.byes]
        fewer = not has_rested_more and any(score < own.score for score in scores)
        more = not has_rested_more and any(score > own.score for score in scores)
        assert ("Somebody had fewer points" in words) == fewer
        assert ("of these nobody had fewer points" in words) == (more and not fewer)
