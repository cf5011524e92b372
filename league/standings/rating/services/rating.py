"""Writing a ranking's ratings: the newest games at once, late ones in batches from their place
on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.rating.history import History
from engine.rating.rating import Rating as Belief
from league.core import sql
from league.standings.ranked_game.domain.game import Place
from league.standings.ranking.queries.state import RankingState
from league.standings.rating.models import Rating, RatingChange
from league.standings.rating.services.rating_change import RatedGame, changes_store
from league.standings.standing.services import HeldPlayer, players_store

BATCH: Final = 2000
"""Games rated in one transaction."""
LATEST: Final = 500
"""The latest games of all players before a place: this many are searched first, then each player's
own games."""


def ratings_add(
    state: RankingState, games: Sequence[RatedGame], players: Mapping[int, HeldPlayer]
) -> None:
    """Rate games that come after all others in the order of play, and store their changes.
    `players`: the rows that the ranking holds of the players of these games, or of more."""
    beliefs = {player: row.belief for player, row in players.items() if row.belief}
    history = _rating_history(games, beliefs)
    recent = {player: list(row.recent) for player, row in players.items()}
    for player, mu in zip(history.players, history.mu, strict=True):
        recent[player].append(mu)
    changes_store(state.ranking_id, games, history, stored={})
    _write_ratings(state, history.ratings(), recent)


@dataclass(slots=True)
class CarriedRatings:
    """The state that one batch of games carries over to the next: the rating of each player who has
    played since the first batch, and mu after their latest games.

    It is valid for the games from `place` on, while the ranking has this `version`. `changing`:
    most of the stored changes turned out to be outdated."""

    version: int
    place: Place | None
    changing: bool = False
    beliefs: dict[int, Belief] = field(default_factory=dict)
    recent: dict[int, list[float]] = field(default_factory=dict)


def ratings_batch(state: RankingState, carried: CarriedRatings | None) -> CarriedRatings | None:
    """Rate a batch of games from `state.rated_from` on, and set it to the start of the next batch.
    Return the state for the next batch; None if no game is left.

    `carried`: the state from the batch before; None for the first. Only players missing from it are
    looked up, so each player's earlier games are read once. A change of the ranking by another job
    makes it void. If most of a batch has changed, the next one is written without reading the
    stored changes, because reading takes as long as rating."""
    assert state.rated_from is not None
    if carried is None or (carried.version, carried.place) != (state.version, state.rated_from):
        carried = CarriedRatings(state.version, state.rated_from)
    games, stored = _games_from(state, state.rated_from, compared=not carried.changing)
    if games:
        _rate_games(state, state.rated_from, games, stored, carried)
    if len(games) == BATCH:
        state.rated_from = _next_batch_start(state, state.rated_from)
    else:
        state.rated_from = None
    carried.version = state.version + 1
    carried.place = state.rated_from
    return carried if state.rated_from else None


def _rate_games(
    state: RankingState,
    place: Place,
    games: Sequence[RatedGame],
    stored: Mapping[int, bytes] | None,
    carried: CarriedRatings,
) -> None:
    """Rate games from a place on, and update the state that is carried over. `stored`: their stored
    changes by game id; None if they weren't read."""
    players = {player for game in games for player in game.players}
    newcomers = sorted(players - carried.recent.keys())
    beliefs, recent = _ratings_before(state, newcomers, place)
    carried.beliefs.update(beliefs)
    for player in newcomers:
        carried.recent[player] = recent.get(player, [])

    history = _rating_history(games, carried.beliefs)
    for player, mu in zip(history.players, history.mu, strict=True):
        carried.recent[player].append(mu)
    ratings = history.ratings()
    carried.beliefs.update(ratings)

    changed = changes_store(state.ranking_id, games, history, stored)
    carried.changing = changed > len(games) / 2
    _write_ratings(state, ratings, carried.recent)


def ratings_reset(state: RankingState, players: Sequence[int], place: Place) -> None:
    """Set the ratings of players back to those before a place in the order of play."""
    beliefs, recent = _ratings_before(state, players, place)
    unrated = [player for player in players if player not in beliefs]
    Rating.objects.filter(ranking=state.ranking_id, player__in=unrated).delete()
    _write_ratings(state, beliefs, recent)


def ratings_drop(state: RankingState) -> None:
    """Delete the ratings of a ranking that isn't rated."""
    RatingChange.objects.filter(ranking=state.ranking_id).delete()
    Rating.objects.filter(ranking=state.ranking_id).delete()


def _rating_history(games: Sequence[RatedGame], beliefs: Mapping[int, Belief]) -> History[int]:
    from engine.rating.waves import rate_games  # NumPy is heavy: only the job that rates needs it

    return rate_games(
        [len(game.players) for game in games],
        [player for game in games for player in game.players],
        [rank for game in games for rank in game.ranks],
        beliefs,
    )


def _games_from(
    state: RankingState, place: Place, *, compared: bool
) -> tuple[list[RatedGame], dict[int, bytes] | None]:
    """Return the finished games of a batch. If `compared`, also return their stored changes by game
    id, as the database sends them."""
    rows = sql.rows(
        """
        SELECT game_id, players, ranks,
            CASE WHEN %s THEN (
                SELECT array_send(seats)
                FROM league_ratingchange change
                WHERE change.ranking_id = game.ranking_id AND change.game_id = game.game_id
            ) END
        FROM league_rankedgame game
        CROSS JOIN LATERAL (
            SELECT array_agg(player_id ORDER BY seat) AS players,
                array_agg(rank ORDER BY seat) AS ranks
            FROM league_appearance seat
            WHERE seat.ranking_id = game.ranking_id AND seat.game_id = game.game_id
        ) seats
        WHERE ranking_id = %s AND over AND (played_at, natural_id) >= (%s, %s)
        ORDER BY played_at, natural_id
        LIMIT %s
        """,
        [compared, state.ranking_id, *place, BATCH],
    )
    games = [RatedGame(game, players, ranks) for game, players, ranks, _ in rows]
    if not compared:
        return games, None
    return games, {game: bytes(seats) for game, *_, seats in rows if seats is not None}


