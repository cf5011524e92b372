"""What the next draw of a group is made from: the stage's facts as a draw file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from engine.pairing.cost import floats_at
from engine.pairing.draw_file import read_draw
from engine.pairing.draw_input import Apart as ApartInput
from engine.pairing.draw_input import DrawInput, Floating, Participant
from engine.scoring.stage.ranking import draw_scores
from league.entries.models import Apart
from league.events.models import Event
from league.stages.models import Format, Stage
from league.tables.domain.result import group_ranking
from league.tables.domain.stage import StageFacts, StageTable
from league.tables.models import Draw
from league.tables.queries.access import DRAWN


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
