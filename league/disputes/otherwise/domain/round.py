"""Rounds that were drawn from results which have been corrected since: which tables would be
others.

A round is drawn once more from today's results, with those who were seated then; who has come or
gone since changes nothing here. That is dear only where the input differs at all."""

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
from league.stages.draw.models import Draw
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import PlayedGame, StageDraw, StageFacts, StageTable
from league.stages.table.domain.level import is_played_out

Tables: TypeAlias = Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DrawnOtherwise:
    """A round of which tables would be others now: those that were drawn and wouldn't be, and those
    in their place.

    `digest` is that of the input as it would be today: whoever keeps the round as it was played
    keeps it in view of it."""

    stage_round: StageRound
    group: int
    drawn: tuple[tuple[str, ...], ...]
    now: tuple[tuple[str, ...], ...]
    digest: str


def drawn_otherwise(facts: StageFacts) -> list[DrawnOtherwise]:
    """The rounds of a stage that today's results would have drawn otherwise, and that nobody has
    kept in view of it; the first one only where points of the stage before count on."""
    rounds = {row.number: row for row in facts.rounds if row.number > 1 or facts.stage.carry}
    compared = [
        compared_draw(_before(facts, draw), draw, rounds[draw.round_number])
        for draw in facts.draws
        if draw.round_number in rounds
    ]
    differences = [differs for differs in compared if differs is not None]
    return [
        differs
        for differs in differences
        if digest_of(differences, differs.stage_round) != differs.stage_round.kept
    ]


def digest_of(differences: Sequence[DrawnOtherwise], stage_round: StageRound) -> str:
    """One digest for a round, of those of its groups."""
    digests = [differs.digest for differs in differences if differs.stage_round == stage_round]
    return sha256("".join(digests).encode()).hexdigest()


def compared_draw(
    past: StageFacts, draw: StageDraw, stage_round: StageRound
) -> DrawnOtherwise | None:
    """Tell how a draw would differ if it were made of the stage as it stood before it, `past`;
    None: not at all.

    None, too, for one that another version of the drawing made: what differs might be its doing.
    """
    if not past.stage.knock_out and json.loads(draw.answer)["version"] != VERSION:
        return None
    input_text, answer = _again(past, draw)
    if isinstance(answer, Illegal):
        return None
    tables_before = _tables(_as_drawn(draw, stage_round))
    tables_today = {frozenset(ids): ids for ids in answer.tables}
    before = {frozenset(ids): ids for ids in tables_before}
    if tables_today.keys() == before.keys():
        return None
    return DrawnOtherwise(
        stage_round,
        draw.group,
        tuple(ids for people, ids in before.items() if people not in tables_today),
        tuple(ids for people, ids in tables_today.items() if people not in before),
        sha256(input_text.encode()).hexdigest(),
    )


def _again(past: StageFacts, draw: StageDraw) -> tuple[str, Drawn | Illegal]:
    """A draw's input as today's results make it, and what comes of that; as it was drawn where that
    is the same."""
    if past.stage.knock_out:
        bracket = replace(
            bracket_input(past, draw.group, seed_then(draw)), absent=absent_then(draw)
        )
        # A draw file of before there were versions names none, and the digest of one that was kept
        # holds.
        unversioned = replace(bracket, version=VERSION_OF_PLANS)
        text = canonical_json(bracket_input_json(unversioned)).decode()
        return text, _unchanged(draw) if text == draw.input_text else drawn_from_bracket(bracket)
    before = read_draw(draw.input_text)
    assert isinstance(before, DrawInput)
    input_today = draw_input(past, draw.group, before.seed, ())
    playing = {participant.player_id for participant in input_today.participants}
    labels = {participant.player_id: participant.label for participant in before.participants}
    apart = tuple(pair for pair in before.apart if {pair.first, pair.second} <= playing)
    input_today = replace(
        input_today,
        participants=tuple(
            replace(player, label=labels.get(player.player_id, 0))
            for player in input_today.participants
        ),
        labels=before.labels,
        apart=apart,
        sizes=before.sizes,
        rounds=before.rounds,
        design=before.design,
        chairs=before.chairs,
        meetings_first=before.meetings_first,
    )
    text = write_draw(input_today).decode()
    return text, _unchanged(draw) if text == draw.input_text else drawn_from_input(input_today)


def _before(facts: StageFacts, draw: StageDraw) -> StageFacts:
    """The stage as it stood before a round was drawn, with today's results, and with those who were
    seated then."""
    seated = {player["id"] for player in json.loads(draw.input_text)["players"]}
    return replace(
        facts,
        members={
            entry: member._replace(
                plays=member.entry_id in seated,
                withdrawn=member.withdrawn and member.entry_id not in seated,
            )
            for entry, member in facts.members.items()
        },
        rounds=tuple(row for row in facts.rounds if row.number < draw.round_number),
        tables=tuple(row for row in facts.tables if row.round_number < draw.round_number),
        draws=tuple(row for row in facts.draws if row.round_number < draw.round_number),
    )


def _unchanged(draw: StageDraw) -> Drawn:
    tables = _tables(draw.answer)
    return Drawn(draw.input_text, draw.answer, tables, ("",) * len(tables))


def _as_drawn(draw: StageDraw, stage_round: StageRound) -> str:
    """The answer before anybody changed it by hand."""
    if not draw.by_hand:
        return draw.answer
    return Draw.objects.get(stage_round=stage_round, group=draw.group, revision=1).answer


def _tables(answer: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(ids) for ids in json.loads(answer)["tables"])


class RoundInNames(NamedTuple):
    """A round that would be drawn otherwise, by people's names: the tables as drawn, and as they
    would be now."""

    number: int
    drawn: tuple[tuple[str, ...], ...]
    now: tuple[tuple[str, ...], ...]


def in_names(names: Mapping[str, str], differences: Sequence[DrawnOtherwise]) -> list[RoundInNames]:
    """The rounds that would be drawn otherwise, as people read them; `names` by the ids of
    entries."""

    def named(tables: Tables) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(names[entry_id] for entry_id in ids) for ids in tables)

    return [
        RoundInNames(row.stage_round.number, named(row.drawn), named(row.now))
        for row in differences
    ]


def with_result(facts: StageFacts, game: PlayedGame) -> StageFacts:
    """The stage as if a game had brought this instead."""
    return replace(
        facts,
        tables=tuple(
            replace(table, games=tuple(_replaced(row, game) for row in table.games))
            for table in facts.tables
        ),
    )


def with_games(facts: StageFacts, table: int, games: Sequence[PlayedGame]) -> StageFacts:
    """The stage as if these were the games of a table, by its row id."""
    return replace(
        facts,
        tables=tuple(
            _with_games(facts, row, games) if row.pk == table else row for row in facts.tables
        ),
    )


def _with_games(facts: StageFacts, row: StageTable, games: Sequence[PlayedGame]) -> StageTable:
    played = is_played_out(facts.stage, row.label, games, len(facts.members))
    return replace(row, games=tuple(games), finished=played or row.walkover is not None)


def _replaced(row: PlayedGame, game: PlayedGame) -> PlayedGame:
    return game._replace(provisional=row.provisional) if row.game == game.game else row
