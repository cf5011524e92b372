"""Checks of a ranking's ratings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.db.models import BigIntegerField, Count, Q, Sum
from django.db.models.functions import Cast

from engine.rating.rating import Rating as Belief
from games.domain.difference import Checkpoint, Difference, cell_differences
from games.models import Game
from league.core.player.models import Player
from league.site.audit.queries.context import RankingContext
from league.site.audit.queries.standing import row_differences
from league.standings.ranked_game.domain.game import Place
from league.standings.ranked_game.models import RankedGame
from league.standings.ranked_game.queries.ranked import ChangedGame, changed_games
from league.standings.ranking.queries.state import RankingState
from league.standings.rating.models import Rating, RatingChange

GAMES: Final = 2000
"""Games that are rated in one batch."""
FIGURES: Final = ("mu_before", "sigma_before", "mu", "sigma")
"""The figures that are stored of a seat's rating before and after a game."""


@dataclass(slots=True)
class Beliefs:
    """The ratings after all games up to a place in the order of play: mu and sigma of each player,
    and mu after each of the latest games.

    `prefix`: figures that identify those games. `verified`: the place up to which rating changes
    were compared; it lies after `place` if a late game made us rate all games again.
    """

    place: Place | None = None
    prefix: list[int] = field(default_factory=lambda: [0, 0, 0])
    ratings: dict[int, Belief] = field(default_factory=dict)
    recent: dict[int, list[float]] = field(default_factory=dict)
    verified: Place | None = None


def ratings(context: RankingContext, checkpoint: Checkpoint) -> Iterator[Difference]:
    """Check the rating changes of games, in the order of play, and after the last game the ratings.
    Ratings that are still to be computed aren't checked.

    If a game before the checkpoint was added or removed meanwhile, all games are rated again.
    """
    state = context.state
    beliefs = _resume(context, checkpoint)
    stored_games = changed_games(state.ranking_id, beliefs.place, GAMES) if state.rated else []
    at_end = len(stored_games) < GAMES
    last_place = None if at_end else stored_games[-1].place

    games = _games_to_rate(context, stored_games, beliefs.place, last_place)
    if games:
        expected = _rate(games, beliefs)
        unverified = [game for game in games if _is_rated_and_unverified(game, state, beliefs)]
        yield from _change_differences(unverified, expected)
        if unverified:
            beliefs.verified = unverified[-1].place

    if not at_end:
        figures = zip(beliefs.prefix, _figures(stored_games), strict=True)
        beliefs.place = last_place
        beliefs.prefix = [before + more for before, more in figures]
        _store_beliefs(context, beliefs, checkpoint)
        return
    checkpoint["at"] = None
    if state.rated_from is None:
        yield from _rating_differences(context, beliefs)


def _is_rated_and_unverified(game: ChangedGame, state: RankingState, beliefs: Beliefs) -> bool:
    is_rated = state.rated_from is None or game.place < state.rated_from
    return is_rated and (beliefs.verified is None or game.place > beliefs.verified)


def _games_to_rate(
    context: RankingContext,
    stored_games: Sequence[ChangedGame],
    after_place: Place | None,
    until_place: Place | None,
) -> list[ChangedGame]:
    """Return the games between two places in the order of play. Games with wrong rows are made from
    their facts."""
    if not context.state.rated:
        return []

    changes = RatingChange.objects.filter(
        ranking=context.state.ranking_id, game__in=context.outcomes
    )
    stored_seats = dict(changes.values_list("game", "seats"))
    games = [game for game in stored_games if game.game not in context.untrusted]
    for facts, outcome in context.finished:
        is_after = after_place is None or facts.place > after_place
        if is_after and (until_place is None or facts.place <= until_place):
            game = ChangedGame(
                facts.game_id,
                facts.place,
                [player for player in facts.players if player is not None],
                [rank or 0 for rank in outcome.rank],
                stored_seats.get(facts.game_id),
            )
            games.append(game)
    return sorted(games, key=lambda game: game.place)


def _rate(
    games: Sequence[ChangedGame], beliefs: Beliefs
) -> dict[int, list[tuple[float, float, float, float]]]:
    """Rate games after the `beliefs`, which are updated; return the `FIGURES` of their seats by the
    games' row ids."""
    from engine.rating.waves import rate_games  # NumPy: for the job that rates

    history = rate_games(
        [len(game.players) for game in games],
        [player for game in games for player in game.players],
        [rank for game in games for rank in game.ranks],
        beliefs.ratings,
    )
    seats = zip(history.mu_before, history.sigma_before, history.mu, history.sigma, strict=True)
    expected = {game.game: list(islice(seats, len(game.players))) for game in games}
    for game in games:
        for player, (_, _, mu, _) in zip(game.players, expected[game.game], strict=True):
            latest = [*beliefs.recent.get(player, ()), mu]
            beliefs.recent[player] = latest[-Rating.RECENT :]
    beliefs.ratings |= history.ratings()
    return expected


