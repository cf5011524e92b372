"""Storing which games a ranking holds, and who sat in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from league.core import sql
from league.core.log.readers import reader_advance, reader_set_aside
from league.standings.ranked_game.domain.game import UNTIMED, GameFacts, Place
from league.standings.ranked_game.domain.outcome import GameOutcome
from league.standings.ranked_game.models import Appearance, RankedGame
from league.standings.ranking.queries.source import GAMES, next_games
from league.standings.ranking.queries.state import RankingState
from league.standings.rating.models import RatingChange


class Removed(NamedTuple):
    """A game that was removed from a ranking."""

    game_id: int
    place: Place
    over: bool
    players: Sequence[int]
    counts_for: Sequence[int | None]


def games_remove(state: RankingState, games: Sequence[int]) -> list[Removed]:
    """Remove games from a ranking; return those that it held."""
    if not games:
        return []
    rows = sql.rows(
        """
        SELECT game_id, played_at, natural_id, over,
            ARRAY(
                SELECT player_id
                FROM league_appearance seat
                WHERE seat.ranking_id = game.ranking_id AND seat.game_id = game.game_id
                ORDER BY seat
            ),
            ARRAY(
                SELECT counts_for_id
                FROM league_appearance seat
                WHERE seat.ranking_id = game.ranking_id AND seat.game_id = game.game_id
                ORDER BY seat
            )
        FROM league_rankedgame game
        WHERE ranking_id = %s AND game_id = ANY(%s)
        """,
        [state.ranking_id, list(games)],
    )
    removals = [
        Removed(game, (played_at, natural_id), *columns)
        for game, played_at, natural_id, *columns in rows
    ]
    for model in (RatingChange, Appearance, RankedGame):
        model._default_manager.filter(ranking=state.ranking_id, game__in=games).delete()
    state.game_count -= sum(removed.over for removed in removals)
    return removals


def games_rescore(
    state: RankingState, games: Sequence[GameFacts], outcomes: Mapping[int, GameOutcome]
) -> None:
    """Store new points and penalties of games that a ranking holds. Their ranks are the same as
    before."""
    seats = []
    for game in games:
        results_by_seat = zip(*outcomes[game.game_id].by_seat, strict=True)
        for seat, (_, points, penalty) in enumerate(results_by_seat):
            seats.append((game.game_id, seat, points, penalty))
    if not seats:
        return
    columns = map(list, zip(*seats, strict=True))
    sql.execute(
        """
        UPDATE league_appearance held
        SET points = outcome.points, penalty = outcome.penalty
        FROM unnest(%s::bigint[], %s::smallint[], %s::smallint[], %s::smallint[])
            AS outcome (game, seat, points, penalty)
        WHERE held.ranking_id = %s
            AND held.game_id = outcome.game
            AND held.seat = outcome.seat
        """,
        [*columns, state.ranking_id],
    )


def games_insert(
    state: RankingState, games: Sequence[GameFacts], outcomes: Mapping[int, GameOutcome]
) -> None:
    """Add games with their outcomes to a ranking."""
    if not games:
        return
    state.game_count += sum(outcomes[game.game_id].over for game in games)
    seats = []
    for game in games:
        outcome = outcomes[game.game_id]
        rows = zip(game.players, game.counts_for, *outcome.by_seat, strict=True)
        for seat, (player, counts_for, *result) in enumerate(rows):
            seats.append((game.game_id, player, counts_for, seat, *result))
    seat_columns = map(list, zip(*seats, strict=True))
    parameters = [
        state.ranking_id,
        [game.game_id for game in games],
        [game.place[0] for game in games],
        [game.place[1] for game in games],
        [game.event for game in games],
        [outcomes[game.game_id].over for game in games],
        [game.only_end for game in games],
        [game.voided for game in games],
        state.ranking_id,
        *seat_columns,
    ]
    sql.execute(INSERT_GAMES, parameters)


INSERT_GAMES: Final = """
    WITH games AS (
        INSERT INTO league_rankedgame (
            ranking_id, game_id, played_at, natural_id, event, over, only_end, voided
        )
        SELECT %s, *
        FROM unnest(
            %s::bigint[], %s::timestamptz[], %s::text[], %s::text[], %s::bool[], %s::bool[],
            %s::bool[]
        )
    )
    INSERT INTO league_appearance (
        ranking_id, game_id, player_id, counts_for_id, seat, rank, points, penalty
    )
    SELECT %s, *
    FROM unnest(
        %s::bigint[], %s::bigint[], %s::bigint[], %s::smallint[], %s::smallint[],
        %s::smallint[], %s::smallint[]
    )
"""


def last_places(state: RankingState) -> tuple[Place | None, date | None]:
    """Return the place of a ranking's last finished game in the order of play, and the last day on
    which one was played; None without such a game."""
    games = RankedGame.objects.filter(ranking=state.ranking_id, over=True).order_by(
        "-played_at", "-natural_id"
    )
    last = games.values_list("played_at", "natural_id").first()
    last_time = games.filter(played_at__lt=UNTIMED).values_list("played_at", flat=True).first()
    if last_time is None:
        return last, None
    return last, state.day_of(last_time)


def next_set_aside(state: RankingState, error: Exception, actions: Sequence[str] = GAMES) -> bool:
    """Set aside the next game whose log entry has one of these actions, because counting it failed
    with `error`; return False if there is no such game."""
    batch = next_games(
        club_id=state.club_id,
        ranking_id=state.ranking_id,
        after=state.position,
        until=state.head,
        size=1,
        actions=actions,
    )
    for game in batch.games:
        reader_set_aside(state.club_id, state.reader, game.position, error)
    reader_advance(state.club_id, state.reader, batch.position)
    return bool(batch.games)
