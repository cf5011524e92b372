"""All that is false of the ratings of a ranking."""

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
from league.standings.rating.models import Rating, RatingChange

GAMES: Final = 2000
"""Games that are rated in one passage."""
FIGURES: Final = ("mu_before", "sigma_before", "mu", "sigma")
"""All that is stored of what a game did to the rating of a seat."""


@dataclass(slots=True)
class Beliefs:
    """All that the games up to a place of the order of play come to: of each player mu, sigma, and
    mu after the latest games. `prefix`: figures that tell those games from any others; `verified`:
    the place up to which changes were compared, which may lie behind it, if a late game had all
    rated once more."""

    place: Place | None = None
    prefix: list[int] = field(default_factory=lambda: [0, 0, 0])
    ratings: dict[int, Belief] = field(default_factory=dict)
    recent: dict[int, list[float]] = field(default_factory=dict)
    verified: Place | None = None


def ratings(context: RankingContext, checkpoint: Checkpoint) -> Iterator[Difference]:
    """What games did to the ratings, in the order of play, and behind the last one the ratings
    after all of them. What is still to be computed isn't judged.

    Where a game came before those that are rated already, or was taken out, all are rated once
    more."""
    state = context.state
    beliefs = _read(context, checkpoint)
    held = changed_games(state.ranking_id, beliefs.place, GAMES) if state.rated else []
    at_end = len(held) < GAMES
    played = _played(context, held, beliefs.place, None if at_end else held[-1].place)
    if played:
        expected = _rate(played, beliefs)
        judged = [
            game for game in played if state.rated_from is None or game.place < state.rated_from
        ]
        fresh = [
            game for game in judged if beliefs.verified is None or game.place > beliefs.verified
        ]
        yield from _changes(fresh, expected)
        beliefs.verified = fresh[-1].place if fresh else beliefs.verified
    if not at_end:
        beliefs.place = held[-1].place
        beliefs.prefix = [
            before + more for before, more in zip(beliefs.prefix, _figures(held), strict=True)
        ]
        _write(context, beliefs, checkpoint)
        return
    checkpoint["at"] = None
    if state.rated_from is None:
        yield from _after_all(context, beliefs)


def _played(
    context: RankingContext, held: Sequence[ChangedGame], behind: Place | None, until: Place | None
) -> list[ChangedGame]:
    """The games between two places: as they are held, and where that is wrong, as they were."""
    if not context.state.rated:
        return []
    stored_seats = dict(
        RatingChange.objects.filter(
            ranking=context.state.ranking_id, game__in=context.outcomes
        ).values_list("game", "seats")
    )
    mended = [
        ChangedGame(
            game.game_id,
            game.place,
            [player for player in game.players if player is not None],
            [rank or 0 for rank in outcome.rank],
            stored_seats.get(game.game_id),
        )
        for game, outcome in context.finished
        if (behind is None or game.place > behind) and (until is None or game.place <= until)
    ]
    return sorted(
        [*(game for game in held if game.game not in context.untrusted), *mended],
        key=lambda game: game.place,
    )


def _rate(
    played: Sequence[ChangedGame], beliefs: Beliefs
) -> dict[int, list[tuple[float, float, float, float]]]:
    """Rate games; what each did to the ratings of its seats, by its id."""
    from engine.rating.waves import rate_games  # NumPy: for the job that rates

    history = rate_games(
        [len(game.players) for game in played],
        [player for game in played for player in game.players],
        [rank for game in played for rank in game.ranks],
        beliefs.ratings,
    )
    seats = zip(history.mu_before, history.sigma_before, history.mu, history.sigma, strict=True)
    expected = {game.game: list(islice(seats, len(game.players))) for game in played}
    for game in played:
        for player, (_, _, mu, _) in zip(game.players, expected[game.game], strict=True):
            beliefs.recent[player] = [*beliefs.recent.get(player, ()), mu][-Rating.RECENT :]
    beliefs.ratings |= history.ratings()
    return expected


def _changes(
    games: Sequence[ChangedGame], expected: Mapping[int, Sequence[Sequence[float]]]
) -> Iterator[Difference]:
    """The differences between what games did to the ratings and what is stored of it."""
    names: dict[int, str] = {}
    wrong = [
        game for game in games if [tuple(seat) for seat in game.seats or ()] != expected[game.game]
    ]
    if wrong:
        names = dict(
            Game.objects.filter(pk__in=[game.game for game in wrong]).values_list(
                "pk", "external_id"
            )
        )
    for game in wrong:
        stored_seats, figures_by_seat = game.seats or [], expected[game.game]
        if len(stored_seats) != len(figures_by_seat):
            yield Difference(
                "rating change", names[game.game], "seats", len(stored_seats), len(figures_by_seat)
            )
            continue
        for seat, (stored_figures, figures) in enumerate(
            zip(stored_seats, figures_by_seat, strict=True), 1
        ):
            cells = zip(FIGURES, stored_figures, figures, strict=True)
            yield from cell_differences("rating change", f"{names[game.game]} seat {seat}", cells)


def _after_all(context: RankingContext, beliefs: Beliefs) -> Iterator[Difference]:
    """The ratings after all games."""
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
    """Figures that tell games from any others: how many there are, and sums of their ids."""
    ids = [game.game for game in games]
    return [len(ids), sum(ids), sum(game**2 for game in ids)]


def _prefix(context: RankingContext, place: Place) -> list[int]:
    """The figures of the games up to a place, as they are held at this moment."""
    at, name = place
    before = Q(played_at__lt=at) | Q(played_at=at, natural_id__lte=name)
    game = Cast("game_id", BigIntegerField())
    figures = RankedGame.objects.filter(
        before, ranking=context.state.ranking_id, over=True
    ).aggregate(count=Count("game_id"), ids=Sum(game), squares=Sum(game * game))
    return [int(figure or 0) for figure in figures.values()]


def _read(context: RankingContext, checkpoint: Checkpoint) -> Beliefs:
    """What the passage before came to; nothing, if its games aren't those any more that come
    first."""
    carried = checkpoint.get("carried")
    if carried is None:
        return Beliefs()
    place = _place(checkpoint["at"])
    verified = _place(carried["verified"]) if carried["verified"] else None
    is_same = carried["version"] == context.state.version or carried["prefix"] == _prefix(
        context, place
    )
    if carried["asked"] != context.state.rebuilds_asked or not is_same:
        return Beliefs(verified=verified)
    ratings = {player: Belief(mu, sigma) for player, mu, sigma, _ in carried["players"]}
    recent = {player: latest for player, *_, latest in carried["players"]}
    return Beliefs(place, carried["prefix"], ratings, recent, verified)


def _write(context: RankingContext, beliefs: Beliefs, checkpoint: Checkpoint) -> None:
    """Note in a checkpoint what this passage came to, and in which state of the ranking."""
    checkpoint["at"] = _plain(beliefs.place)
    checkpoint["carried"] = {
        "asked": context.state.rebuilds_asked,
        "version": context.state.version,
        "prefix": beliefs.prefix,
        "players": [
            [player, *belief, beliefs.recent[player]] for player, belief in beliefs.ratings.items()
        ],
        "verified": _plain(beliefs.verified),
    }


def _place(value: Any) -> Place:
    return datetime.fromisoformat(value[0]), value[1]


def _plain(place: Place | None) -> list[str] | None:
    return [place[0].isoformat(), place[1]] if place else None
