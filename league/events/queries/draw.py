"""What the next draw of a group is made from: the stage's facts as a draw file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import QuerySet

from engine.illegal import Illegal
from engine.pairing.bracket import BracketInput, BracketRound, bracket_round
from engine.pairing.cost import floats_at
from engine.pairing.draw_file import read_draw
from engine.pairing.draw_input import Apart as ApartInput
from engine.pairing.draw_input import DrawInput, Floating, Participant
from engine.scoring.stage.ranking import draw_scores
from engine.scoring.stage.table_points import table_places
from league.events.models import Apart, Draw, Event, Format, Stage
from league.events.queries.access import DRAWN
from league.events.queries.stage import StageDraw, StageFacts, StageTable, group_ranking, stage_rules, table_result


class Pair(NamedTuple):
    """Two entries that should not meet, by their row ids."""

    first: int
    second: int
    must: bool


def pairs_apart(stage: Stage) -> tuple[Pair, ...]:
    """Who of a stage's event should not meet, by one query; none for a knock-out, which can't heed it."""
    if stage.knock_out:
        return ()
    rows = Apart.objects.filter(event=stage.event_id).order_by("pk").values_list("first", "second", "must")
    return tuple(Pair(*row) for row in rows)


DRAWN_BY_POINTS = (Format.SWISS, Format.FINAL)


def draw_input(facts: StageFacts, group: int, apart: Sequence[Pair]) -> DrawInput:
    """The next round of a group that is no knock-out; `apart` are those of the event who should not meet.

    Everybody has 0 points where the format doesn't look at them, so that a round robin and rotating tables are draws
    like all others.
    """
    stage = facts.stage
    tables = facts.group_tables(group)
    scores = draw_scores(group_ranking(facts, group)) if stage.format in DRAWN_BY_POINTS else {}
    byes = Counter(id for _, id in (*facts.byes(group), *facts.walkovers(group)))
    floats = _floats(facts, group)
    playing = [member for member in facts.group_members(group) if member.plays]
    sizes = tuple(stage.sizes) if stage.format != Format.FINAL else (len(playing),)
    return DrawInput(
        sizes=sizes,
        seed=stage.seed,
        participants=tuple(
            Participant(
                id=member.id,
                score=scores.get(member.id, 0),
                byes=byes[member.id],
                short=sum(member.entry in table.entries and len(table.entries) < sizes[0] for table in tables),
                seats=_seats(member.entry, tables),
                floats=floats.get(member.id),
            )
            for member in playing
        ),
        rounds=stage.rounds if stage.rounds and stage.rounds > _rounds(facts) else None,
        played=tuple(
            tuple(facts.ids(table) for table in tables if table.round == number)
            for number in sorted({table.round for table in tables})
        ),
        apart=tuple(
            ApartInput(facts.members[pair.first].id, facts.members[pair.second].id, pair.must)
            for pair in apart
            if {pair.first, pair.second} <= {member.entry for member in playing}
        ),
        bye=stage.sizes[0] == 2,
    )


def bracket_input(facts: StageFacts, group: int) -> BracketInput:
    """A knock-out with the rounds that are finished: those behind the last draw as it was drawn from them, the last one
    as it has ended by now. So the bracket goes on from what was played, though a result of an earlier round may have
    been corrected since (`otherwise` says then what would be others).

    A round that is still being played isn't in it.
    """
    stage = facts.stage
    members = facts.group_members(group)
    given = BracketInput(
        size=stage.sizes[0],
        advance=stage.advance,
        kind="double" if stage.format == Format.DOUBLE else "single",
        seed=stage.seed,
        participants=tuple(member.id for member in members),
        absent=frozenset(member.id for member in members if member.withdrawn),
        third=stage.third,
    )
    last = max((draw for draw in facts.draws if draw.group == group), key=lambda draw: draw.round, default=None)
    if last is None:
        return given
    drawn = replace(given, finished=finished_then(last), absent=absent_then(last))
    here = [table for table in facts.group_tables(group) if table.round == last.round]
    if all(table.finished for table in here):
        drawn = with_round(drawn, tuple(order_of_finish(facts, table) for table in here))
    return replace(drawn, absent=given.absent)


def finished_then(draw: StageDraw) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The rounds of a knock-out that were finished when a round of it was drawn, each with its orders of finish."""
    rounds = json.loads(draw.input).get("finished", ())
    return tuple(tuple(tuple(ids) for ids in tables) for tables in rounds)


