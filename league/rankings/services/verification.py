"""All that a rebuild of a ranking would change, cell by cell; nothing is written.

All is read from one snapshot of the database, so counting goes on meanwhile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from engine.analysis.profile import Style as Sums
from engine.analysis.profile import pack_styles
from engine.rating.rating import Rating as Belief
from engine.scoring.dated_tally import DatedTally
from engine.scoring.tally import tally_of_game
from games.domain.difference import Difference
from league.clubs.models import Player
from league.rankings.domain.game import GameFacts, Place
from league.rankings.models import GameStyle, RankedGame, Ranking, Rating, Standing, Style
from league.rankings.queries.ranked import RATED, HeldGame, HeldSeat, held_games
from league.rankings.queries.source import GAMES as GAME_ACTIONS
from league.rankings.queries.source import SEALINGS, games_named, portion
from league.rankings.queries.state import RankingState, ranking_state
from league.rankings.services.counting import rated_game
from league.rankings.services.outcome import Brought, Unreadable, brought_home
from league.rankings.services.rating import RatedGame
from league.rankings.services.standing import COLUMNS, columns
from league.rankings.services.style import WORK, adds_style, analysed, style_row

GAMES: Final = 300
"""Games whose rounds are in memory at once."""
KEPT: Final = ("played_at", "natural_id", "event", "over", "only_end", "voided")
"""What a ranking keeps of a game as its facts tell it."""


@dataclass(slots=True)
class Replayed:
    """All that the sealed rounds give, as far as it is needed at the end: memory grows with the games' seats alone."""

    players: dict[int, str] = field(default_factory=dict)
    rows: dict[int, DatedTally] = field(default_factory=dict)
    rated: list[RatedGame] = field(default_factory=list)
    places: dict[int, str] = field(default_factory=dict)
    unreadable: set[int] = field(default_factory=set)
    held: dict[int, Sequence[HeldSeat]] = field(default_factory=dict)


def ranking_differences(ranking_id: int, *, styles: bool = True) -> Iterator[Difference]:
    """Every cell of a ranking that a rebuild would change; call it in a transaction of one snapshot.

    `styles`: playing styles, too, which takes some ten times as long.
    """
    state = ranking_state(ranking_id)
    replayed = Replayed(players=dict(Player.objects.filter(club=state.club_id).values_list("pk", "public_id")))
    yield from _games(state, replayed)
    yield from _standings(state, replayed)
    yield from _ratings(state, replayed)
    yield from _last(state, replayed)
    if styles:
        yield from _styles(state, replayed)


def _portions(state: RankingState, until: int, actions: Sequence[str] = SEALINGS) -> Iterator[list[GameFacts]]:
    """All games of the ranking that the log tells of by these actions, up to a position in it."""
    after, at_end = 0, False
    while not at_end:
        part = portion(
            club_id=state.club_id,
            ranking_id=state.ranking_id,
            after=after,
            until=until,
            size=GAMES,
            actions=actions,
        )
        yield part.games
        after, at_end = part.position, part.done


def _games(state: RankingState, replayed: Replayed) -> Iterator[Difference]:
    """The rows of the games and of their seats; what the other rows follow from is remembered."""
    counted: set[int] = set()
    for games in _portions(state, state.position):
        stored_games = held_games(state.ranking_id, [game.game_id for game in games])
        for game in games:
            if game.replaced:
                continue
            counted.add(game.game_id)
            replayed.places[game.game_id] = game.external_id
            try:
                outcome = brought_home(game, state.scoring)
            except Unreadable as error:
                yield Difference("game", game.external_id, "rounds", str(error), "a game that can be replayed")
                replayed.unreadable.add(game.game_id)
                continue
            yield from _game(replayed, game, outcome, stored_games.get(game.game_id))
            if outcome.over:
                _remember(state, replayed, game, outcome)
    strays = RankedGame.objects.filter(ranking=state.ranking_id).exclude(game__in=counted)
    for name in strays.values_list("game__external_id", flat=True):
        yield Difference("game", name, "counted", True, False)