def _next_batch_start(state: RankingState, place: Place) -> Place | None:
    next_place: Place | None = sql.row(
        """
        SELECT played_at, natural_id
        FROM league_rankedgame
        WHERE ranking_id = %s AND over AND (played_at, natural_id) >= (%s, %s)
        ORDER BY played_at, natural_id
        OFFSET %s
        LIMIT 1
        """,
        [state.ranking_id, *place, BATCH],
    )
    return next_place


GAMES_BEFORE: Final = """
    SELECT game_id, played_at, natural_id
    FROM league_rankedgame game
    WHERE ranking_id = %(ranking)s AND over AND (played_at, natural_id) < (%(at)s, %(name)s)
    ORDER BY played_at DESC, natural_id DESC
"""
LATEST_BEFORE: Final = f"""
    SELECT player_id,
        (array_agg(seats[seat + 1][3] ORDER BY played_at DESC, natural_id DESC))[:%(count)s],
        (array_agg(seats[seat + 1][4] ORDER BY played_at DESC, natural_id DESC))[:%(count)s]
    FROM ({GAMES_BEFORE} LIMIT %(latest)s) game
    CROSS JOIN LATERAL (
        SELECT player_id, seat
        FROM league_appearance seat
        WHERE ranking_id = %(ranking)s
            AND seat.game_id = game.game_id
            AND player_id = ANY(%(players)s)
        OFFSET 0
    ) seat
    CROSS JOIN LATERAL (
        SELECT seats
        FROM league_ratingchange change
        WHERE change.ranking_id = %(ranking)s AND change.game_id = game.game_id
        OFFSET 0
    ) change
    GROUP BY player_id
"""
EARLIER: Final = """
    SELECT player, mu, sigma
    FROM unnest(%(players)s::int[]) player
    CROSS JOIN LATERAL (
        SELECT array_agg(seats[seat + 1][3] ORDER BY played_at DESC, natural_id DESC) AS mu,
            array_agg(seats[seat + 1][4] ORDER BY played_at DESC, natural_id DESC) AS sigma
        FROM (
            SELECT game_id, seat, played_at, natural_id
            FROM league_appearance seat
            CROSS JOIN LATERAL (
                SELECT played_at, natural_id
                FROM league_rankedgame game
                WHERE game.ranking_id = seat.ranking_id AND game.game_id = seat.game_id AND over
                OFFSET 0
            ) game
            WHERE ranking_id = %(ranking)s
                AND player_id = player
                AND (played_at, natural_id) < (%(at)s, %(name)s)
            ORDER BY played_at DESC, natural_id DESC
            LIMIT %(count)s
        ) latest
        CROSS JOIN LATERAL (
            SELECT seats
            FROM league_ratingchange change
            WHERE change.ranking_id = %(ranking)s AND change.game_id = latest.game_id
            OFFSET 0
        ) change
    ) figures
    WHERE mu IS NOT NULL
"""
"""mu and sigma after the latest games of players before a place, newest first: `LATEST_BEFORE`
among the latest games of all players, `EARLIER` among all games of the player. Each seat's game is
looked up by itself: with outdated statistics, a join could read all seats of a ranking for each
game."""


def _ratings_before(
    state: RankingState, players: Sequence[int], place: Place
) -> tuple[dict[int, Belief], dict[int, list[float]]]:
    """Return players' ratings after their last game before a place, and mu after each of their
    latest games before it, oldest first. Leave out players without an earlier game.

    Most players are found among the latest games of all; only for the others each player's own
    games are searched."""
    at, name = place
    parameters: dict[str, Any] = {
        "ranking": state.ranking_id,
        "players": list(players),
        "at": at,
        "name": name,
        "count": Rating.RECENT,
        "latest": LATEST,
    }
    latest = {player: (mu, sigma) for player, mu, sigma in sql.rows(LATEST_BEFORE, parameters)}
    complete = {player for player, (mu, _) in latest.items() if len(mu) == Rating.RECENT}
    incomplete = [player for player in players if player not in complete]
    parameters["players"] = incomplete
    # without a game before the latest ones, nothing is missing
    if incomplete and sql.row(f"{GAMES_BEFORE} OFFSET %(latest)s LIMIT 1", parameters):
        for player, mu, sigma in sql.rows(EARLIER, parameters):
            latest[player] = (mu, sigma)
    beliefs = {player: Belief(mu[0], sigma[0]) for player, (mu, sigma) in latest.items()}
    recent = {player: mu[::-1] for player, (mu, _) in latest.items()}
    return beliefs, recent


def _write_ratings(
    state: RankingState, beliefs: Mapping[int, Belief], recent: Mapping[int, Sequence[float]]
) -> None:
    rows = {
        player: (*belief, recent[player][-Rating.RECENT :]) for player, belief in beliefs.items()
    }
    players_store("league_rating", state.ranking_id, ("mu", "sigma", "recent"), rows)
