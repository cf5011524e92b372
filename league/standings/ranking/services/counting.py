"""Counting games into a ranking, its standings and ratings.

The way of a game: its entry in the club's log is read under the ranking's lock, its sealed rounds
are replayed and folded by `engine.scoring` and `engine.rating`, the rows of those who played are
written, the version rises and NOTIFY tells the open pages. A portion of games is one transaction,
so a worker that dies leaves everything as it was, and a backlog of any size is worked off step by
step. What is written depends on the facts alone: in whatever order games arrive, however often a
job runs, a rebuild gives the same rows to the last digit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import structlog
from django.db import transaction

from engine.scoring.dated_tally import DatedTally
from engine.scoring.tally import tally_of_game
from league.core import sql
from league.core.jobs import ENDLESS, Stint
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
from league.standings.ranking.queries.source import ADJUSTING, entries, games_batch
from league.standings.ranking.queries.state import RankingState, ranking_state
from league.standings.rating.services.rating import (
    Carried,
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
"""Games that are counted in one transaction."""
LIVE_CHANNEL: Final = "ranking"


def ranking_count(*, ranking_id: int, stint: Stint = ENDLESS) -> None:
    """Count what waits for a ranking, portion by portion, for a stint, and then what was set aside
    and is due again.

    Every portion is published by itself. A game at which a portion fails is set aside with its
    reason, and the others are counted without it; what no game is the cause of is raised. Then
    ratings that are to be computed again follow. Raises `Busy` while another job works on the
    ranking."""
    size = BATCH
    while True:
        try:
            remaining = _count(ranking_id, size)
        except Busy:
            raise
        except Exception as error:
            if size == 1:
                if not _set_aside_next(ranking_id, error):
                    raise  # it wasn't the next game, so nothing would be another time
            else:
                log.exception("ranking.portion_failed", ranking=ranking_id)
            size = 1
        else:
            if not remaining.games:
                break
            if stint.is_over():
                return
            size = min(2 * size, BATCH)
    _retry(ranking_id, remaining.retries)
    if remaining.ratings or remaining.retries:
        carried = _rate(ranking_id, None)
        while carried is not None and not stint.is_over():
            carried = _rate(ranking_id, carried)


class Left(NamedTuple):
    """Whether games are left to be counted, and ratings to be computed again; the entries of those
    that were set aside and are due."""

    games: bool
    ratings: bool
    retries: Sequence[int]


@transaction.atomic
def _count(ranking_id: int, size: int) -> Left:
    """Count a portion of the games that wait."""
    transaction_lock(Space.RANKING, ranking_id)
    state = ranking_state(ranking_id)
    batch = games_batch(
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
    return Left(not batch.done, state.rated and state.rated_from is not None, state.due)


@transaction.atomic
def _rate(ranking_id: int, carried: Carried | None) -> Carried | None:
    """Rate a portion of the games whose ratings are to be computed again, with what the portion
    before handed on; None: none is left."""
    transaction_lock(Space.RANKING, ranking_id)
    state = ranking_state(ranking_id)
    if not state.rated or state.rated_from is None:
        return None
    carried = ratings_batch(state, carried)
    publish(state)
    return carried


@transaction.atomic
def _set_aside_next(ranking_id: int, error: Exception) -> bool:
    """Pass over the next game, which broke the portion that it was alone in; False: there was
    none."""
    transaction_lock(Space.RANKING, ranking_id)
    return next_set_aside(ranking_state(ranking_id), error)


def _retry(ranking_id: int, positions: Sequence[int]) -> None:
    """Try again the games of entries that were set aside and are due, each by itself."""
    for position in positions:
        state = ranking_state(ranking_id)
        try:
            with transaction.atomic():
                transaction_lock(Space.RANKING, ranking_id)
                state = ranking_state(ranking_id)
                fold(
                    state,
                    entries(club_id=state.club_id, ranking_id=ranking_id, positions=[position]),
                )
                reader_finish(state.club_id, state.reader, position)
                publish(state)
        except Busy:
            raise
        except Exception as error:
            reader_set_aside(state.club_id, state.reader, position, error)


def fold(state: RankingState, games: Sequence[GameFacts]) -> bool:
    """Count games that a ranking doesn't hold, take out those that they correct, and count those
    anew that were voided, restored or adjusted since; whether there was anything to do.

    Ratings that have to be computed again are left to the portions that `state.rated_from` then
    asks for."""
    newest = {game.game_id: game for game in games if not game.replaced}
    adjusted = {game.game_id for game in games if game.action in ADJUSTING}
    waiting = [
        game
        for game in newest.values()
        if game.voided_before != game.voided or game.game_id in adjusted
    ]
    outcomes = {game.game_id: game_outcome(game, state.scoring) for game in waiting}
    marked = _with_the_same_ranks(
        state, [game for game in waiting if game.game_id in adjusted], outcomes
    )
    current = [game for game in waiting if game not in marked]
    replaced = [game.replaces for game in games if game.replaces is not None]
    removals = games_remove(
        state, [*replaced, *(game.game_id for game in current if game.voided_before is not None)]
    )
    if not current and not removals and not marked:
        return False
    games_rescore(state, marked, outcomes)
    over = sorted(
        (game for game in current if outcomes[game.game_id].over), key=lambda game: game.place
    )
    seats_anew = [game.counts_for for game in removals] + [game.counts_for for game in marked]
    lost = {player for counts_for in seats_anew for player in counts_for if player is not None}
    concerned = {
        player
        for game in over
        for player in (*game.players, *game.counts_for)
        if player is not None
    }
    players = held_players(state.ranking_id, concerned | lost)
    if state.rated:
        _fold_ratings(state, over, outcomes, [game for game in removals if game.over], players)
    games_insert(state, current, outcomes)
    _fold_standings(state, over, outcomes, lost, players)
    _fold_places(state, over, removed=bool(removals))
    return True


def _with_the_same_ranks(
    state: RankingState, games: Sequence[GameFacts], outcomes: Mapping[int, GameOutcome]
) -> list[GameFacts]:
    """Those of the games that the ranking holds with the same people on the same ranks: they may
    bring other points, and no rating moves."""
    if not games:
        return []
    held = held_games(state.ranking_id, [game.game_id for game in games])
    return [
        game
        for game in games
        if game.game_id in held and _has_ranks(held[game.game_id], game, outcomes[game.game_id])
    ]


def _has_ranks(held: HeldGame, game: GameFacts, outcome: GameOutcome) -> bool:
    expected = (outcome.over, list(outcome.rank), list(game.players), list(game.counts_for))
    return (held.over, held.ranks, held.players, held.counts_for) == expected


def _fold_standings(
    state: RankingState,
    over: Sequence[GameFacts],
    outcomes: Mapping[int, GameOutcome],
    lost: set[int],
    players: Mapping[int, HeldPlayer],
) -> None:
    """Add games to the rows of those for whom they count; the rows of those who lost a game are
    added up anew."""
    rows: Tallies = {}
    for game in over:
        day = state.day_of(game.place[0])
        outcome = outcomes[game.game_id]
        for player, rank, points, penalty in zip(game.counts_for, *outcome.by_seat, strict=True):
            if player is not None and player not in lost:
                before = rows.get(player) or players[player].row or DatedTally()
                rows[player] = before.add(day, tally_of_game(rank or 0, points or 0, penalty))
    if lost:
        rows |= counted_rows(state, lost)
    rows_write(
        state,
        rows,
        {player: row.public_id for player, row in players.items()},
        removed_players=lost - rows.keys(),
    )


def _fold_places(state: RankingState, over: Sequence[GameFacts], *, removed: bool) -> None:
    """Note the ranking's last day of play, and its last place in the order of play."""
    if removed:
        state.last, state.last_day = last_places(state)
        return
    for game in over:
        day = state.day_of(game.place[0])
        state.last = max(state.last or game.place, game.place)
        state.last_day = max(filter(None, (state.last_day, day)), default=None)


