"""Why a table is what it is."""

from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.pairing.why import why

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
