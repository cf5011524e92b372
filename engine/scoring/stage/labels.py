"""The ranking of a stage's labels, such as clubs or towns, by the points of their best players."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from engine.grouping import lists_by_key
from engine.messages import Message, say
from engine.scoring.natural import natural
from engine.scoring.stage.ranking import StageRow
from engine.scoring.wording import counted, listed, written


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A row of the ranking of labels.

    `best`: the rows of the players whose points add up, the best first; `further`: those of the
    label's other players.
    """

    rank: int
    label: str
    best: tuple[StageRow, ...]
    further: tuple[StageRow, ...]

    @property
    def points(self) -> Fraction:
        """Return the sum of the best players' points."""
        return sum([row.points for row in self.best], Fraction(0))


def label_ranking(rows: Sequence[StageRow], most: int) -> tuple[LabelRow, ...]:
    """Return the labels ranked by the points of the best `most` players of each, the best first.

    `rows`: the ranking of the players.

    Ties are broken by the points of the best player, then the second best, and so on; labels equal
    in all of these share the rank, and are sorted by name. Players without a label don't count.
    """
    by_label = lists_by_key((row.participant.label, row) for row in rows if row.participant.label)
    strengths = {label: _ranking_key(members[:most], most) for label, members in by_label.items()}

    def sort_key(label: str) -> tuple[list[Fraction], str]:
        most_first = [-points for points in strengths[label]]
        return most_first, natural(label)

    ranking: list[LabelRow] = []
    for place, label in enumerate(sorted(by_label, key=sort_key), start=1):
        is_level = ranking and strengths[label] == strengths[ranking[-1].label]
        rank = ranking[-1].rank if is_level else place
        members = by_label[label]
        ranking.append(LabelRow(rank, label, tuple(members[:most]), tuple(members[most:])))
    return tuple(ranking)


def explain_label(row: LabelRow) -> tuple[Message, ...]:
    """Explain the points of a label: the players who count, and those who don't."""
    parts = [
        say("{name} with {points}", name=best.participant.name, points=counted(best.points))
        for best in row.best
    ]
    sentences = [
        say(
            "{label} has {points} and rank {rank}: {best}",
            label=row.label,
            points=counted(row.points),
            rank=row.rank,
            best=listed(parts),
        )
    ]
    if row.further:
        names = listed([further.participant.name for further in row.further])
        sentences.append(
            say(
                "only the best {count} count, so these don’t: {names}",
                count=len(row.best),
                names=names,
            )
        )
    return tuple(sentences)


def between_labels(above: LabelRow, below: LabelRow) -> Message:
    """Explain the order of two neighbours in the ranking of labels, or why they share the rank."""
    names = {"above": above.label, "below": below.label}
    points = counted(below.points)
    if above.points != below.points:
        return say(
            "{above} has {more}, {below} {less}",
            **names,
            more=counted(above.points),
            less=written(below.points),
        )
    pairs = zip_longest(_points(above.best), _points(below.best), fillvalue=Fraction(0))
    for place, (more_points, less_points) in enumerate(pairs, start=1):
        if more_points != less_points:
            return say(
                "{above} and {below} have {points}; "
                "number {place} of {above} has {more}, that of {below} {less}",
                **names,
                points=points,
                place=place,
                more=counted(more_points),
                less=written(less_points),
            )
    return say(
        "{above} and {below} have {points}, from players with the same points",
        **names,
        points=points,
    )


def _points(rows: Sequence[StageRow]) -> list[Fraction]:
    return [row.points for row in rows]


def _ranking_key(rows: Sequence[StageRow], most: int) -> list[Fraction]:
    """Return what a label is ranked by: the sum of the points, then each player's points, with 0
    for each player fewer than `most`."""
    points = _points(rows)
    missing = [Fraction(0)] * (most - len(points))
    return [sum(points, Fraction(0)), *points, *missing]