def _fold_ratings(
    state: RankingState,
    over: Sequence[GameFacts],
    outcomes: Mapping[int, GameOutcome],
    removals: Sequence[Removed],
    players: Mapping[int, HeldPlayer],
) -> None:
    """Rate the newest games at once; from the first late or removed one on, all are to be rated
    again."""
    places = [*(game.place for game in over), *(game.place for game in removals)]
    if not places:
        return
    first = min(places)
    if not removals and state.rated_from is None and (state.last is None or first > state.last):
        ratings_add(state, [rated_game(game, outcomes[game.game_id]) for game in over], players)
        return
    state.rated_from = min(state.rated_from or first, first)
    if removals:
        ratings_reset(
            state,
            sorted({player for game in removals for player in game.players}),
            state.rated_from,
        )


def rated_game(game: GameFacts, outcome: GameOutcome) -> RatedGame:
    """A game that is over, as it is rated."""
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
        rebuilt_player = CASE WHEN rebuilds_asked = %(asked)s THEN %(rebuilt_player)s ELSE rebuilt_player END,
        rebuilt_until = CASE WHEN rebuilds_asked = %(asked)s THEN %(rebuilt_until)s ELSE rebuilt_until END,
        version = version + %(changed)s::int,
        computed_at = CASE WHEN %(changed)s THEN now() ELSE computed_at END
    WHERE id = %(ranking)s
    RETURNING CASE WHEN %(changed)s THEN pg_notify(%(channel)s, id || ':' || version) END
"""


def publish(state: RankingState, *, changed: bool = True) -> None:
    """Store where the ranking stands; if its list has changed, raise its version and tell the pages
    that are open, once the transaction is committed. A rebuild that was asked for since the state
    was read stays asked for."""
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