def absent_then(draw: StageDraw) -> frozenset[str]:
    """Who had withdrawn when a round of a knock-out was drawn."""
    return frozenset(json.loads(draw.input).get("absent", ()))


def is_over(facts: StageFacts, group: int) -> bool:
    """Whether a knock-out has its winner."""
    _, drawn = next_of_bracket(bracket_input(facts, group))
    return not isinstance(drawn, Illegal) and drawn.over


def next_of_bracket(given: BracketInput) -> tuple[BracketInput, BracketRound | Illegal]:
    """The next round of a knock-out that has a table; rounds of walkovers alone are passed over, and in the input."""
    drawn = bracket_round(given)
    while not isinstance(drawn, Illegal) and not drawn.tables and not drawn.over:
        given = with_round(given, ())
        drawn = bracket_round(given)
    return given, drawn


def with_round(given: BracketInput, played: tuple[tuple[str, ...], ...]) -> BracketInput:
    """The knock-out with one more finished round: its played tables, and the walkovers before and beside them."""
    while True:
        drawn = bracket_round(given)
        if isinstance(drawn, Illegal) or drawn.over:
            return given
        walkovers = tuple(table.ids for table in drawn.walkovers)
        if drawn.tables:
            return replace(given, finished=(*given.finished, (*played, *walkovers)))
        given = replace(given, finished=(*given.finished, walkovers))


def order_of_finish(facts: StageFacts, table: StageTable) -> tuple[str, ...]:
    """The ids of those who played at a finished table, the best first; who shares a place stands in seat order.

    At one that was given without play, those who were there come first, the best seeded of them ahead.
    """
    if table.walkover:
        seeded = sorted(table.entries, key=lambda entry: facts.members[entry].seed)
        return tuple(facts.members[entry].id for entry in sorted(seeded, key=table.walkover.absent.__contains__))
    result = table_result(facts, table)
    places = table_places(stage_rules(facts.stage), result)
    return tuple(id for _, id in sorted(zip(places, result.players, strict=True), key=lambda pair: pair[0]))


def _rounds(facts: StageFacts) -> int:
    return max((table.round for table in facts.tables), default=0)


def _seats(entry: int, tables: list[StageTable]) -> tuple[int, ...]:
    """How often somebody sat in each seat."""
    seats = Counter(table.entries.index(entry) for table in tables if entry in table.entries)
    return tuple(seats[seat] for seat in range(max(seats, default=-1) + 1))


def _floats(facts: StageFacts, group: int) -> dict[str, Floating | None]:
    """What the last round did with everybody, by the scores that it was drawn with."""
    last = max((draw.round for draw in facts.draws if draw.group == group), default=None)
    for draw in facts.draws:
        if draw.group == group and draw.round == last:
            before = read_draw(draw.input)
            if isinstance(before, DrawInput):
                players = {player.id: player for player in before.participants}
                tables = [facts.ids(table) for table in facts.group_tables(group) if table.round == last]
                return {
                    id: what
                    for ids in tables
                    if players.keys() >= set(ids)
                    for id, what in floats_at(ids, players).items()
                }
    return {}


def event_draws(event: Event) -> QuerySet[Draw, str]:
    """The draw files of an event's published rounds in order of play."""
    drawn = Draw.objects.filter(stage_round__stage__event=event, stage_round__status__in=DRAWN, revision=1)
    order = ("stage_round__stage__number", "stage_round__number", "group__number")
    return drawn.order_by(*order).values_list("input", flat=True)
