"""All that a rebuild of a ranking would change, cell by cell; nothing is written.

All is read from one snapshot of the database, so counting goes on meanwhile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Any, Final

from engine.analysis.profile import Style as Sums
from engine.analysis.profile import pack_styles
from engine.scoring.dated_tally import DatedTally
from engine.scoring.tally import tally_of_game
from games.domain.difference import Difference
from league.clubs.models import Player
from league.rankings.domain.game import GameFacts, Place
from league.rankings.models import GameStyle, RankedGame, Ranking, Rating, RatingChange, Standing, Style
from league.rankings.queries.ranked import HeldGame, HeldSeat, held_games
from league.rankings.queries.source import GAMES as GAME_ACTIONS
from league.rankings.queries.source import SEALINGS, games_named, portion
from league.rankings.queries.state import RankingState, ranking_state
from league.rankings.services.counting import rated_game
from league.rankings.services.outcome import Brought, Unreadable, brought_home
from league.rankings.services.rating_change import RatedGame
from league.rankings.services.standing import COLUMNS, columns
from league.rankings.services.style import WORK, adds_style, analysed, style_row

GAMES: Final = 300
"""Games whose rounds are in memory at once."""
FIGURES: Final = ("mu_before", "sigma_before", "mu", "sigma")
"""All that is stored of what a game did to the rating of a seat."""
KEPT: Final = ("played_at", "natural_id", "event", "over", "only_end", "voided")
"""What a ranking keeps of a game as its facts tell it."""


@dataclass(slots=True)
class Replayed:
    """All that the sealed rounds give, as far as it is needed at the end: memory grows with the games' seats alone."""

    players: dict[int, str] = field(default_factory=dict)
    rows: dict[int, DatedTally] = field(default_factory=dict)
    rated: list[tuple[Place, RatedGame]] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    unreadable: set[int] = field(default_factory=set)


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
            replayed.names[game.game_id] = game.external_id
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
    for number, seat in enumerate(stored_game.seats):
        expected = (game.players[number], game.counts_for[number], outcome.rank[number], outcome.points[number])
        for column, stored_value, expected_value in zip(HeldSeat._fields, seat, expected, strict=True):
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
    replayed.rated.append((game.place, rated_game(game, outcome)))


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

    played = sorted(replayed.rated, key=lambda rated: rated[0]) if state.rated else []
    history = rate_games(
        [len(game.players) for _, game in played],
        [player for _, game in played for player in game.players],
        [rank for _, game in played for rank in game.ranks],
        {},
    )
    seats = zip(history.mu_before, history.sigma_before, history.mu, history.sigma, strict=True)
    recent: defaultdict[int, list[float]] = defaultdict(list)
    expected_changes: dict[int, Sequence[Sequence[float]]] = {}
    for place, game in played:
        changes = list(islice(seats, len(game.players)))
        for player, (_, _, mu, _) in zip(game.players, changes, strict=True):
            recent[player].append(mu)
        if state.rated_from is None or place < state.rated_from:
            expected_changes[game.game_id] = changes
    yield from _changes(state, replayed, expected_changes)
    if state.rated_from is not None:
        return
    stored_rows = {
        player: row
        for player, *row in Rating.objects.filter(ranking=state.ranking_id).values_list(
            "player_id", "mu", "sigma", "recent"
        )
    }
    expected_rows = {
        player: (*belief, recent[player][-Rating.RECENT :]) for player, belief in history.ratings().items()
    }
    yield from _rows("rating", replayed, ("mu", "sigma", "recent"), stored_rows, expected_rows)


def _changes(
    state: RankingState, replayed: Replayed, expected_changes: Mapping[int, Sequence[Sequence[float]]]
) -> Iterator[Difference]:
    """The differences between what games did to the ratings and what is stored of it, by the game's id."""
    stored_changes = dict(RatingChange.objects.filter(ranking=state.ranking_id).values_list("game", "seats"))
    if state.rated_from is None:
        for game_id in sorted(stored_changes.keys() - expected_changes.keys() - replayed.unreadable):
            yield Difference("rating change", replayed.names.get(game_id, "no game"), "row", True, False)
    for game_id, changes in expected_changes.items():
        name = replayed.names[game_id]
        stored_seats = stored_changes.get(game_id, [])
        if len(stored_seats) != len(changes):
            yield Difference("rating change", name, "seats", len(stored_seats), len(changes))
            continue
        for seat, (stored_figures, figures) in enumerate(zip(stored_seats, changes, strict=True), 1):
            for column, stored_value, expected_value in zip(FIGURES, stored_figures, figures, strict=True):
                if stored_value != expected_value:
                    yield Difference("rating change", f"{name} seat {seat}", column, stored_value, expected_value)


def _last(state: RankingState, replayed: Replayed) -> Iterator[Difference]:
    """The ranking's own columns that follow from its games."""
    places = [place for place, _ in replayed.rated]
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
