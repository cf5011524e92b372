"""Writing a ranking's ratings: the newest games at once, late ones in portions from their place
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
"""Games that are rated in one transaction."""
LATEST: Final = 500
"""So many games before a place are looked through for the latest of all players, before anybody's
own."""


def ratings_add(
    state: RankingState, games: Sequence[RatedGame], players: Mapping[int, HeldPlayer]
) -> None:
    """Rate games that come behind all others in the order of play, and store what they did to the
    ratings of their players; `players`: at least those, as the ranking holds them."""
    history = _rate(games, {player: row.belief for player, row in players.items() if row.belief})
    recent = {player: list(row.recent) for player, row in players.items()}
    for player, mu in zip(history.players, history.mu, strict=True):
        recent[player].append(mu)
    changes_store(state.ranking_id, games, history, {})
    _write_ratings(state, history.ratings(), recent)


@dataclass(slots=True)
class Carried:
    """All that one portion hands on to the next: the ratings that it came to, and mu after the
    latest games, of those who have played since the first one; whether most of what was stored is
    another (`changing`). They hold for the games from `place` on, in a ranking of that version."""

    version: int
    place: Place | None
    changing: bool = False
    beliefs: dict[int, Belief] = field(default_factory=dict)
    recent: dict[int, list[float]] = field(default_factory=dict)


def ratings_batch(state: RankingState, carried: Carried | None) -> Carried | None:
    """Rate a portion of the games from `state.rated_from` on, and set it to where the next begins;
    None: none does.

    Whoever isn't in what the portion before handed on is looked up; so each player's earlier games
    are read once. What somebody else has done to the ranking meanwhile makes it void. Where most of
    a portion has changed, the next one is written without a look at what is stored: to read that
    takes as long as to rate."""
    assert state.rated_from is not None
    if carried is None or (carried.version, carried.place) != (state.version, state.rated_from):
        carried = Carried(state.version, state.rated_from)
    games, stored = _games_from(state, state.rated_from, compared=not carried.changing)
    if games:
        newcomers = sorted(
            {player for game in games for player in game.players} - carried.recent.keys()
        )
        beliefs, recent = _ratings_before(state, newcomers, state.rated_from)
        carried.beliefs |= beliefs
        carried.recent |= {player: recent.get(player, []) for player in newcomers}
        history = _rate(games, carried.beliefs)
        for player, mu in zip(history.players, history.mu, strict=True):
            carried.recent[player].append(mu)
        ratings = history.ratings()
        carried.beliefs |= ratings
        changed = changes_store(state.ranking_id, games, history, stored)
        carried.changing = changed > len(games) / 2
        _write_ratings(state, ratings, carried.recent)
    state.rated_from = _place_behind(state, state.rated_from) if len(games) == BATCH else None
    carried.version, carried.place = state.version + 1, state.rated_from
    return carried if state.rated_from else None


def ratings_reset(state: RankingState, players: Sequence[int], place: Place) -> None:
    """Put the ratings of players back to where they stood before a place in the order of play."""
    beliefs, recent = _ratings_before(state, players, place)
    unrated = [player for player in players if player not in beliefs]
    Rating.objects.filter(ranking=state.ranking_id, player__in=unrated).delete()
    _write_ratings(state, beliefs, recent)


def ratings_drop(state: RankingState) -> None:
    """Forget the ratings of a ranking that isn't rated."""
    RatingChange.objects.filter(ranking=state.ranking_id).delete()
    Rating.objects.filter(ranking=state.ranking_id).delete()


def _rate(games: Sequence[RatedGame], beliefs: Mapping[int, Belief]) -> History[int]:
    from engine.rating.waves import rate_games  # NumPy: for the job that rates

    return rate_games(
        [len(game.players) for game in games],
        [player for game in games for player in game.players],
        [rank for game in games for rank in game.ranks],
        beliefs,
    )


def _games_from(
    state: RankingState, place: Place, *, compared: bool
) -> tuple[list[RatedGame], dict[int, bytes] | None]:
    """The games of a portion, those that are over from a place in the order of play on; and, if
    they are to be `compared`, what is stored of what they did to the ratings, by their ids, as the
    database sends it."""
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
    return games, {
        game: bytes(seats) for game, *_, seats in rows if seats is not None
    } if compared else None


def _place_behind(state: RankingState, place: Place) -> Place | None:
    """The place of the first game behind a portion; None if there is none."""
    behind: Place | None = sql.row(
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
    return behind


GAMES_BEFORE: Final = """
    SELECT game_id, played_at, natural_id FROM league_rankedgame game
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
among the latest of all games, `EARLIER` among all of the player's own. Each seat's game is looked
up by itself: planned as a join, while what is known of the tables' sizes is old, all seats of a
ranking could be read for each game."""


def _ratings_before(
    state: RankingState, players: Sequence[int], place: Place
) -> tuple[dict[int, Belief], dict[int, list[float]]]:
    """The ratings of players after their last game before a place, and mu after their latest ones,
    oldest first; who had none isn't in it."""
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
    often = {player for player, (mu, _) in latest.items() if len(mu) == Rating.RECENT}
    parameters["players"] = [player for player in players if player not in often]
    if parameters["players"] and sql.row(f"{GAMES_BEFORE} OFFSET %(latest)s LIMIT 1", parameters):
        latest |= {player: (mu, sigma) for player, mu, sigma in sql.rows(EARLIER, parameters)}
    beliefs = {player: Belief(mu[0], sigma[0]) for player, (mu, sigma) in latest.items()}
    return beliefs, {player: mu[::-1] for player, (mu, _) in latest.items()}


def _write_ratings(
    state: RankingState, beliefs: Mapping[int, Belief], recent: Mapping[int, Sequence[float]]
) -> None:
    """Store the ratings of players, where they are others."""
    rows = {
        player: (*belief, recent[player][-Rating.RECENT :]) for player, belief in beliefs.items()
    }
    players_store("league_rating", state.ranking_id, ("mu", "sigma", "recent"), rows)
