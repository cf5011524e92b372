"""The draw of a group's next round, from a stage's facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

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
from engine.scoring.stage.ranking import StageRow, draw_scores
from league.stages.bracket.domain.knock_out import bracket_input, next_of_bracket
from league.stages.placing.domain.strikes import struck_out
from league.stages.result.domain.result import group_ranking
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import Member, StageDraw, StageFacts, StageTable

CACHED_DRAWS: Final = 32
"""The number of draws that a process caches."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw: its file, its answer, and the tables as ids of entries, with a label each."""

    input_text: str
    answer: str
    tables: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]


def drawn_next(
    facts: StageFacts, group: int, stage_round: StageRound, apart: Sequence[Pair]
) -> Drawn | Illegal:
    """Return the draw of a group's next round; the same facts give the same draw. `apart` are the
    pairs of the event that should not meet."""
    seed = _draw_seed(facts, group, stage_round)
    if facts.stage.knock_out:
        return drawn_from_bracket(bracket_input(facts, group, seed))
    return drawn_from_input(draw_input(facts, group, seed, apart))


def _draw_seed(facts: StageFacts, group: int, stage_round: StageRound) -> str:
    stage = facts.stage
    if not stage.secret:  # started before stages had secrets
        return stage.seed
    present = [member.entry_id for member in facts.group_members(group) if member.plays]
    return round_seed(stage.secret, stage_round.number, stage_round.edition, present)


@lru_cache(maxsize=CACHED_DRAWS)
def drawn_from_input(drawn_input: DrawInput) -> Drawn | Illegal:
    """Return the draw made from an input. It is cached, because after a correction every page
    compares the stored draw with the one that would be made now."""
    # It imports NumPy and rustworkx, so only processes that draw do it.
    from engine.pairing.draw import draw

    answer = draw(drawn_input)
    if isinstance(answer, Illegal):
        return answer
    return Drawn(
        input_text=write_draw(drawn_input).decode(),
        answer=write_answer(answer).decode(),
        tables=answer.tables,
        labels=("",) * len(answer.tables),
    )


def drawn_from_bracket(bracket: BracketInput) -> Drawn | Illegal:
    """Return the draw of a knock-out's next tables."""
    bracket, next_round = next_of_bracket(bracket)
    if isinstance(next_round, Illegal):
        return next_round
    return Drawn(
        input_text=canonical_json(bracket_input_json(bracket)).decode(),
        answer=canonical_json(bracket_round_json(next_round)).decode(),
        tables=tuple(table.ids for table in next_round.tables),
        labels=tuple(table.label for table in next_round.tables),
    )


class Pair(NamedTuple):
    """Two entries, by their row ids, that should not meet; `must`: never, even if others have to
    meet again for it."""

    first: int
    second: int
    must: bool


def draw_input(facts: StageFacts, group: int, seed: str, apart: Sequence[Pair]) -> DrawInput:
    """Return the input of the draw of a group's next round, in any format but a knock-out. `apart`
    are the pairs of the event that should not meet.

    In formats that aren't drawn by points everybody has 0 points, so that draws of a round robin
    and of rotating tables are made in the same way.
    """
    stage = facts.stage
    draws = [draw for draw in facts.draws if draw.group == group]
    draws.sort(key=lambda draw: draw.round_number)
    earlier_inputs = _first_and_last_input(draws)
    struck_out_ids = struck_out(facts, group)
    playing = [
        member
        for member in facts.group_members(group)
        if member.plays and member.entry_id not in struck_out_ids
    ]
    sizes = (len(playing),) if stage.format_rules.one_table else tuple(stage.sizes)

    rounds_drawn = _rounds_drawn(facts)
    separates_labels = (stage.label_rounds or 0) > rounds_drawn
    labels = _label_numbers(playing) if separates_labels else {}
    label_rule: Literal["must", "wish"] = "must" if stage.label_must else "wish"
    has_rounds_left = stage.rounds is not None and stage.rounds > rounds_drawn
    design, table_ids = _numbering(earlier_inputs, [member.entry_id for member in playing], seed)
    floats: Mapping[str, Floating | None] = {}
    if earlier_inputs:
        floats = _floats_of_last_round(facts, group, earlier_inputs[-1], draws[-1].round_number)
    return DrawInput(
        sizes=sizes,
        seed=seed,
        participants=_participants(facts, group, playing, sizes[0], labels, floats),
        rounds=stage.rounds if has_rounds_left else None,
        played=_tables_by_round(facts, group),
        apart=_apart_input(facts, playing, apart),
        bye=stage.sizes[0] == 2,
        design=design,
        chairs=table_ids,
        labels=label_rule if labels else None,
        meetings_first=stage.meetings_first,
    )


