"""The next round of a group, drawn from a stage's facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketInput
from engine.pairing.brackets.bracket_file import bracket_input_json, bracket_round_json
from engine.pairing.cost import floats_at
from engine.pairing.designs.designs import chairs
from engine.pairing.draw_file import read_draw, write_answer, write_draw
from engine.pairing.draw_input import Apart as ApartInput
from engine.pairing.draw_input import DrawInput, Floating, Participant, TableIds
from engine.pairing.secret import round_seed
from engine.record.canonical import canonical_json
from engine.scoring.stage.ranking import draw_scores
from league.stages.bracket.domain.knock_out import bracket_input, next_of_bracket
from league.stages.placing.domain.strikes import struck_out
from league.stages.result.domain.result import group_ranking
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import Member, StageDraw, StageFacts, StageTable

KEPT: Final = 32
"""So many of the latest draws a process keeps."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """All that a draw came to: its file, its answer, and the tables as ids of entries, with a label
    each."""

    input_text: str
    answer: str
    tables: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]


def drawn_next(
    facts: StageFacts, group: int, stage_round: StageRound, apart: Sequence[Pair]
) -> Drawn | Illegal:
    """The next round of a group: the same whenever and wherever it is drawn from the same facts."""
    seed = _seed(facts, group, stage_round)
    if facts.stage.knock_out:
        return drawn_from_bracket(bracket_input(facts, group, seed))
    return drawn_from_input(draw_input(facts, group, seed, apart))


def _seed(facts: StageFacts, group: int, stage_round: StageRound) -> str:
    """The seed of a group's draw in a round; that of the stage where it has no secret."""
    stage = facts.stage
    if not stage.secret:
        return stage.seed
    there = [member.entry_id for member in facts.group_members(group) if member.plays]
    return round_seed(stage.secret, stage_round.number, stage_round.edition, there)


@lru_cache(maxsize=KEPT)
def drawn_from_input(draw_input_now: DrawInput) -> Drawn | Illegal:
    """Return what a draw file comes to, always the same. After a correction every page asks again
    what it would be."""
    from engine.pairing.draw import draw  # NumPy and rustworkx: for the job that draws

    answer = draw(draw_input_now)
    if isinstance(answer, Illegal):
        return answer
    return Drawn(
        write_draw(draw_input_now).decode(),
        write_answer(answer).decode(),
        answer.tables,
        ("",) * len(answer.tables),
    )


def drawn_from_bracket(bracket: BracketInput) -> Drawn | Illegal:
    """The next tables of a knock-out."""
    bracket, next_round = next_of_bracket(bracket)
    if isinstance(next_round, Illegal):
        return next_round
    return Drawn(
        canonical_json(bracket_input_json(bracket)).decode(),
        canonical_json(bracket_round_json(next_round)).decode(),
        tuple(table.ids for table in next_round.tables),
        tuple(table.label for table in next_round.tables),
    )


class Pair(NamedTuple):
    """Two entries that should not meet, by their row ids."""

    first: int
    second: int
    must: bool


def draw_input(facts: StageFacts, group: int, seed: str, apart: Sequence[Pair]) -> DrawInput:
    """The next round of a group that is no knock-out; `apart` are those of the event who should not
    meet.

    Everybody has 0 points where the format doesn't look at them, so that a round robin and rotating
    tables are draws like all others."""
    stage = facts.stage
    tables = facts.group_tables(group)
    ranking = group_ranking(facts, group) if stage.format_rules.drawn_by_points else ()
    scores = draw_scores(ranking)
    unknown = {row.participant.player_id: row.unknown for row in ranking}
    byes = Counter(entry_id for _, entry_id in (*facts.byes(group), *facts.walkovers(group)))
    rows = sorted(
        [row for row in facts.draws if row.group == group], key=lambda row: row.round_number
    )
    before = _inputs(rows)
    floats = _floats(facts, group, before[-1], rows[-1].round_number) if before else {}
    out = struck_out(facts, group)
    playing = [row for row in facts.group_members(group) if row.plays and row.entry_id not in out]
    sizes = (len(playing),) if stage.format_rules.one_table else tuple(stage.sizes)
    labels = _labels(playing) if (stage.label_rounds or 0) > _rounds(facts) else {}
    design, chairs_now = _numbers(before, [member.entry_id for member in playing], seed)
    return DrawInput(
        sizes=sizes,
        seed=seed,
        participants=tuple(
            Participant(
                player_id=member.entry_id,
                score=scores.get(member.entry_id, 0),
                byes=byes[member.entry_id],
                short=sum(
                    member.entry in table.entries and len(table.entries) < sizes[0]
                    for table in tables
                ),
                seats=_seats(member.entry, tables),
                floats=floats.get(member.entry_id),
                label=labels.get(member.label.casefold(), 0),
                unknown=unknown.get(member.entry_id, 0),
            )
            for member in playing
        ),
        rounds=stage.rounds if stage.rounds and stage.rounds > _rounds(facts) else None,
        played=tuple(
            tuple(facts.ids(table) for table in tables if table.round_number == number)
            for number in sorted({table.round_number for table in tables})
        ),
        apart=tuple(
            ApartInput(
                facts.members[pair.first].entry_id, facts.members[pair.second].entry_id, pair.must
            )
            for pair in apart
            if {pair.first, pair.second} <= {member.entry for member in playing}
        ),
        bye=stage.sizes[0] == 2,
        design=design,
        chairs=chairs_now,
        labels=("must" if stage.label_must else "wish") if labels else None,
        meetings_first=stage.meetings_first,
    )


def _labels(members: Sequence[Member]) -> dict[str, int]:
    """The numbers of the labels of those who play, from 1 in the order of the alphabet."""
    names = sorted({member.label.casefold() for member in members if member.label})
    return {name: number for number, name in enumerate(names, start=1)}


def _numbers(before: Sequence[DrawInput], ids: list[str], seed: str) -> tuple[str | None, TableIds]:
    """By what everybody keeps the number of a group's first draw in a design: its seed, where that
    is another one; or, once somebody has come or gone, the chairs."""
    if not before:
        return None, ()
    first, last = before[0], before[-1]
    first_ids = {player.player_id for player in first.participants}
    if not last.chairs and first_ids == set(ids):
        return first.seed if first.seed != seed else None, ()
    return None, chairs(last.chairs or chairs((), first_ids, first.seed), ids, seed)


def _inputs(rows: Sequence[StageDraw]) -> list[DrawInput]:
    """The inputs of the first and the last of a group's draws, once where there is one."""
    inputs = [read_draw(row.input_text) for row in (rows if len(rows) < 2 else (rows[0], rows[-1]))]
    return [row_input for row_input in inputs if isinstance(row_input, DrawInput)]


def _rounds(facts: StageFacts) -> int:
    return max((table.round_number for table in facts.tables), default=0)


def _seats(entry: int, tables: list[StageTable]) -> tuple[int, ...]:
    """Tell how often somebody sat in each seat."""
    seats = Counter(table.entries.index(entry) for table in tables if entry in table.entries)
    return tuple(seats[seat] for seat in range(max(seats, default=-1) + 1))


def _floats(
    facts: StageFacts, group: int, before: DrawInput, number: int
) -> dict[str, Floating | None]:
    """Return what the last round, of that number, did with everybody, by the scores that it was
    drawn with."""
    players = {player.player_id: player for player in before.participants}
    tables = [
        facts.ids(table) for table in facts.group_tables(group) if table.round_number == number
    ]
    return {
        entry_id: what
        for ids in tables
        if players.keys() >= set(ids)
        for entry_id, what in floats_at(ids, players).items()
    }
