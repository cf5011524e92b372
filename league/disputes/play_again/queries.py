"""Previews of playing a game again from a round. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.check import replay
from engine.record.kind import Ending
from engine.record.record import Record
from games.models import Game
from games.queries.game import sealed_record
from games.services.void import refuse_out_of_turn
from league.core.player.queries.player import names_of_handles
from league.disputes.play_again.domain import AnyRound, refusal, rounds_from
from league.disputes.void.queries import VoidPreview, void_preview
from league.events.event.models import Event
from league.sheets.sheet.models import TableOpenGame
from league.stages.result.domain.score import points_of, score_words
from league.stages.round.models import StageRound
from league.stages.stage.models import Stage
from league.stages.table.models import Table, TableGame, TableSeat
from league.stages.table.queries.table import table_game_of


class Playable(NamedTuple):
    """A game that can be played again from a round: its table, its record, and the rounds that
    would be undone (`gone`)."""

    table_game: TableGame
    record: Record
    gone: Sequence[AnyRound]


class SealedFinish(NamedTuple):
    """A player's rank in the sealed game, with the name and the score in words."""

    rank: int
    name: str
    score: str


@dataclass(frozen=True, slots=True)
class PlayAgainPreview:
    """The changes that playing a game again from a round would make.

    `gone`: the rounds that would be undone. `voids_round`: the first of them would stay on the
    sheet as void. `names`: the players' names by seat. `finishes`: the ranks of the sealed game,
    the winner first. `void`: the changes as long as the game doesn't count."""

    round_number: int
    voids_round: bool
    gone: Sequence[AnyRound]
    names: Sequence[str]
    finishes: Sequence[SealedFinish]
    void: VoidPreview

    @property
    def kept(self) -> int:
        """Return the number of rounds that stay as they were sealed."""
        return self.round_number - 1


def play_again_preview(
    *, game: Game, round_number: int, voids_round: bool = False
) -> PlayAgainPreview:
    """Return what playing a game again from a round would change; with `voids_round`, what voiding
    this round would. Write nothing. The game must be loaded with its season and club. Raise
    `Refused` if neither is possible."""
    playable = playable_from(game, round_number, voids_round=voids_round)
    record = playable.record
    names_by_handle = names_of_handles(game.season_game.season.club_id, record.seats)
    names = [names_by_handle.get(handle.lower(), handle) for handle in record.seats]
    return PlayAgainPreview(
        round_number=round_number,
        voids_round=voids_round,
        gone=playable.gone,
        names=names,
        finishes=_finishes(record, names, replay(record).ending),
        void=void_preview(game=game, stands=True),
    )


def _finishes(record: Record, names: Sequence[str], ending: Ending) -> list[SealedFinish]:
    if ending.rank is None:
        return []
    points = points_of(ending) or [None] * len(names)
    scores = [score_words(record.kind.name, score) for score in points]
    return sorted(map(SealedFinish, ending.rank, names, scores))


def playable_from(game: Game, round_number: int, *, voids_round: bool) -> Playable:
    """Return the table of a game, its record, and the rounds to play again, from a round counted
    from 1.

    Raise `Refused` with `conflict` (a correction replaces the game), `voided`, `no_table`,
    `round_closed`, `only_end`, `dealt`, `no_such_round`, `not_played_out` or `playing_elsewhere`.
    """
    refuse_out_of_turn(game=game, stands=True)
    table_game = table_game_of(game)
    if table_game is None:
        raise refusal("no_table")
    if not _is_round_open(table_game.table):
        raise refusal("round_closed")
    record, _ = sealed_record(game)
    gone = rounds_from(record, round_number, voids_round=voids_round)
    _refuse_playing_elsewhere(table_game.table)
    return Playable(table_game, record, gone)


def _is_round_open(table: Table) -> bool:
    stage_round = table.stage_round
    stage = stage_round.stage
    return (
        stage.event.status == Event.Status.RUNNING
        and stage.status == Stage.Status.RUNNING
        and stage_round.status == StageRound.Status.PUBLISHED
    )


def _refuse_playing_elsewhere(table: Table) -> None:
    running_games = TableOpenGame.objects.filter(
        table__stage_round__stage__event=table.stage_round.stage.event_id,
        table__stage_round__status=StageRound.Status.PUBLISHED,
        table__finished=False,
        open_game__sheet__length__gt=0,
        open_game__sheet__over=False,
        open_game__sheet__sealed=None,
    ).exclude(table=table)
    seats = TableSeat.objects.filter(
        table__in=running_games.values("table"), entry__in=table.seats.values("entry")
    ).select_related("entry__player")
    names = sorted({seat.entry.player.name for seat in seats})
    if names:
        message = say(
            "wait until their game at another table is over: {names}", names=", ".join(names)
        )
        raise Refused(Illegal("playing_elsewhere", message))