def _tables_by_round(facts: StageFacts, group: int) -> tuple[tuple[tuple[str, ...], ...], ...]:
    rounds: dict[int, list[tuple[str, ...]]] = {}
    for table in facts.group_tables(group):
        rounds.setdefault(table.round_number, []).append(facts.ids(table))
    return tuple(tuple(rounds[number]) for number in sorted(rounds))


def _participants(
    facts: StageFacts,
    group: int,
    playing: Sequence[Member],
    full_size: int,
    labels: Mapping[str, int],
    floats: Mapping[str, Floating | None],
) -> tuple[Participant, ...]:
    tables = facts.group_tables(group)
    ranking: tuple[StageRow, ...] = ()
    if facts.stage.format_rules.drawn_by_points:
        ranking = group_ranking(facts, group)
    scores = draw_scores(ranking)
    unknown = {row.participant.player_id: row.unknown for row in ranking}
    byes = Counter(entry_id for _, entry_id in (*facts.byes(group), *facts.walkovers(group)))
    participants = []
    for member in playing:
        own_tables = [table for table in tables if member.entry in table.entries]
        participants.append(
            Participant(
                player_id=member.entry_id,
                score=scores.get(member.entry_id, 0),
                byes=byes[member.entry_id],
                short=sum(len(table.entries) < full_size for table in own_tables),
                seats=_seat_counts(member.entry, own_tables),
                floats=floats.get(member.entry_id),
                label=labels.get(member.label.casefold(), 0),
                unknown=unknown.get(member.entry_id, 0),
            )
        )
    return tuple(participants)


def _apart_input(
    facts: StageFacts, playing: Sequence[Member], apart: Sequence[Pair]
) -> tuple[ApartInput, ...]:
    entries = {member.entry for member in playing}
    inputs = []
    for pair in apart:
        if pair.first in entries and pair.second in entries:
            first = facts.members[pair.first]
            second = facts.members[pair.second]
            inputs.append(ApartInput(first.entry_id, second.entry_id, pair.must))
    return tuple(inputs)


def _label_numbers(members: Sequence[Member]) -> dict[str, int]:
    names = sorted({member.label.casefold() for member in members if member.label})
    return {name: number for number, name in enumerate(names, start=1)}


def _numbering(
    earlier_inputs: Sequence[DrawInput], playing_ids: list[str], seed: str
) -> tuple[str | None, TableIds]:
    """Return the seed and the chairs with which the players keep the numbers that they got in the
    design of the group's first draw.

    As long as the players are the same, there are no chairs, and the seed is that of the first draw
    (None if it is `seed`). Once players have joined or left, the chairs say who has which number.
    """
    if not earlier_inputs:
        return None, ()
    first = earlier_inputs[0]
    last = earlier_inputs[-1]
    first_ids = {player.player_id for player in first.participants}
    if not last.chairs and first_ids == set(playing_ids):
        return first.seed if first.seed != seed else None, ()
    chairs_before = last.chairs or chairs((), first_ids, first.seed)
    return None, chairs(chairs_before, playing_ids, seed)


def _first_and_last_input(draws: Sequence[StageDraw]) -> list[DrawInput]:
    first_and_last = draws if len(draws) < 2 else (draws[0], draws[-1])
    inputs = [read_draw(draw.input_text) for draw in first_and_last]
    return [row_input for row_input in inputs if isinstance(row_input, DrawInput)]


def _rounds_drawn(facts: StageFacts) -> int:
    return max((table.round_number for table in facts.tables), default=0)


def _seat_counts(entry: int, own_tables: Sequence[StageTable]) -> tuple[int, ...]:
    counts = Counter(table.entries.index(entry) for table in own_tables)
    return tuple(counts[seat] for seat in range(max(counts, default=-1) + 1))


def _floats_of_last_round(
    facts: StageFacts, group: int, last_input: DrawInput, last_round: int
) -> dict[str, Floating | None]:
    """Return how each player moved up or down in the last round, by entry id. Leave out tables with
    players whom the draw didn't seat."""
    players = {player.player_id: player for player in last_input.participants}
    floats: dict[str, Floating | None] = {}
    for table in facts.group_tables(group):
        ids = facts.ids(table)
        if table.round_number == last_round and players.keys() >= set(ids):
            floats.update(floats_at(ids, players))
    return floats
