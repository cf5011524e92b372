"""Stages as their public pages show them: rankings with reasons, and rounds."""

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


class ShownPoints:
    """The points of a row as they are shown."""

    __slots__ = ()
    row: StageRow | LabelRow

    @property
    def points(self) -> str:
        """The points, exact: `12`, `9 1/3`."""
        return written(self.row.points)

    @property
    def amount(self) -> float:
        """The points as a table shows them, to be rounded to `decimals`."""
        return float(self.row.points)

    @property
    def decimals(self) -> int:
        """So many decimals are told of the points: none where they are whole."""
        return 0 if self.row.points.denominator == 1 else 2


def points_tonight(score: int) -> str:
    """Say the points of a score, which is in 840ths, as points of the event."""
    points = Fraction(score, PARTS)
    decimals = 0 if points.denominator == 1 else 2
    words = ngettext(
        "%(points)s point tonight", "%(points)s points tonight", 1 if points == 1 else 2
    )
    return words % {"points": figure(float(points), decimals)}


@dataclass(frozen=True, slots=True)
class ShownRow(ShownPoints):
    """A row of a stage's ranking. Its sentences are made where they are read, as a page shows a
    part of a large stage.

    `way`: how the member came to the place in a bracket or a ladder; `behind`: why the row stands
    behind the one above. `still_in`: nobody can tell the place yet, as a knock-out goes on and the
    member is in it. `wins`: the games won, shared wins included. `level`: what separates the row
    from the one above that has as many points, in short. `provisional`: the result of a game that
    the member played is disputed, here or in an earlier stage from which the member comes."""

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
        """The row at a place of a bracket or a ladder, which decides there who is ahead of whom."""
        return replace(
            self, row=replace(self.row, rank=place), behind=behind, way=way, still_in=still_in
        )

    @property
    def rank(self) -> int:
        """The rank, which several may share."""
        return self.row.rank

    @property
    def penalty(self) -> str:
        """The points that penalties take off: `2`, and `0` where there is none."""
        return written(self.row.penalty)

    @property
    def figures(self) -> tuple[str, ...]:
        """The figures of the tie-breaks, in their order."""
        return tuple(
            TIE_BREAKS[name].figure_text(figure) for name, figure in self.row.figures.items()
        )

    @property
    def why(self) -> tuple[Message, ...]:
        """Tell how the place was come to, and what the points are."""
        sentences = explain_row(self.row)
        if self.still_in:  # no rank yet
            sentences = sentences[1:]
        return (*([self.way()] if self.way else []), *sentences)

    @property
    def above(self) -> Message | None:
        """Tell why the row stands behind the one above it; None for the first."""
        return self.behind() if self.behind else None


class ShownGroup(NamedTuple):
    """The ranking of a group; `tie_breaks` are the heads of the figures. `by_points`: points tell
    who is ahead, and not the place in a bracket or a ladder. `lacking`: the number of its tables
    that are over but bring no points so far. `begun`: there is a rank to tell, as a game is over,
    points were carried over, or nobody needs points for it."""

    number: int
    name: str
    tie_breaks: tuple[Message, ...]
    rows: tuple[ShownRow, ...]
    by_points: bool = True
    lacking: int = 0
    begun: bool = True


def shown_groups(facts: StageFacts) -> list[ShownGroup]:
    """The rankings of all groups of a stage; those of a knock-out or a ladder are in the order of
    its places."""
    heads = tuple(TIE_BREAKS[StageTieBreak(name)].label for name in facts.stage.tie_breaks)
    by_points = not facts.stage.by_place
    lacking = Counter(table.group for table in without_points(facts))
    provisional = facts.provisional_entries
    return [
        ShownGroup(
            group.number,
            group.name,
            heads,
            tuple(_rows(facts, group.pk, provisional)),
            by_points,
            lacking[group.pk],
            not by_points or _has_begun(facts, group.pk),
        )
        for group in facts.groups
    ]


def _has_begun(facts: StageFacts, group: int) -> bool:
    is_played = any(
        game.ranks is not None for table in facts.group_tables(group) for game in table.games
    )
    return is_played or any(member.carried for member in facts.group_members(group))


