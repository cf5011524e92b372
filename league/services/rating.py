"""Writing a season's ratings from a place in the order of play on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.rating.history import History
from engine.rating.rating import Rating as State
from engine.rating.waves import rate_games
from league.models import Rating, RatingChange, Season, SeasonGame
from league.queries.seasongame import Place, appearances_of, counting_games, since
from league.services.derived import derived_write


@dataclass(frozen=True, slots=True)
class Course:
    """How a player's rating has come along so far: state, games, the last of them, and mu after the latest few."""

    state: State = field(default_factory=State)
    games: int = 0
    last_game: int = 0
    recent: tuple[float, ...] = ()

    def after(self, season_game: int, mu: float, sigma: float) -> Course:
        """The course with one more game."""
        return replace(
            self,
            state=State(mu, sigma),
            games=self.games + 1,
            last_game=season_game,
            recent=(*self.recent, mu)[-Rating.RECENT :],
        )


def ratings_write(season: Season, *, place: Place | None) -> None:
    """Rate all counting games from a place in the order of play on (None: all of them) and write what changed.

    In order of play that is only the newest game; a game that arrives late has the games after it rated again.
    """
    games = list(counting_games(season).filter(since(place)))
    appearances = appearances_of(games)
    rows = {row.player_id: row for row in Rating.objects.filter(season=season).select_related("last_game")}
    late = {row.player_id for row in rows.values() if place is None or _place(row.last_game) >= place}
    courses = {
        player: Course(State(row.mu, row.sigma), row.games, row.last_game_id, tuple(row.recent))
        for player, row in rows.items()
        if player not in late
    } | _courses_until(season, late, place)
    seats = [seat for game in games for seat in appearances[game.pk]]
    history = rate_games(
        [len(appearances[game.pk]) for game in games],
        [seat.player_id for seat in seats],
        [seat.rank or 0 for seat in seats],
        {player: course.state for player, course in courses.items()},
    )
    played = [seat.season_game_id for seat in seats]
    _write_changes(season, played, history, place)
    for game, player, mu, sigma in zip(played, history.players, history.mu, history.sigma, strict=True):
        courses[player] = courses.get(player, Course()).after(game, mu, sigma)
    _write_ratings(season, rows.values(), courses)


def ratings_drop(season: Season) -> None:
    """Forget the ratings of a season that isn't rated any more."""
    RatingChange.objects.filter(season_game__season=season).delete()
    Rating.objects.filter(season=season).delete()


def _place(game: SeasonGame) -> Place:
    return game.played_at, game.external_id


def _courses_until(season: Season, players: Iterable[int], place: Place | None) -> dict[int, Course]:
    """The courses of players up to a place in the past, from the changes before it; who has none isn't in it."""
    courses: dict[int, Course] = {}
    if place is None:
        return courses
    before = (
        RatingChange.objects.filter(player__in=list(players), season_game__season=season)
        .exclude(season_game__in=SeasonGame.objects.filter(since(place), season=season))
        .order_by("season_game__played_at", "season_game__external_id")
    )
    for row in before:
        courses[row.player_id] = courses.get(row.player_id, Course()).after(row.season_game_id, row.mu, row.sigma)
    return courses


def _write_changes(season: Season, games: Iterable[int], history: History[int], place: Place | None) -> None:
    """Write the history of games that are given by the game of each of its entries."""
    stored = RatingChange.objects.filter(season_game__in=SeasonGame.objects.filter(since(place), season=season))
    columns = (history.players, history.mu_before, history.sigma_before, history.mu, history.sigma)
    wanted = [
        RatingChange(
            season_game_id=game, player_id=player, mu_before=mu_before, sigma_before=sigma_before, mu=mu, sigma=sigma
        )
        for game, player, mu_before, sigma_before, mu, sigma in zip(games, *columns, strict=True)
    ]
    derived_write(RatingChange, stored, wanted, key=("season_game", "player"))


def _write_ratings(season: Season, rows: Iterable[Rating], courses: Mapping[int, Course]) -> None:
    wanted = [
        Rating(
            season=season,
            player_id=player,
            mu=course.state.mu,
            sigma=course.state.sigma,
            games=course.games,
            last_game_id=course.last_game,
            recent=list(course.recent),
        )
        for player, course in courses.items()
    ]
    derived_write(Rating, rows, wanted, key=("season", "player"))
