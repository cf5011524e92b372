"""Writing which games a ranking holds, and who sat in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from league.core import sql
from league.core.log.readers import reader_advance, reader_set_aside
from league.standings.ranked_game.domain.game import UNTIMED, GameFacts, Place
from league.standings.ranked_game.domain.outcome import GameOutcome
from league.standings.ranked_game.models import Appearance, RankedGame
from league.standings.ranking.queries.source import GAMES, games_batch
from league.standings.ranking.queries.state import RankingState
from league.standings.rating.models import RatingChange


class Removed(NamedTuple):
    """A game that was taken out of a ranking."""

    game_id: int
    place: Place
    over: bool
    players: Sequence[int]
    counts_for: Sequence[int | None]


def games_remove(state: RankingState, games: Sequence[int]) -> list[Removed]:
    """Take games out of a ranking; returns those that it held."""
    if not games:
        return []
    rows = sql.rows(
        """
        SELECT game_id, played_at, natural_id, over,
            ARRAY(
                SELECT player_id
                FROM league_appearance seat
                WHERE seat.ranking_id = game.ranking_id AND seat.game_id = game.game_id
                ORDER BY seat
            ),
            ARRAY(
                SELECT counts_for_id
                FROM league_appearance seat
                WHERE seat.ranking_id = game.ranking_id AND seat.game_id = game.game_id
                ORDER BY seat
            )
        FROM league_rankedgame game
        WHERE ranking_id = %s AND game_id = ANY(%s)
        """,
        [state.ranking_id, list(games)],
    )
    removals = [Removed(game, (at, name), *columns) for game, at, name, *columns in rows]
    for model in (RatingChange, Appearance, RankedGame):
        model._default_manager.filter(ranking=state.ranking_id, game__in=games).delete()
    state.game_count -= sum(removed.over for removed in removals)
    return removals


def games_rescore(
    state: RankingState, games: Sequence[GameFacts], outcomes: Mapping[int, GameOutcome]
) -> None:
    """Write what games that a ranking holds bring now, where nobody's rank in them is another
    one."""
    seats = [
        (game.game_id, seat, points, penalty)
        for game in games
        for seat, (_, points, penalty) in enumerate(
            zip(*outcomes[game.game_id].by_seat, strict=True)
        )
    ]
    if not seats:
        return
    sql.execute(
        "UPDATE league_appearance held SET points = brought.points, penalty = brought.penalty"
        " FROM unnest(%s::bigint[], %s::smallint[], %s::smallint[], %s::smallint[])"
        " AS brought (game, seat, points, penalty)"
        " WHERE held.ranking_id = %s AND held.game_id = brought.game AND held.seat = brought.seat",
        [*map(list, zip(*seats, strict=True)), state.ranking_id],
    )


def games_insert(
    state: RankingState, games: Sequence[GameFacts], outcomes: Mapping[int, GameOutcome]
) -> None:
    """Put games into a ranking, with what they brought."""
    if not games:
        return
    state.game_count += sum(outcomes[game.game_id].over for game in games)
    seats = [
        (game.game_id, player, counts_for, seat, rank, points, penalty)
        for game in games
        for seat, (player, counts_for, rank, points, penalty) in enumerate(
            zip(game.players, game.counts_for, *outcomes[game.game_id].by_seat, strict=True)
        )
    ]
    sql.execute(
        INSERT_GAMES,
        [
            *(
                state.ranking_id,
                [game.game_id for game in games],
                [game.place[0] for game in games],
            ),
            *([game.place[1] for game in games], [game.event for game in games]),
            *([outcomes[game.game_id].over for game in games], [game.only_end for game in games]),
            *([game.voided for game in games], state.ranking_id),
            *map(list, zip(*seats, strict=True)),
        ],
    )


INSERT_GAMES: Final = """
    WITH games AS (
        INSERT INTO league_rankedgame (
            ranking_id, game_id, played_at, natural_id, event, over, only_end, voided
        )
        SELECT %s, *
        FROM unnest(
            %s::bigint[], %s::timestamptz[], %s::text[], %s::text[], %s::bool[], %s::bool[],
            %s::bool[]
        )
    )
    INSERT INTO league_appearance (
        ranking_id, game_id, player_id, counts_for_id, seat, rank, points, penalty
    )
    SELECT %s, *
    FROM unnest(
        %s::bigint[], %s::bigint[], %s::bigint[], %s::smallint[], %s::smallint[],
        %s::smallint[], %s::smallint[]
    )
"""


def last_places(state: RankingState) -> tuple[Place | None, date | None]:
    """The last place of a ranking's order of play, and its last day of play, of the games that are
    over."""
    games = RankedGame.objects.filter(ranking=state.ranking_id, over=True).order_by(
        "-played_at", "-natural_id"
    )
    last = games.values_list("played_at", "natural_id").first()
    dated = games.filter(played_at__lt=UNTIMED).values_list("played_at", flat=True).first()
    return last, None if dated is None else state.day_of(dated)


def next_set_aside(state: RankingState, error: Exception, actions: Sequence[str] = GAMES) -> bool:
    """Pass over the next game that entries of these actions tell of, which broke the portion that
    it was alone in; False: there was none."""
    batch = games_batch(
        club_id=state.club_id,
        ranking_id=state.ranking_id,
        after=state.position,
        until=state.head,
        size=1,
        actions=actions,
    )
    for game in batch.games:
        reader_set_aside(state.club_id, state.reader, game.position, error)
    reader_advance(state.club_id, state.reader, batch.position)
    return bool(batch.games)
