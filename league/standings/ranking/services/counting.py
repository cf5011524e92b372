"""Counting games into a ranking, its standings and ratings.

How a game is counted: its entry in the club's log is read under the ranking's lock. Its sealed
rounds are replayed and folded by `engine.scoring` and `engine.rating`. The rows of its players are
written, the version rises, and NOTIFY tells open pages. A batch of games is one transaction, so a
worker that dies leaves everything as it was, and a backlog of any size is worked off step by step.
The result depends on the facts alone: whatever the order in which games arrive, and however often
a job runs, a rebuild gives the same rows to the last digit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import structlog
from django.db import transaction

from engine.scoring.dated_tally import DatedTally
from engine.scoring.tally import tally_of_game
from league.core import sql
from league.core.jobs import UNLIMITED, TimeSlice
from league.core.locks import Busy, Space, transaction_lock
from league.core.log.readers import reader_advance, reader_finish, reader_set_aside
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranked_game.domain.outcome import GameOutcome, game_outcome
from league.standings.ranked_game.queries.ranked import HeldGame, held_games
from league.standings.ranked_game.services import (
    Removed,
    games_insert,
    games_remove,
    games_rescore,
    last_places,
    next_set_aside,
)
from league.standings.ranking.queries.source import ADJUSTING, entries, next_games
from league.standings.ranking.queries.state import RankingState, ranking_state
from league.standings.rating.services.rating import (
    CarriedRatings,
    ratings_add,
    ratings_batch,
    ratings_reset,
)
from league.standings.rating.services.rating_change import RatedGame
from league.standings.standing.services import (
    HeldPlayer,
    Tallies,
    counted_rows,
    held_players,
    rows_write,
)

log = structlog.get_logger(__name__)

BATCH: Final = 300
"""Games counted in one transaction."""
LIVE_CHANNEL: Final = "ranking"


def ranking_count(*, ranking_id: int, time_slice: TimeSlice = UNLIMITED) -> None:
    """Count the games that wait for a ranking, a batch at a time. Once no game is left, retry the
    set-aside entries that are due, and compute outdated ratings. Stop after the batch that uses up
    the time slice.

    Each batch is published by itself. If a batch fails, go on with single games, set aside the game
    that fails, with its error, and count the others. Raise an error that no game causes, and `Busy`
    while another job works on the ranking."""
    size = BATCH
    while True:
        try:
            remaining = _count_batch(ranking_id, size)
        except Busy:
            raise
        except Exception as error:
            if size > 1:
                log.exception("ranking.portion_failed", ranking=ranking_id)
                size = 1
            elif not _set_aside_next(ranking_id, error):
                raise  # no game is left, so no game is the cause
        else:
            if not remaining.games:
                break
            if time_slice.is_over():
                return
            size = min(2 * size, BATCH)

    _retry_set_aside(ranking_id, remaining.retries)
    if remaining.ratings or remaining.retries:
        carried = _rate_batch(ranking_id, carried=None)
        while carried is not None and not time_slice.is_over():
            carried = _rate_batch(ranking_id, carried)


class Remaining(NamedTuple):
    """The work left for a ranking: whether games wait, whether ratings are outdated, and the
    positions of set-aside entries that are due."""

    games: bool
    ratings: bool
    retries: Sequence[int]


@transaction.atomic
def _count_batch(ranking_id: int, size: int) -> Remaining:
    transaction_lock(Space.RANKING, ranking_id)
    state = ranking_state(ranking_id)
    batch = next_games(
        club_id=state.club_id,
        ranking_id=ranking_id,
        after=state.position,
        until=state.head,
        size=size,
    )
    changed = fold(state, batch.games)
    if batch.position > state.position:
        reader_advance(state.club_id, state.reader, batch.position)
    if changed:
        publish(state)
    return Remaining(
        games=not batch.done,
        ratings=state.rated and state.rated_from is not None,
        retries=state.due,
    )


@transaction.atomic
def _rate_batch(ranking_id: int, carried: CarriedRatings | None) -> CarriedRatings | None:
    """Rate the next games with outdated ratings, given what the batch before carried over. Return
    what the next batch needs; None if no game is left."""
    transaction_lock(Space.RANKING, ranking_id)
    state = ranking_state(ranking_id)
    if not state.rated or state.rated_from is None:
        return None
    carried = ratings_batch(state, carried)
    publish(state)
    return carried


@transaction.atomic
def _set_aside_next(ranking_id: int, error: Exception) -> bool:
    """Return False if no game is left."""
    transaction_lock(Space.RANKING, ranking_id)
    return next_set_aside(ranking_state(ranking_id), error)


def _retry_set_aside(ranking_id: int, positions: Sequence[int]) -> None:
    for position in positions:
        state = ranking_state(ranking_id)
        try:
            with transaction.atomic():
                transaction_lock(Space.RANKING, ranking_id)
                state = ranking_state(ranking_id)
                games = entries(club_id=state.club_id, ranking_id=ranking_id, positions=[position])
                fold(state, games)
                reader_finish(state.club_id, state.reader, position)
                publish(state)
        except Busy:
            raise
        except Exception as error:
            reader_set_aside(state.club_id, state.reader, position, error)


def fold(state: RankingState, games: Sequence[GameFacts]) -> bool:
    """Count games that a ranking lacks, remove those that they correct, and count again those that
    were voided, restored or adjusted. Return whether anything changed.

    Ratings that must be computed again are left to later batches, from `state.rated_from` on."""
    newest = {game.game_id: game for game in games if not game.replaced}
    adjusted = {game.game_id for game in games if game.action in ADJUSTING}
    waiting = [
        game
        for game in newest.values()
        if game.voided_before != game.voided or game.game_id in adjusted
    ]
    outcomes = {game.game_id: game_outcome(game, state.scoring) for game in waiting}
    waiting_adjusted = [game for game in waiting if game.game_id in adjusted]
    rescored = _with_the_same_ranks(state, waiting_adjusted, outcomes)
    current = [game for game in waiting if game not in rescored]

    corrected = [game.replaces for game in games if game.replaces is not None]
    recounted = [game.game_id for game in current if game.voided_before is not None]
    removals = games_remove(state, [*corrected, *recounted])
    if not current and not removals and not rescored:
        return False

    games_rescore(state, rescored, outcomes)
    finished = [game for game in current if outcomes[game.game_id].over]
    finished.sort(key=lambda game: game.place)
    lost = _players_counted([*removals, *rescored])  # their rows are added up from scratch
    seated = {player for game in finished for player in game.players if player is not None}
    players = held_players(state.ranking_id, seated | _players_counted(finished) | lost)
    if state.rated:
        removed_over = [game for game in removals if game.over]
        _fold_ratings(state, finished, outcomes, removed_over, players)
    games_insert(state, current, outcomes)
    _fold_standings(state, finished, outcomes, lost, players)
    _fold_last_places(state, finished, removed=bool(removals))
    return True


def _players_counted(games: Sequence[GameFacts | Removed]) -> set[int]:
    return {player for game in games for player in game.counts_for if player is not None}


def _with_the_same_ranks(
    state: RankingState, games: Sequence[GameFacts], outcomes: Mapping[int, GameOutcome]
) -> list[GameFacts]:
    """Return the games that the ranking holds with the same people on the same ranks: their points
    may change, but no rating does."""
    if not games:
        return []
    held = held_games(state.ranking_id, [game.game_id for game in games])
    return [
        game
        for game in games
        if game.game_id in held
        and _is_held_with_same_ranks(held[game.game_id], game, outcomes[game.game_id])
    ]


def _is_held_with_same_ranks(held: HeldGame, game: GameFacts, outcome: GameOutcome) -> bool:
    expected = (outcome.over, list(outcome.rank), list(game.players), list(game.counts_for))
    return (held.over, held.ranks, held.players, held.counts_for) == expected


def _fold_standings(
    state: RankingState,
    finished: Sequence[GameFacts],
    outcomes: Mapping[int, GameOutcome],
    lost: set[int],
    players: Mapping[int, HeldPlayer],
) -> None:
    """Add finished games to the players' rows. Add up from scratch the rows of players who `lost` a
    game or whose points changed."""
    rows: Tallies = {}
    for game in finished:
        day = state.day_of(game.place[0])
        outcome = outcomes[game.game_id]
        for player, rank, points, penalty in zip(game.counts_for, *outcome.by_seat, strict=True):
            if player is None or player in lost:
                continue
            row_before = rows.get(player) or players[player].row or DatedTally()
            rows[player] = row_before.add(day, tally_of_game(rank or 0, points or 0, penalty))
    if lost:
        rows.update(counted_rows(state, lost))
    public_ids = {player: row.public_id for player, row in players.items()}
    rows_write(state, rows, public_ids, removed_players=lost - rows.keys())


def _fold_last_places(state: RankingState, finished: Sequence[GameFacts], *, removed: bool) -> None:
    if removed:
        state.last, state.last_day = last_places(state)
        return
    for game in finished:
        day = state.day_of(game.place[0])
        state.last = max(state.last or game.place, game.place)
        state.last_day = max(filter(None, (state.last_day, day)), default=None)


def _fold_ratings(
    state: RankingState,
    finished: Sequence[GameFacts],
    outcomes: Mapping[int, GameOutcome],
    removals: Sequence[Removed],
    players: Mapping[int, HeldPlayer],
) -> None:
    """Rate finished games now if they come after all others in the order of play. Otherwise, or if
    games were removed, note the first place from which later batches compute all ratings again."""
    places = [game.place for game in finished] + [game.place for game in removals]
    if not places:
        return
    first = min(places)
    are_last = state.last is None or first > state.last
    if not removals and state.rated_from is None and are_last:
        ratings_add(state, [rated_game(game, outcomes[game.game_id]) for game in finished], players)
        return
    state.rated_from = min(state.rated_from or first, first)
    if removals:
        unseated = {player for game in removals for player in game.players}
        ratings_reset(state, sorted(unseated), state.rated_from)


def rated_game(game: GameFacts, outcome: GameOutcome) -> RatedGame:
    """Return a finished game in the form in which it is rated."""
    return RatedGame(
        game.game_id,
        [player for player in game.players if player is not None],
        [rank or 0 for rank in outcome.rank],
    )


PUBLISH: Final = """
    UPDATE league_ranking
    SET last_day = %(last_day)s, game_count = %(game_count)s, last_at = %(last_at)s,
        last_id = %(last_id)s, rated_from = %(rated_from)s, rated_from_id = %(rated_from_id)s,
        rebuilt_to = CASE WHEN rebuilds_asked = %(asked)s THEN %(rebuilt_to)s ELSE rebuilt_to END,
        rebuilt_player = CASE WHEN rebuilds_asked = %(asked)s
            THEN %(rebuilt_player)s ELSE rebuilt_player END,
        rebuilt_until = CASE WHEN rebuilds_asked = %(asked)s
            THEN %(rebuilt_until)s ELSE rebuilt_until END,
        version = version + %(changed)s::int,
        computed_at = CASE WHEN %(changed)s THEN now() ELSE computed_at END
    WHERE id = %(ranking)s
    RETURNING CASE WHEN %(changed)s THEN pg_notify(%(channel)s, id || ':' || version) END
"""


def publish(state: RankingState, *, changed: bool = True) -> None:
    """Store the ranking's state. If its list has `changed`, raise its version, and notify open
    pages on commit. A rebuild requested since the state was read stays requested."""
    last_at, last_id = state.last or (None, "")
    rated_from, rated_from_id = state.rated_from or (None, "")
    values = {
        "ranking": state.ranking_id,
        "last_day": state.last_day,
        "game_count": state.game_count,
        "last_at": last_at,
        "last_id": last_id,
        "rated_from": rated_from,
        "rated_from_id": rated_from_id,
        "asked": state.rebuilds_asked,
        "rebuilt_to": state.rebuilt_to,
        "rebuilt_player": state.rebuilt_player,
        "rebuilt_until": state.rebuilt_until,
        "changed": changed,
        "channel": LIVE_CHANNEL,
    }
    sql.execute(PUBLISH, values)
