"""Rounds that were drawn from results which have been corrected since, and the tables that would
change.

A round is drawn again from today's results, with the players who were seated then: later arrivals
and withdrawals change nothing. This takes long only if the input of the draw differs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from engine.illegal import Illegal
from engine.pairing.answer import VERSION
from engine.pairing.brackets.bracket_file import bracket_input_json
from engine.pairing.brackets.bracket_plan import VERSION as VERSION_OF_PLANS
from engine.pairing.draw_file import read_draw, write_draw
from engine.pairing.draw_input import DrawInput
from engine.record.canonical import canonical_json
from league.stages.bracket.domain.knock_out import absent_then, bracket_input, seed_then
from league.stages.draw.domain import Drawn, draw_input, drawn_from_bracket, drawn_from_input
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import PlayedGame, StageDraw, StageFacts, StageTable
from league.stages.table.domain.level import is_played_out

Tables: TypeAlias = Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DrawnOtherwise:
    """A round whose tables would differ if it were drawn today. `drawn`: the tables that wouldn't
    be drawn again. `now`: the tables in their place. A table is the public ids of its entries.

    `digest`: the digest of today's input of the draw. When an organiser keeps the round as it was
    played, this digest is stored; if the input changes again, the organiser has to decide again."""

    stage_round: StageRound
    group: int
    drawn: tuple[tuple[str, ...], ...]
    now: tuple[tuple[str, ...], ...]
    digest: str


def drawn_otherwise(facts: StageFacts) -> list[DrawnOtherwise]:
    """Return the rounds of a stage that would be drawn differently today and that no organiser has
    kept. The first round can be one of them only if points carry over from the stage before."""
    rounds = {row.number: row for row in facts.rounds if row.number > 1 or facts.stage.carry}
    differences = []
    for draw in facts.draws:
        if draw.round_number not in rounds:
            continue
        stage_round = rounds[draw.round_number]
        difference = compared_draw(_stage_before_draw(facts, draw), draw, stage_round)
        if difference is not None:
            differences.append(difference)
    return [
        difference
        for difference in differences
        if digest_of(differences, difference.stage_round) != difference.stage_round.kept
    ]


def digest_of(differences: Sequence[DrawnOtherwise], stage_round: StageRound) -> str:
    """Return one digest for a round from the digests of its groups."""
    digests = [row.digest for row in differences if row.stage_round == stage_round]
    return sha256("".join(digests).encode()).hexdigest()


def compared_draw(
    stage_before: StageFacts, draw: StageDraw, stage_round: StageRound
) -> DrawnOtherwise | None:
    """Return how a draw would differ if it were made again; None if it wouldn't. `stage_before`:
    the stage as it was before the draw, with today's results.

    Return None, too, if another version of the algorithm made the draw: the version could be the
    only reason for a difference.
    """
    if not stage_before.stage.knock_out and json.loads(draw.answer)["version"] != VERSION:
        return None
    input_text, answer = _drawn_again(stage_before, draw)
    if isinstance(answer, Illegal):
        return None
    # tables are the same if they have the same people: the order of seats doesn't matter
    drawn_tables = {frozenset(ids): ids for ids in _tables(draw.drawn_answer)}
    tables_today = {frozenset(ids): ids for ids in answer.tables}
    if tables_today.keys() == drawn_tables.keys():
        return None
    return DrawnOtherwise(
        stage_round,
        draw.group,
        drawn=tuple(ids for people, ids in drawn_tables.items() if people not in tables_today),
        now=tuple(ids for people, ids in tables_today.items() if people not in drawn_tables),
        digest=sha256(input_text.encode()).hexdigest(),
    )


def _drawn_again(stage_before: StageFacts, draw: StageDraw) -> tuple[str, Drawn | Illegal]:
    """Return the input that a draw would have by today's results, and the answer to it: the stored
    one if the input is the same."""
    if stage_before.stage.knock_out:
        return _bracket_drawn_again(stage_before, draw)
    input_today = _input_today(stage_before, draw)
    text = write_draw(input_today).decode()
    if text == draw.input_text:
        return text, _stored_answer(draw)
    return text, drawn_from_input(input_today)


def _bracket_drawn_again(stage_before: StageFacts, draw: StageDraw) -> tuple[str, Drawn | Illegal]:
    """Return the input of a bracket by today's results, and its draw, as `_drawn_again` does."""
    bracket = bracket_input(stage_before, draw.group, seed_then(draw))
    bracket = replace(bracket, absent=absent_then(draw))
    # The default version isn't written, so the text also compares with files from before versions.
    comparable = replace(bracket, version=VERSION_OF_PLANS)
    text = canonical_json(bracket_input_json(comparable)).decode()
    if text == draw.input_text:
        return text, _stored_answer(draw)
    return text, drawn_from_bracket(bracket)