def _game(replayed: Replayed, game: GameFacts, outcome: Brought, stored_game: HeldGame | None) -> Iterator[Difference]:
    """The row of one game and those of its seats."""
    if stored_game is None:
        yield Difference("game", game.external_id, "counted", False, True)
        return
    expected_columns = (*game.place, game.event, outcome.over, game.only_end, game.voided)
    for column, expected in zip(KEPT, expected_columns, strict=True):
        if getattr(stored_game, column) != expected:
            yield Difference("game", game.external_id, column, getattr(stored_game, column), expected)
    if len(stored_game.seats) != len(game.players):
        yield Difference("game", game.external_id, "seats", len(stored_game.seats), len(game.players))
        return
    replayed.held[game.game_id] = stored_game.seats
    for number, seat in enumerate(stored_game.seats):
        expected = (game.players[number], game.counts_for[number], outcome.rank[number], outcome.points[number])
        for column, stored_value, expected_value in zip(HeldSeat._fields[:RATED], seat[:RATED], expected, strict=True):
            if stored_value != expected_value:
                yield Difference(
                    "appearance", f"{game.external_id} seat {number + 1}", column, stored_value, expected_value
                )


def _remember(state: RankingState, replayed: Replayed, game: GameFacts, outcome: Brought) -> None:
    day = state.day_of(game.place[0])
    for player, rank, points in zip(game.counts_for, outcome.rank, outcome.points, strict=True):
        if player is not None:
            tally = tally_of_game(rank or 0, points or 0)
            replayed.rows[player] = replayed.rows.get(player, DatedTally()).add(day, tally)
    replayed.rated.append(rated_game(game, outcome))


def _standings(state: RankingState, replayed: Replayed) -> Iterator[Difference]:
    stored_rows = {
        player: row
        for player, *row in Standing.objects.filter(ranking=state.ranking_id).values_list("player_id", *COLUMNS)
    }
    expected_rows = {player: columns(state, replayed.players[player], row) for player, row in replayed.rows.items()}
    yield from _rows("standing", replayed, COLUMNS, stored_rows, expected_rows)


def _rows(
    table: str,
    replayed: Replayed,
    names: Sequence[str],
    stored_rows: Mapping[int, Sequence[object]],
    expected_rows: Mapping[int, Sequence[object]],
) -> Iterator[Difference]:
    """Rows by player, column by column."""
    for player in sorted(stored_rows.keys() | expected_rows.keys()):
        name = replayed.players.get(player, "nobody")
        if player not in stored_rows or player not in expected_rows:
            yield Difference(table, name, "row", player in stored_rows, player in expected_rows)
            continue
        for column, stored_value, expected_value in zip(names, stored_rows[player], expected_rows[player], strict=True):
            if stored_value != expected_value:
                yield Difference(table, name, column, stored_value, expected_value)


def _ratings(state: RankingState, replayed: Replayed) -> Iterator[Difference]:
    """Return what each game did to the ratings, and the ratings after all; what is still to be computed isn't
    judged."""
    from engine.rating.waves import rate_games  # NumPy: for the job that rates

    games = sorted(replayed.rated, key=lambda game: game.place) if state.rated else []
    history = rate_games(
        [len(game.players) for game in games],
        [player for game in games for player in game.players],
        [rank for game in games for rank in game.ranks],
        {},
    )
    changes = zip(history.mu_before, history.sigma_before, history.mu, history.sigma, strict=True)
    recent: defaultdict[int, list[float]] = defaultdict(list)
    for game in games:
        settled = state.rated_from is None or game.place < state.rated_from
        for seat, (player, expected) in enumerate(zip(game.players, changes, strict=False)):
            recent[player].append(expected[2])
            if settled and game.game_id in replayed.held:
                yield from _change(replayed, game, seat, expected)
    if state.rated_from is not None:
        return
    stored_rows = {
        player: row
        for player, *row in Rating.objects.filter(ranking=state.ranking_id).values_list(
            "player_id", "mu", "sigma", "recent"
        )
    }
    expected_rows = {
        player: (*belief, recent[player][-Rating.RECENT :]) for player, belief in _beliefs(history.ratings()).items()
    }
    yield from _rows("rating", replayed, ("mu", "sigma", "recent"), stored_rows, expected_rows)
    if not state.rated:
        for game_id, seats in replayed.held.items():
            if any(figure is not None for seat in seats for figure in seat[RATED:]):
                yield Difference("appearance", replayed.places[game_id], "mu", "a rating", None)


