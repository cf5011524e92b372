"""Adding up how players play: a reader of the club's log of its own, which no table waits for.

Analysing a game costs far more than counting it. So the sums of each game are stored by seat: a
correction subtracts those of the game it replaces, and a second ranking with the game need not
analyse it again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Final

import structlog
from django.db import transaction

from engine.analysis.game import analyse
from engine.analysis.profile import Style as Sums
from engine.analysis.profile import pack_styles, unpack_styles
from games.domain.game import stored_record
from games.models.game import Kind
from league.core.jobs import UNLIMITED, TimeSlice
from league.core.locks import Busy, Space, transaction_lock, transaction_lock_patient
from league.core.log.models import SetAside
from league.core.log.readers import reader_advance, reader_finish, reader_set_aside
from league.standings.ranked_game.actions import GameAction
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranked_game.services import next_set_aside
from league.standings.ranking.queries.source import (
    PLAYED,
    SEALINGS,
    entries,
    games_named,
    next_games,
)
from league.standings.ranking.queries.state import RankingState, ranking_state
from league.standings.style.models import GameStyle, Style

log = structlog.get_logger(__name__)

BATCH: Final = 50
"""Games analysed in one transaction: about a third of a second."""
WORK: Final = "style"


def styles_read(*, ranking_id: int, time_slice: TimeSlice = UNLIMITED) -> None:
    """Add set-aside games that are due to a ranking's styles, then the games not yet read, a batch
    at a time, until the time slice is over.

    A game that makes a batch fail is set aside with the error. Raise `Busy` while another job works
    on the ranking's styles."""
    _retry_set_aside(ranking_id)
    size = BATCH
    while True:
        try:
            if not _add_batch(ranking_id, size) or time_slice.is_over():
                return
            size = BATCH
        except Busy:
            raise
        except Exception as error:
            if size > 1:
                log.exception("style.portion_failed", ranking=ranking_id)
                size = 1
            else:
                _set_aside_next(ranking_id, error)


@transaction.atomic
def _set_aside_next(ranking_id: int, error: Exception) -> None:
    transaction_lock(Space.STYLE, ranking_id)
    next_set_aside(ranking_state(ranking_id, WORK), error, PLAYED)


def styles_restart(ranking_id: int, *, from_rounds: bool = False) -> None:
    """Delete the sums of a ranking and have the reader start again, in the caller's transaction.
    With `from_rounds`, also delete the stored analyses of its games, so that all are analysed
    again.

    Wait for the batch that a job reads at this moment. Raise `Busy` if that takes too long."""
    transaction_lock_patient(Space.STYLE, ranking_id)
    state = ranking_state(ranking_id, WORK)
    SetAside.objects.filter(club=state.club_id, reader=state.reader).delete()
    Style.objects.filter(ranking=ranking_id).delete()
    if from_rounds:
        GameStyle.objects.filter(game__ranked_games__ranking=ranking_id).delete()
    reader_advance(state.club_id, state.reader, 0)


@transaction.atomic
def _add_batch(ranking_id: int, size: int) -> bool:
    transaction_lock(Space.STYLE, ranking_id)
    state = ranking_state(ranking_id, WORK)
    batch = next_games(
        club_id=state.club_id,
        ranking_id=ranking_id,
        after=state.position,
        until=state.head,
        size=size,
        actions=PLAYED,
    )
    _add_games(state, batch.games)
    if batch.position > state.position:
        reader_advance(state.club_id, state.reader, batch.position)
    return not batch.done


def _retry_set_aside(ranking_id: int) -> None:
    state = ranking_state(ranking_id, WORK)
    for position in state.due:
        try:
            with transaction.atomic():
                transaction_lock(Space.STYLE, ranking_id)
                if position not in ranking_state(ranking_id, WORK).due:
                    continue  # another job has read it
                games = entries(club_id=state.club_id, ranking_id=ranking_id, positions=[position])
                _add_games(state, games)
                reader_finish(state.club_id, state.reader, position)
        except Busy:
            raise
        except Exception as error:
            reader_set_aside(state.club_id, state.reader, position, error)


def _add_games(state: RankingState, games: Sequence[GameFacts]) -> None:
    """Add games to the sums of their players. Subtract a voided game, and a game that one of these
    corrects."""
    changes: defaultdict[int, Sums] = defaultdict(Sums)
    for game in games:
        for player, sums in _sums_by_player(game):
            if adds_style(game):
                changes[player] += sums
            else:
                changes[player] -= sums
    # only the entry that seals a correction subtracts the game before it, so this happens once
    corrected = [
        game.replaces for game in games if game.replaces is not None and game.action in SEALINGS
    ]
    for game in games_named(corrected):
        for player, sums in _sums_by_player(game):
            changes[player] -= sums
    _write_sums(state, changes)


def adds_style(game: GameFacts) -> bool:
    """Return True if a game's log entry adds it to the sums; False if it subtracts it."""
    return game.action != GameAction.VOIDED


def _sums_by_player(game: GameFacts) -> list[tuple[int, Sums]]:
    if game.kind != Kind.BLUFF or game.only_end:
        return []
    seats = zip(game.players, _sums_by_seat(game), strict=True)
    return [(player, sums) for player, sums in seats if player is not None and sums != Sums()]


def _sums_by_seat(game: GameFacts) -> list[Sums]:
    game_style = GameStyle.objects.filter(game=game.game_id).first()
    if game_style is not None:
        return unpack_styles(bytes(game_style.seats))
    sums = analysed(game)
    GameStyle.objects.bulk_create(
        [GameStyle(game_id=game.game_id, seats=pack_styles(sums))], ignore_conflicts=True
    )
    return sums


def analysed(game: GameFacts) -> list[Sums]:
    """Analyse a game's sealed rounds and return the sums of each seat; empty sums for a game that
    isn't Bluff, or has no rounds."""
    if game.kind != Kind.BLUFF or game.only_end:
        return [Sums() for _ in game.handles]
    analysis = analyse(stored_record(game.header, game.handles, game.seals, game.bodies))
    return [Sums.of(analysis, seat) for seat in range(len(game.handles))]


def _write_sums(state: RankingState, changes: Mapping[int, Sums]) -> None:
    stored = Style.objects.filter(ranking=state.ranking_id, player__in=list(changes))
    sums_before = {row.player_id: row.sums for row in stored}
    new_rows = []
    emptied_players = []
    for player, change in changes.items():
        sums = sums_before.get(player, Sums()) + change
        if sums == Sums():
            emptied_players.append(player)
        else:
            new_rows.append(style_row(state.ranking_id, player, sums))
    Style.objects.filter(ranking=state.ranking_id, player__in=emptied_players).delete()
    Style.objects.bulk_create(
        new_rows,
        update_conflicts=True,
        unique_fields=["ranking", "player"],
        update_fields=[field.name for field in fields(Sums)],
    )


def style_row(ranking_id: int, player: int, sums: Sums) -> Style:
    """Return the row that holds these sums."""
    columns = {
        name: list(figure) if isinstance(figure, tuple) else figure
        for name, figure in asdict(sums).items()
    }
    return Style(ranking_id=ranking_id, player_id=player, **columns)