def _input_today(stage_before: StageFacts, draw: StageDraw) -> DrawInput:
    """Return the input that a draw would have by today's results. Its settings, and all that
    organisers decided for it, stay as stored."""
    stored_input = read_draw(draw.input_text)
    assert isinstance(stored_input, DrawInput)
    new_input = draw_input(stage_before, draw.group, stored_input.seed, ())
    labels = {participant.player_id: participant.label for participant in stored_input.participants}
    participants = [
        replace(participant, label=labels.get(participant.player_id, 0))
        for participant in new_input.participants
    ]
    playing = {participant.player_id for participant in participants}
    pairs_apart = [pair for pair in stored_input.apart if {pair.first, pair.second} <= playing]
    return replace(
        new_input,
        participants=tuple(participants),
        labels=stored_input.labels,
        apart=tuple(pairs_apart),
        sizes=stored_input.sizes,
        rounds=stored_input.rounds,
        design=stored_input.design,
        chairs=stored_input.chairs,
        meetings_first=stored_input.meetings_first,
    )


def _stage_before_draw(facts: StageFacts, draw: StageDraw) -> StageFacts:
    """Return the stage as it was before a draw, but with today's results. Players who were seated
    by the draw take part, also if they withdrew later."""
    seated = {player["id"] for player in json.loads(draw.input_text)["players"]}
    members = {}
    for entry, member in facts.members.items():
        plays = member.entry_id in seated
        members[entry] = member._replace(plays=plays, withdrawn=member.withdrawn and not plays)
    return replace(
        facts,
        members=members,
        rounds=tuple(row for row in facts.rounds if row.number < draw.round_number),
        tables=tuple(row for row in facts.tables if row.round_number < draw.round_number),
        draws=tuple(row for row in facts.draws if row.round_number < draw.round_number),
    )


def _stored_answer(draw: StageDraw) -> Drawn:
    tables = _tables(draw.drawn_answer)
    no_labels = ("",) * len(tables)
    return Drawn(draw.input_text, draw.drawn_answer, tables, no_labels)


def _tables(answer: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(ids) for ids in json.loads(answer)["tables"])


class RoundInNames(NamedTuple):
    """A round that would be drawn differently today, with the players' names: the tables as drawn,
    and those in their place."""

    number: int
    drawn: tuple[tuple[str, ...], ...]
    now: tuple[tuple[str, ...], ...]


def in_names(names: Mapping[str, str], differences: Sequence[DrawnOtherwise]) -> list[RoundInNames]:
    """Return these rounds with the names of players in the place of ids. `names`: by public id of
    the entry."""

    def named(tables: Tables) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(names[entry_id] for entry_id in ids) for ids in tables)

    return [
        RoundInNames(row.stage_round.number, named(row.drawn), named(row.now))
        for row in differences
    ]


def with_result(facts: StageFacts, game: PlayedGame) -> StageFacts:
    """Return the stage with another result for the game whose id `game` has."""
    tables = []
    for table in facts.tables:
        games = [_with_new_result(played, game) for played in table.games]
        tables.append(replace(table, games=tuple(games)))
    return replace(facts, tables=tuple(tables))


def with_games(facts: StageFacts, table: int, games: Sequence[PlayedGame]) -> StageFacts:
    """Return the stage with other games of a table, given by its row id."""
    tables = [_with_games(facts, row, games) if row.pk == table else row for row in facts.tables]
    return replace(facts, tables=tuple(tables))


def _with_games(facts: StageFacts, row: StageTable, games: Sequence[PlayedGame]) -> StageTable:
    played_out = is_played_out(facts.stage, row.label, games, len(facts.members))
    is_finished = played_out or row.walkover is not None
    return replace(row, games=tuple(games), finished=is_finished)


def _with_new_result(played: PlayedGame, corrected: PlayedGame) -> PlayedGame:
    if played.game != corrected.game:
        return played
    return corrected._replace(provisional=played.provisional)
