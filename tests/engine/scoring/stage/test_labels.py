"""Clubs and towns are ranked by their best players, with the reason for every row."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.scoring.stage.labels import LabelRow, between_labels, explain_label, label_ranking
from engine.scoring.stage.ranking import StageRow, stage_ranking
from engine.scoring.stage.results import StageResults
from engine.scoring.wording import counted, written
from tests.engine.scoring.stage.build import rules, stage, stages


def rows_of(**points: str) -> tuple[StageRow, ...]:
    """Rows of players with so many points, named by label: `ulm="9 4 1"`."""
    carried = {
        f"{label}{number}": int(text)
        for label, words in points.items()
        for number, text in enumerate(words.split())
    }
    made = stage(rules(), byes=(), **carried)
    labelled = [
        replace(person, label=person.player_id.rstrip("0123456789")) for person in made.participants
    ]
    return stage_ranking(replace(made, participants=tuple(labelled)))


def ranking(most: int, **points: str) -> list[LabelRow]:
    return list(label_ranking(rows_of(**points), most))


def test_the_best_of_each_add_up() -> None:
    rows = ranking(2, ulm="9 4 1", bonn="7 7", kiel="8")
    assert [(row.rank, row.label, int(row.points)) for row in rows] == [
        (1, "bonn", 14),
        (2, "ulm", 13),
        (3, "kiel", 8),
    ]
    assert [str(words) for words in explain_label(rows[1])] == [
        "ulm has 13 points and rank 2: ULM0 with 9 points and ULM1 with 4 points",
        "only the best 2 count, so these don’t: ULM2",
    ]
    assert str(between_labels(rows[0], rows[1])) == "bonn has 14 points, ulm 13"
    assert len(explain_label(rows[2])) == 1, "all of them count"


def test_who_is_level_stands_by_the_best_player_and_then_by_the_next() -> None:
    first, second, third = ranking(3, ulm="6 3 3", bonn="7 3 2", kiel="6 4 2")
    assert [first.label, second.label, third.label] == ["bonn", "kiel", "ulm"]
    assert [first.rank, second.rank, third.rank] == [1, 2, 3]
    assert str(between_labels(first, second)) == (
        "bonn and kiel have 12 points; number 1 of bonn has 7 points, that of kiel 6"
    )
    assert str(between_labels(second, third)) == (
        "kiel and ulm have 12 points; number 2 of kiel has 4 points, that of ulm 3"
    )


def test_who_is_level_in_all_of_them_shares_the_rank_and_who_has_nobody_more_has_nothing_more() -> (
    None
):
    rows = ranking(3, ulm="6 3", bonn="6 3 0", kiel="1", aachen="0")
    assert [(row.rank, row.label) for row in rows] == [
        (1, "bonn"),
        (1, "ulm"),
        (3, "kiel"),
        (4, "aachen"),
    ]
    assert (
        str(between_labels(rows[0], rows[1]))
        == "bonn and ulm have 9 points, from players with the same points"
    )


def test_who_has_no_label_counts_for_nobody() -> None:
    rows = rows_of(ulm="3")
    assert (
        label_ranking([replace(rows[0], participant=replace(rows[0].participant, label=""))], 2)
        == ()
    )


@given(stages(), st.integers(1, 4))
def test_every_order_has_a_reason_and_the_sums_are_those_of_the_players(
    results: StageResults, most: int
) -> None:
    people = [
        replace(person, label="abc"[number % 3])
        for number, person in enumerate(results.participants)
    ]
    rows = stage_ranking(replace(results, participants=tuple(people)))
    made = label_ranking(rows, most)
    assert sum((row.points for row in made), Fraction(0)) <= sum(
        (row.points for row in rows), Fraction(0)
    )
    for row in made:
        assert len(row.best) <= most
        assert row.points == sum((best.points for best in row.best), Fraction(0))
        assert all(further.points <= row.best[-1].points for further in row.further)
    for above, below in pairwise(made):
        assert above.points >= below.points
        words = between_labels(above, below)
        assert (above.rank == below.rank) == ("from players with the same points" in words)
        more, less = (
            [*[best.points for best in row.best], *[Fraction(0)] * most] for row in (above, below)
        )
        if "place" in words.values:
            place = int(str(words.values["place"])) - 1
            assert (above.points, more[:place]) == (below.points, less[:place])
            assert more[place] > less[place]
            assert (words.values["more"], words.values["less"]) == (
                counted(more[place]),
                written(less[place]),
            )
        elif above.rank != below.rank:
            assert sum(more) > sum(less)
            assert (words.values["more"], words.values["less"]) == (
                counted(above.points),
                written(below.points),
            )
