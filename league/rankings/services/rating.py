"""Writing a ranking's ratings: the newest games at once, late ones in portions from their place on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


def ratings_portion(state: RankingState) -> bool:
    """Rate a portion of the games from `state.rated_from` on, and set it to where the next begins; False: none does."""
    assert state.rated_from is not None
    games = _games_from(state, state.rated_from, PORTION + 1)
    following = games[PORTION:]
    games = games[:PORTION]
    if games:
        players = sorted({player for game in games for player in game.players})
        history = _rate(games, _beliefs_before(state, players, state.rated_from))
        _write_changes(state, games, history)
        _write_ratings(state, history.ratings(), _recent_until(state, players, games[-1].place))
    state.rated_from = following[0].place if following else None
    return bool(following)


def ratings_reset(state: RankingState, players: Sequence[int], place: Place) -> None:
    """Put the ratings of players back to where they stood before a place in the order of play."""
    beliefs = _beliefs_before(state, players, place)
    unrated = [player for player in players if player not in beliefs]
    Rating.objects.filter(ranking=state.ranking_id, player__in=unrated).delete()
    _write_ratings(state, beliefs, _recent_until(state, list(beliefs), place, before=True))


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


def _beliefs_before(state: RankingState, players: Sequence[int], place: Place) -> dict[int, Belief]:
    """The ratings of players after their last game before a place; who had none isn't in it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT ON (player_id) player_id, mu, sigma FROM league_appearance"
            " JOIN league_rankedgame USING (ranking_id, game_id)"
            " WHERE ranking_id = %s AND player_id = ANY(%s) AND over AND (played_at, natural_id) < (%s, %s)"
            " ORDER BY player_id, played_at DESC, natural_id DESC",
            [state.ranking_id, list(players), *place],
        )
        return {player: Belief(mu, sigma) for player, mu, sigma in cursor}


def _recent_until(
    state: RankingState, players: Sequence[int], place: Place, *, before: bool = False
) -> dict[int, list[float]]:
    """mu after the latest games of players up to a place (with `before`: without the game there), oldest first."""
    sign = "<" if before else "<="
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT player, ARRAY(SELECT mu FROM league_appearance JOIN league_rankedgame USING (ranking_id, game_id)"
            f" WHERE ranking_id = %s AND player_id = player AND over AND (played_at, natural_id) {sign} (%s, %s)"
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
