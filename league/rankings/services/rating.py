"""Writing a season's ratings from a place in the order of play on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.rating.history import Change
from engine.rating.history import Rating as State
from engine.rating.waves import Game, rate_games
from league.rankings.models import Rating, RatingChange, Season, SeasonGame
from league.rankings.queries.seasongame import Place, appearances_of, counting_games, since
from league.rankings.services.derived import derived_write


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
    played = [
        Game(game.pk, [row.player_id for row in seats], [row.rank or 0 for row in seats])
        for game, seats in ((game, appearances[game.pk]) for game in games)
    ]
    changes = list(rate_games(played, {player: course.state for player, course in courses.items()})) if played else []
    _write_changes(season, changes, place)
    for change in changes:
        course = courses.get(change.player, Course())
        courses[change.player] = course.after(change.game, change.after.mu, change.after.sigma)
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


def _write_changes(season: Season, changes: Iterable[Change[int, int]], place: Place | None) -> None:
    stored = RatingChange.objects.filter(season_game__in=SeasonGame.objects.filter(since(place), season=season))
    wanted = [
        RatingChange(
            season_game_id=change.game,
            player_id=change.player,
            mu_before=change.before.mu,
            sigma_before=change.before.sigma,
            mu=change.after.mu,
            sigma=change.after.sigma,
        )
        for change in changes
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
