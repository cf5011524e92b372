"""Writing a ranking's ratings: the newest games at once, late ones in portions from their place on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from django.db import connection

from engine.rating.history import History
from engine.rating.rating import Rating as Belief
from league.rankings.domain.game import Place
from league.rankings.models import Rating
from league.rankings.queries.state import RankingState
from league.rankings.services.upsert import players_store

PORTION: Final = 2000
"""Games that are rated in one transaction."""


Changes = dict[tuple[int, int], tuple[float, float, float, float]]
"""What games did to ratings, by the game's id and the seat: mu and sigma before it, and after."""


class RatedGame(NamedTuple):
    """A game that is over, in a ranking: its players and their ranks in seat order."""

    game_id: int
    place: Place
    players: Sequence[int]
    ranks: Sequence[int]


def ratings_add(state: RankingState, games: Sequence[RatedGame]) -> Changes:
    """Rate games that come behind all others in the order of play, and store the ratings of their players.

    Returns what the games did to them; the caller stores that.
    """
    players = sorted({player for game in games for player in game.players})
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT player_id, mu, sigma, recent FROM league_rating WHERE ranking_id = %s AND player_id = ANY(%s)",
            [state.ranking_id, players],
        )
        before = {player: (Belief(mu, sigma), recent) for player, mu, sigma, recent in cursor}
    history = _rate(games, {player: belief for player, (belief, _) in before.items()})
    recent = {player: list(before[player][1]) if player in before else [] for player in players}
    for player, mu in zip(history.players, history.mu, strict=True):
        recent[player].append(mu)
    _write_ratings(state, history.ratings(), recent)
    changes = zip(history.mu_before, history.sigma_before, history.mu, history.sigma, strict=True)
    return dict(zip(_seats(games), changes, strict=True))


@dataclass(slots=True)
class Carried:
    """All that one portion hands on to the next: the ratings that it came to, and mu after the latest games, of those
    who have played since the first one. They hold for the games from `place` on, in a ranking of that version."""

    version: int
    place: Place | None
    beliefs: dict[int, Belief] = field(default_factory=dict)
    recent: dict[int, list[float]] = field(default_factory=dict)


def ratings_portion(state: RankingState, carried: Carried | None) -> Carried | None:
    """Rate a portion of the games from `state.rated_from` on, and set it to where the next begins; None: none does.

    Whoever isn't in what the portion before handed on is looked up; so each player's earlier games are read once. What
    somebody else has done to the ranking meanwhile makes it void.
    """
    assert state.rated_from is not None
    if carried is None or (carried.version, carried.place) != (state.version, state.rated_from):
        carried = Carried(state.version, state.rated_from)
    games = _games_from(state, state.rated_from, PORTION + 1)
    following = games[PORTION:]
    games = games[:PORTION]
    if games:
        players = {player for game in games for player in game.players}
        newcomers = sorted(players - carried.recent.keys())
        carried.beliefs |= _beliefs_before(state, newcomers, state.rated_from)
        carried.recent |= _recent_before(state, newcomers, state.rated_from)
        history = _rate(games, carried.beliefs)
        for player, mu in zip(history.players, history.mu, strict=True):
            carried.recent[player].append(mu)
        carried.beliefs |= history.ratings()
        _write_changes(state, games, history)
        _write_ratings(state, history.ratings(), carried.recent)
    state.rated_from = following[0].place if following else None
    carried.version, carried.place = state.version + 1, state.rated_from
    return carried if following else None


def ratings_reset(state: RankingState, players: Sequence[int], place: Place) -> None:
    """Put the ratings of players back to where they stood before a place in the order of play."""
    beliefs = _beliefs_before(state, players, place)
    unrated = [player for player in players if player not in beliefs]
    Rating.objects.filter(ranking=state.ranking_id, player__in=unrated).delete()
    _write_ratings(state, beliefs, _recent_before(state, list(beliefs), place))


def ratings_drop(state: RankingState) -> None:
    """Forget the ratings of a ranking that isn't rated."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE league_appearance SET mu_before = NULL, sigma_before = NULL, mu = NULL, sigma = NULL"
            " WHERE ranking_id = %s AND mu IS NOT NULL",
            [state.ranking_id],
        )
    Rating.objects.filter(ranking=state.ranking_id).delete()


def _seats(games: Iterable[RatedGame]) -> list[tuple[int, int]]:
    """The seats of games, game by game, as a history has them: each by the game's id and its number."""
    return [(game.game_id, seat) for game in games for seat in range(len(game.players))]