def _beliefs(ratings: Mapping[int, Belief]) -> dict[int, tuple[float, float]]:
    return {player: (belief.mu, belief.sigma) for player, belief in ratings.items()}


def _change(replayed: Replayed, game: RatedGame, seat: int, expected: Sequence[float]) -> Iterator[Difference]:
    """The differences between what a game did to the rating of a seat and what is stored of it."""
    names = ("mu_before", "sigma_before", "mu", "sigma")
    for column, stored_value, expected_value in zip(
        names, replayed.held[game.game_id][seat][RATED:], expected, strict=True
    ):
        if stored_value != expected_value:
            yield Difference(
                "appearance", f"{replayed.places[game.game_id]} seat {seat + 1}", column, stored_value, expected_value
            )


def _last(state: RankingState, replayed: Replayed) -> Iterator[Difference]:
    """The ranking's own columns that follow from its games."""
    places: list[Place] = [game.place for game in replayed.rated]
    last = max(places, default=None)
    days = [day for at, _ in places if (day := state.day_of(at)) is not None]
    name = Ranking.objects.values_list("public_id", flat=True).get(pk=state.ranking_id)
    if state.last != last:
        yield Difference("ranking", name, "last", state.last, last)
    if state.last_day != max(days, default=None):
        yield Difference("ranking", name, "last_day", state.last_day, max(days, default=None))
    if state.game_count != len(places):
        yield Difference("ranking", name, "game_count", state.game_count, len(places))


def _styles(state: RankingState, replayed: Replayed) -> Iterator[Difference]:
    """Tell how everybody plays, by the games that the reader of styles has come to."""
    reader = ranking_state(state.ranking_id, WORK)
    sums: defaultdict[int, Sums] = defaultdict(Sums)
    for games in _portions(state, reader.position, GAME_ACTIONS):
        stored_seats = dict(
            GameStyle.objects.filter(game__in=[game.game_id for game in games]).values_list("game", "seats")
        )
        corrected = {game.replaces for game in games if game.action in SEALINGS}
        for game in games:
            if game.game_id in replayed.unreadable:
                continue
            expected = analysed(game)
            packed = pack_styles(expected)
            if game.game_id in stored_seats and bytes(stored_seats[game.game_id]) != packed:
                yield Difference("game style", game.external_id, "seats", bytes(stored_seats[game.game_id]), packed)
            for player, seat in zip(game.players, expected, strict=True):
                if player is not None:
                    sums[player] = sums[player] + seat if adds_style(game) else sums[player] - seat
        for game in games_named([game_id for game_id in corrected if game_id is not None]):
            for player, seat in zip(game.players, analysed(game), strict=True):
                if player is not None:
                    sums[player] -= seat
    names = [column.name for column in fields(Sums)]
    stored_rows = {player: row for player, *row in _style_rows(state, names)}
    expected_rows = {
        player: [getattr(style_row(0, player, seat), name) for name in names] for player, seat in sums.items()
    }
    nothing = [getattr(style_row(0, 0, Sums()), name) for name in names]
    yield from _rows(
        "style", replayed, names, stored_rows, {p: row for p, row in expected_rows.items() if row != nothing}
    )


def _style_rows(state: RankingState, names: Sequence[str]) -> Iterable[Sequence[Any]]:
    return Style.objects.filter(ranking=state.ranking_id).values_list("player_id", *names)