def _wins(facts: StageFacts, group: int) -> Counter[int]:
    """Count the games that each entry of a group has won, shared wins included."""
    return Counter(
        entry
        for table in facts.group_tables(group)
        for game in regular_games(facts.stage, table.games)
        for entry, rank in zip(game.entries, game.ranks or (), strict=True)
        if rank == 1
    )


def _rows(facts: StageFacts, group: int, provisional: Collection[int]) -> Iterator[ShownRow]:
    members = {member.entry_id: member for member in facts.members.values()}
    wins = _wins(facts, group)
    rows = []
    for row in group_ranking(facts, group):
        member = members[row.participant.player_id]
        rows.append(
            ShownRow(
                row, member, None, wins=wins[member.entry], provisional=member.entry in provisional
            )
        )
    if facts.stage.format_rules.ladder:
        return _ladder_rows(ladder_of(facts, group), rows)
    if facts.stage.format_rules.strikes:
        rows = _struck_rows(rows)
    places, over = knocked_out(facts, group) if facts.stage.knock_out else ((), False)
    return _bracket_rows(facts, places, rows, over=over) if places else _rows_by_points(rows)


def _struck_rows(rows: Sequence[ShownRow]) -> list[ShownRow]:
    """Rows with the strikes of each; who isn't out while others play has no place yet."""
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
    facts: StageFacts, places: Sequence[BracketPlace], rows: Sequence[ShownRow], *, over: bool
) -> Iterator[ShownRow]:
    by_id = {row.member.entry_id: row for row in rows}
    names = {row.member.entry_id: row.member.name for row in rows}
    tables = numbers_of(facts)
    for above, place in zip([None, *places], places, strict=False):
        behind = partial(_between, above, place, names, tables) if above else None
        way = partial(_way, place, names, tables, over=over)
        yield by_id[place.player_id].at(
            place.place, behind, way, still_in=place.out is None and not over
        )


def _between(
    above: BracketPlace,
    below: BracketPlace,
    names: Mapping[str, str],
    tables: Mapping[str, Message],
) -> Message:
    return numbered(between_places(above, below, names), tables)


def _way(
    place: BracketPlace, names: Mapping[str, str], tables: Mapping[str, Message], *, over: bool
) -> Message:
    return numbered(explain_place(place, names, over=over), tables)


def _ladder_rows(order_of_ladder: Ladder, rows: Sequence[ShownRow]) -> Iterator[ShownRow]:
    """Those on the ladder, and behind them those who have withdrawn."""
    by_id = {row.member.entry_id: row for row in rows}
    names = {row.member.entry_id: row.member.name for row in rows}
    for place, (above, rung) in enumerate(
        zip([None, *order_of_ladder.order], order_of_ladder.order, strict=False), 1
    ):
        behind = (
            partial(between_rungs, above, rung, order_of_ladder.moves, names) if above else None
        )
        yield by_id[rung].at(
            place, behind, partial(explain_rung, rung, place, order_of_ladder.moves, names)
        )
    for row in rows:
        if row.member.entry_id not in order_of_ladder.order:
            yield row.at(len(order_of_ladder.order) + 1, None, None)


@dataclass(frozen=True, slots=True)
class ShownLabel(ShownPoints):
    """A row of the ranking of clubs and towns, and the one before it; None for the first.
    `provisional`: so is the row of a player whose points it adds up."""

    row: LabelRow
    before: LabelRow | None
    provisional: bool

    @property
    def why(self) -> tuple[Message, ...]:
        """Tell whose points these are."""
        return explain_label(self.row)

    @property
    def above(self) -> Message | None:
        """Tell why the row stands behind the one above it; None for the first."""
        return between_labels(self.before, self.row) if self.before else None


def shown_labels(facts: StageFacts, groups: Sequence[ShownGroup]) -> list[ShownLabel]:
    """The ranking of the clubs and towns of a stage that has one, from its rankings."""
    if not facts.stage.label_best:
        return []
    players = [row for group in groups for row in group.rows]
    provisional = {row.member.entry_id for row in players if row.provisional}
    rows = label_ranking([row.row for row in players], facts.stage.label_best)
    return [
        ShownLabel(row, before, any(best.participant.player_id in provisional for best in row.best))
        for before, row in zip([None, *rows], rows, strict=False)
    ]