def _rate(games: Sequence[RatedGame], beliefs: Mapping[int, Belief]) -> History[int]:
    from engine.rating.waves import rate_games  # NumPy: for the job that rates

    return rate_games(
        [len(game.players) for game in games],
        [player for game in games for player in game.players],
        [rank for game in games for rank in game.ranks],
        beliefs,
    )


def _games_from(state: RankingState, place: Place, count: int) -> list[RatedGame]:
    """The first games that are over from a place in the order of play on."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, played_at, natural_id,"
            " ARRAY(SELECT player_id FROM league_appearance seat WHERE seat.ranking_id = game.ranking_id"
            "  AND seat.game_id = game.game_id ORDER BY seat),"
            " ARRAY(SELECT rank FROM league_appearance seat WHERE seat.ranking_id = game.ranking_id"
            "  AND seat.game_id = game.game_id ORDER BY seat)"
            " FROM league_rankedgame game"
            " WHERE ranking_id = %s AND over AND (played_at, natural_id) >= (%s, %s)"
            " ORDER BY played_at, natural_id LIMIT %s",
            [state.ranking_id, *place, count],
        )
        return [RatedGame(game, (at, name), players, ranks) for game, at, name, players, ranks in cursor]


EARLIER: Final = (
    "FROM league_appearance seat CROSS JOIN LATERAL (SELECT played_at, natural_id FROM league_rankedgame game"
    " WHERE game.ranking_id = seat.ranking_id AND game.game_id = seat.game_id AND over OFFSET 0) game"
    " WHERE seat.ranking_id = %s AND (played_at, natural_id) < (%s, %s)"
)
"""The seats in games before a place. Each seat's game is looked up by itself: planned as a join, while what is known of
the tables' sizes is old, all seats of a ranking could be read for each game."""


def _beliefs_before(state: RankingState, players: Sequence[int], place: Place) -> dict[int, Belief]:
    """The ratings of players after their last game before a place; who had none isn't in it."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT DISTINCT ON (player_id) player_id, mu, sigma {EARLIER} AND player_id = ANY(%s)"
            " ORDER BY player_id, played_at DESC, natural_id DESC",
            [state.ranking_id, *place, list(players)],
        )
        return {player: Belief(mu, sigma) for player, mu, sigma in cursor}


def _recent_before(state: RankingState, players: Sequence[int], place: Place) -> dict[int, list[float]]:
    """mu after the latest games of players before a place, oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT player, ARRAY(SELECT mu {EARLIER} AND player_id = player"
            " ORDER BY played_at DESC, natural_id DESC LIMIT %s)"
            " FROM unnest(%s::bigint[]) player",
            [state.ranking_id, *place, Rating.RECENT, list(players)],
        )
        return {player: recent[::-1] for player, recent in cursor}


def _write_changes(state: RankingState, games: Iterable[RatedGame], history: History[int]) -> None:
    """Store what the games did to the ratings, where it is another."""
    rows = _seats(games)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE league_appearance SET mu_before = now.mu_before, sigma_before = now.sigma_before,"
            " mu = now.mu, sigma = now.sigma"
            " FROM unnest(%s::bigint[], %s::smallint[], %s::float8[], %s::float8[], %s::float8[], %s::float8[])"
            " AS now (game_id, seat, mu_before, sigma_before, mu, sigma)"
            " WHERE league_appearance.ranking_id = %s"
            " AND league_appearance.game_id = now.game_id AND league_appearance.seat = now.seat"
            " AND (league_appearance.mu_before, league_appearance.sigma_before, league_appearance.mu,"
            " league_appearance.sigma) IS DISTINCT FROM (now.mu_before, now.sigma_before, now.mu, now.sigma)",
            [
                *([game for game, _ in rows], [seat for _, seat in rows]),
                *(history.mu_before, history.sigma_before, history.mu, history.sigma, state.ranking_id),
            ],
        )


def _write_ratings(state: RankingState, beliefs: Mapping[int, Belief], recent: Mapping[int, Sequence[float]]) -> None:
    """Store the ratings of players, where they are others."""
    rows = {player: (*belief, recent[player][-Rating.RECENT :]) for player, belief in beliefs.items()}
    players_store("league_rating", state.ranking_id, ("mu", "sigma", "recent"), rows)
