"""Rankings of a stage, with reasons, as its public pages show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Self, TypeAlias

from django.utils.translation import ngettext

from engine.messages import Message
from engine.pairing.brackets.bracket import BracketPlace
from engine.pairing.brackets.bracket_reasons import between_places, explain_place, numbered
from engine.scoring.ladder import Ladder, between_rungs, explain_rung
from engine.scoring.stage.labels import LabelRow, between_labels, explain_label, label_ranking
from engine.scoring.stage.ranking import StageRow
from engine.scoring.stage.reasons import between, explain_row, level_with
from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.results import PARTS
from engine.scoring.stage.rules import StageTieBreak
from engine.scoring.wording import written
from league.stages.placing.domain.place import knocked_out, ladder_of
from league.stages.placing.domain.strikes import MOST, strike_words, strikes_of
from league.stages.result.domain.result import group_ranking, regular_games, without_points
from league.stages.round.domain.reason import numbers_of
from league.stages.stage.domain.facts import Member, StageFacts
from league.templatetags.figures import figure

Reason: TypeAlias = Callable[[], Message]
"""A sentence that is made only when it is read."""


class ShownPoints:
    """The points of a row, in the forms in which pages show them."""

    __slots__ = ()
    row: StageRow | LabelRow

    @property
    def points(self) -> str:
        """Return the exact points: `12`, `9 1/3`."""
        return written(self.row.points)

    @property
    def amount(self) -> float:
        """Return the points as a number, to be rounded to `decimals`."""
        return float(self.row.points)

    @property
    def decimals(self) -> int:
        """Return the number of decimals to show: none for whole points."""
        return _decimals(self.row.points)


def _decimals(points: Fraction) -> int:
    return 0 if points.denominator == 1 else 2


def points_tonight(score: int) -> str:
    """Return a score, in 840ths, as points of the event in words: “12 points tonight”."""
    points = Fraction(score, PARTS)
    plural = 1 if points == 1 else 2
    words = ngettext("%(points)s point tonight", "%(points)s points tonight", plural)
    return words % {"points": figure(float(points), _decimals(points))}


@dataclass(frozen=True, slots=True)
class ShownRow(ShownPoints):
    """A row of a stage's ranking. Its sentences are made when they are read, because a page shows
    only a part of a large stage.

    `way`: how the member came to the place in a bracket or a ladder; `behind`: why the row stands
    behind the one above. `still_in`: the place is open, because the member is still in the
    knock-out. `wins`: the games won, shared wins included. `level`: what separates the row from the
    one above with as many points, in short. `provisional`: the result of one of the member's games,
    here or in an earlier stage, is disputed.
    """

    row: StageRow
    member: Member
    behind: Reason | None
    way: Reason | None = None
    still_in: bool = False
    wins: int = 0
    level: Message | None = None
    provisional: bool = False

    def at(
        self, place: int, behind: Reason | None, way: Reason | None, *, still_in: bool = False
    ) -> Self:
        """Return the row at a place of a bracket or a ladder, which decides the order there."""
        return replace(
            self, row=replace(self.row, rank=place), behind=behind, way=way, still_in=still_in
        )

    @property
    def rank(self) -> int:
        """Return the rank, which several may share."""
        return self.row.rank

    @property
    def penalty(self) -> str:
        """Return the points that penalties take off: `2`, or `0` without any."""
        return written(self.row.penalty)

    @property
    def figures(self) -> tuple[str, ...]:
        """Return the values of the tie-breaks, in their order."""
        return tuple(
            TIE_BREAKS[name].figure_text(figure) for name, figure in self.row.figures.items()
        )

    @property
    def why(self) -> tuple[Message, ...]:
        """Return sentences on how the place was reached, and on the points."""
        sentences = explain_row(self.row)
        if self.still_in:
            sentences = sentences[1:]  # the first one is about the rank
        if self.way:
            return (self.way(), *sentences)
        return tuple(sentences)

    @property
    def above(self) -> Message | None:
        """Return why the row stands behind the one above it; None for the first."""
        if self.behind is None:
            return None
        return self.behind()


class ShownGroup(NamedTuple):
    """The ranking of a group; `tie_breaks` are the heads of its columns. `by_points`: points decide
    the order, not a bracket or a ladder. `lacking`: the number of finished tables that lack points.
    `begun`: there are ranks to show, because a game is over, points were carried over, or the
    format ranks by place."""

    number: int
    name: str
    tie_breaks: tuple[Message, ...]
    rows: tuple[ShownRow, ...]
    by_points: bool = True
    lacking: int = 0
    begun: bool = True


def shown_groups(facts: StageFacts) -> list[ShownGroup]:
    """Return the rankings of all groups of a stage; for a knock-out or a ladder, in the order of
    its places."""
    heads = tuple(TIE_BREAKS[StageTieBreak(name)].label for name in facts.stage.tie_breaks)
    by_points = not facts.stage.by_place
    lacking = Counter(table.group for table in without_points(facts))
    provisional = facts.provisional_entries
    return [
        ShownGroup(
            number=group.number,
            name=group.name,
            tie_breaks=heads,
            rows=tuple(_ranking_rows(facts, group.pk, provisional)),
            by_points=by_points,
            lacking=lacking[group.pk],
            begun=not by_points or _has_begun(facts, group.pk),
        )
        for group in facts.groups
    ]


def _has_begun(facts: StageFacts, group: int) -> bool:
    if any(member.carried for member in facts.group_members(group)):
        return True
    games = [game for table in facts.group_tables(group) for game in table.games]
    return any(game.ranks is not None for game in games)


def _wins_by_entry(facts: StageFacts, group: int) -> Counter[int]:
    wins: Counter[int] = Counter()
    for table in facts.group_tables(group):
        for game in regular_games(facts.stage, table.games):
            ranks = zip(game.entries, game.ranks or (), strict=True)
            wins.update(entry for entry, rank in ranks if rank == 1)
    return wins


def _ranking_rows(
    facts: StageFacts, group: int, provisional: Collection[int]
) -> Iterator[ShownRow]:
    """Yield the rows of a group, the best first: in the order of a ladder or a bracket, or else by
    points."""
    members = {member.entry_id: member for member in facts.members.values()}
    wins = _wins_by_entry(facts, group)
    rows = []
    for row in group_ranking(facts, group):
        member = members[row.participant.player_id]
        rows.append(
            ShownRow(
                row,
                member,
                behind=None,
                wins=wins[member.entry],
                provisional=member.entry in provisional,
            )
        )

    if facts.stage.format_rules.ladder:
        return _ladder_rows(ladder_of(facts, group), rows)
    if facts.stage.format_rules.strikes:
        rows = _with_strikes(rows)
    if facts.stage.knock_out:
        places, is_over = knocked_out(facts, group)
        if places:
            return _bracket_rows(facts, places, rows, is_over=is_over)
    return _rows_by_points(rows)


def _with_strikes(rows: Sequence[ShownRow]) -> list[ShownRow]:
    survivors = {
        row.member.entry for row in rows if not row.member.withdrawn and strikes_of(row.row) < MOST
    }
    return [
        replace(
            row,
            way=partial(strike_words, row.row),
            still_in=row.member.entry in survivors and len(survivors) > 1,
        )
        for row in rows
    ]


def _rows_by_points(rows: Sequence[ShownRow]) -> Iterator[ShownRow]:
    yield from rows[:1]
    for above, below in pairwise(rows):
        yield replace(
            below,
            behind=partial(between, above.row, below.row),
            level=level_with(above.row, below.row),
        )


def _bracket_rows(
    facts: StageFacts, places: Sequence[BracketPlace], rows: Sequence[ShownRow], *, is_over: bool
) -> Iterator[ShownRow]:
    """Yield the rows in the order of the bracket's places, each with two sentences, which are made
    when they are read: why it stands below the row above, and its way through the bracket."""
    rows_by_id = {row.member.entry_id: row for row in rows}
    names = {row.member.entry_id: row.member.name for row in rows}
    tables = numbers_of(facts)
    # Each place with the one above it; the first has none.
    for above, place in zip([None, *places], places, strict=False):
        behind = partial(_bracket_behind, above, place, names, tables) if above else None
        way = partial(_bracket_way, place, names, tables, over=is_over)
        yield rows_by_id[place.player_id].at(
            place.place, behind, way, still_in=place.out is None and not is_over
        )


def _bracket_behind(
    above: BracketPlace,
    below: BracketPlace,
    names: Mapping[str, str],
    tables: Mapping[str, Message],
) -> Message:
    return numbered(between_places(above, below, names), tables)


def _bracket_way(
    place: BracketPlace, names: Mapping[str, str], tables: Mapping[str, Message], *, over: bool
) -> Message:
    return numbered(explain_place(place, names, over=over), tables)


def _ladder_rows(order_of_ladder: Ladder, rows: Sequence[ShownRow]) -> Iterator[ShownRow]:
    rows_by_id = {row.member.entry_id: row for row in rows}
    names = {row.member.entry_id: row.member.name for row in rows}
    order = order_of_ladder.order
    moves = order_of_ladder.moves
    # Each entry with the one above it; the first has none.
    pairs = zip([None, *order], order, strict=False)
    for place, (id_above, entry_id) in enumerate(pairs, start=1):
        behind = partial(between_rungs, id_above, entry_id, moves, names) if id_above else None
        way = partial(explain_rung, entry_id, place, moves, names)
        yield rows_by_id[entry_id].at(place, behind, way)
    for row in rows:
        if row.member.entry_id not in order:  # withdrawn
            yield row.at(len(order) + 1, behind=None, way=None)


@dataclass(frozen=True, slots=True)
class ShownLabel(ShownPoints):
    """A row of the ranking of clubs and towns, and the one before it; None for the first.
    `provisional`: a player whose points it adds up has a disputed result."""

    row: LabelRow
    before: LabelRow | None
    provisional: bool

    @property
    def why(self) -> tuple[Message, ...]:
        """Return sentences on whose points are added up."""
        return explain_label(self.row)

    @property
    def above(self) -> Message | None:
        """Return why the row stands behind the one above it; None for the first."""
        if self.before is None:
            return None
        return between_labels(self.before, self.row)


def shown_labels(facts: StageFacts, groups: Sequence[ShownGroup]) -> list[ShownLabel]:
    """Return the ranking of the clubs and towns of a stage, made from the rankings of its `groups`;
    empty if the stage doesn't rank them."""
    if not facts.stage.label_best:
        return []
    players = [row for group in groups for row in group.rows]
    provisional = {row.member.entry_id for row in players if row.provisional}
    rows = label_ranking([row.row for row in players], facts.stage.label_best)
    labels = []
    before: LabelRow | None = None
    for row in rows:
        ids = {best.participant.player_id for best in row.best}
        labels.append(ShownLabel(row, before, provisional=not ids.isdisjoint(provisional)))
        before = row
    return labels