def _change_differences(
    games: Sequence[ChangedGame], expected: Mapping[int, Sequence[Sequence[float]]]
) -> Iterator[Difference]:
    wrong_games = []
    for game in games:
        stored_seats = [tuple(seat) for seat in game.seats or ()]
        if stored_seats != expected[game.game]:
            wrong_games.append(game)
    if not wrong_games:
        return

    rows = Game.objects.filter(pk__in=[game.game for game in wrong_games])
    names = dict(rows.values_list("pk", "external_id"))
    for game in wrong_games:
        yield from _seat_differences(names[game.game], game.seats or [], expected[game.game])


def _seat_differences(
    external_id: str,
    stored_seats: Sequence[Sequence[float]],
    expected_seats: Sequence[Sequence[float]],
) -> Iterator[Difference]:
    if len(stored_seats) != len(expected_seats):
        yield Difference(
            "rating change", external_id, "seats", len(stored_seats), len(expected_seats)
        )
        return
    seats = zip(stored_seats, expected_seats, strict=True)
    for number, (stored, expected) in enumerate(seats, start=1):
        cells = zip(FIGURES, stored, expected, strict=True)
        yield from cell_differences("rating change", f"{external_id} seat {number}", cells)


def _rating_differences(context: RankingContext, beliefs: Beliefs) -> Iterator[Difference]:
    rows = Rating.objects.filter(ranking=context.state.ranking_id)
    stored_rows = {
        player: row for player, *row in rows.values_list("player_id", "mu", "sigma", "recent")
    }
    expected_rows = {
        player: (*belief, beliefs.recent[player]) for player, belief in beliefs.ratings.items()
    }
    players = dict(Player.objects.filter(club=context.state.club_id).values_list("pk", "public_id"))
    yield from row_differences(
        "rating", players, ("mu", "sigma", "recent"), stored_rows, expected_rows
    )


def _figures(games: Iterable[ChangedGame]) -> list[int]:
    """Return figures that identify a set of games: their number, and the sums of their ids and of
    the ids' squares."""
    ids = [game.game for game in games]
    return [len(ids), sum(ids), sum(game**2 for game in ids)]


def _stored_figures(context: RankingContext, place: Place) -> list[int]:
    played_at, natural_id = place
    up_to_place = Q(played_at__lt=played_at) | Q(played_at=played_at, natural_id__lte=natural_id)
    game_id = Cast("game_id", BigIntegerField())
    games = RankedGame.objects.filter(up_to_place, ranking=context.state.ranking_id, over=True)
    figures = games.aggregate(
        count=Count("game_id"), ids=Sum(game_id), squares=Sum(game_id * game_id)
    )
    return [int(figure or 0) for figure in figures.values()]


def _resume(context: RankingContext, checkpoint: Checkpoint) -> Beliefs:
    """Return the beliefs after the previous batch; empty ones if the games before it have changed
    since."""
    carried = checkpoint.get("carried")
    if carried is None:
        return Beliefs()

    place = _place_of_json(checkpoint["at"])
    verified = _place_of_json(carried["verified"]) if carried["verified"] else None
    is_unchanged = carried["asked"] == context.state.rebuilds_asked and (
        carried["version"] == context.state.version
        or carried["prefix"] == _stored_figures(context, place)
    )
    if not is_unchanged:
        return Beliefs(verified=verified)

    ratings = {player: Belief(mu, sigma) for player, mu, sigma, _ in carried["players"]}
    recent = {player: latest for player, *_, latest in carried["players"]}
    return Beliefs(place, carried["prefix"], ratings, recent, verified)


def _store_beliefs(context: RankingContext, beliefs: Beliefs, checkpoint: Checkpoint) -> None:
    checkpoint["at"] = _place_as_json(beliefs.place)
    checkpoint["carried"] = {
        "asked": context.state.rebuilds_asked,
        "version": context.state.version,
        "prefix": beliefs.prefix,
        "players": [
            [player, *belief, beliefs.recent[player]] for player, belief in beliefs.ratings.items()
        ],
        "verified": _place_as_json(beliefs.verified),
    }


def _place_of_json(value: Any) -> Place:
    return datetime.fromisoformat(value[0]), value[1]


def _place_as_json(place: Place | None) -> list[str] | None:
    if place:
        return [place[0].isoformat(), place[1]]
    return None
