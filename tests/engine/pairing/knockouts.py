"""Knock-outs played through by chance, for the tests."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketInput, BracketRound, bracket_round
from engine.pairing.brackets.bracket_plan import Kind
from engine.pairing.draw_input import TableIds


def knockout(
    number: int, size: int = 2, advance: int = 1, kind: Kind = "single", *, third: bool = False
) -> BracketInput:
    """A knock-out of p1, the best seeded, to p`number`."""
    ids = tuple([f"p{seed}" for seed in range(1, number + 1)])
    return BracketInput(size, advance, kind, "evening", ids, third=third)


def drawn(given: BracketInput) -> BracketRound:
    """The next round of a knock-out that is sound."""
    answer = bracket_round(given)
    assert not isinstance(answer, Illegal), answer
    return answer


def after(given: BracketInput, *tables: str) -> BracketInput:
    """The knock-out with one more round, each table as ids in order of finish: `"p1 p4"`."""
    return replace(
        given, finished=(*given.finished, tuple([tuple(table.split()) for table in tables]))
    )


def by_seeding(given: BracketInput) -> BracketInput:
    """The knock-out with one more round, in which the better seeded finish first."""
    answer = drawn(given)
    tables = [
        tuple(sorted(table.ids, key=given.participants.index))
        for table in (*answer.tables, *answer.walkovers)
    ]
    return replace(given, finished=(*given.finished, tuple(tables)))


def by_chance(given: BracketInput, chance: Random) -> BracketInput:
    """The knock-out with one more round, finished in any order."""
    answer = drawn(given)
    tables: list[TableIds] = [
        tuple(chance.sample(table.ids, len(table.ids))) for table in answer.tables
    ]
    tables += [table.ids for table in answer.walkovers]
    return replace(given, finished=(*given.finished, tuple(chance.sample(tables, len(tables)))))


@st.composite
def knockouts(draw: st.DrawFn) -> BracketInput:
    """Any knock-out of up to 20, before its first round."""
    size = draw(st.integers(2, 6))
    number, advance = draw(st.integers(2, 20)), draw(st.integers(1, size - 1))
    return knockout(number, size, advance, draw(st.sampled_from(("single", "double"))))
