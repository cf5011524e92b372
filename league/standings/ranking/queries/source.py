"""The facts a ranking is made of: games with their sealed rounds, in the order of the club's log.

Plain tuples in one query: a rebuild reads hundreds of thousands of rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from league.core import sql
from league.standings.adjustment.queries import ORDER, PENALTIES, adjustments_read
from league.standings.ranked_game.actions import GameAction
from league.standings.ranked_game.domain.game import MICROSECONDS, GameBatch, GameFacts, instant
from league.standings.ranked_game.queries.seats import seats_for_others
from league.standings.ranking.queries.state import RankingState

OWNED: Final = """
    (
        season.ranking_id = %(ranking)s
        OR season.visibility = 'public' AND EXISTS (
            SELECT 1
            FROM league_alltime owner
            WHERE owner.ranking_id = %(ranking)s AND owner.club_id = season.club_id
        )
    )
"""
"""The condition that a ranking counts a season's games: it is the season's own ranking, or the
club's over all public seasons."""
GAME: Final = f"""
    season.club_id, game.id AS game_id, game.kind, game.header,
        {MICROSECONDS.format("game.played_at")} AS played_at, game.external_id, game.event,
        game.replaces_id,
        (
            SELECT true
            FROM games_game correction
            WHERE correction.replaces_id = game.id
            LIMIT 1
        ) IS NOT NULL AS replaced,
        COALESCE(
            (
                SELECT stands
                FROM games_void
                WHERE game_id = game.id
                ORDER BY number DESC
                LIMIT 1
            ),
            false
        ) AS voided,
        {ORDER.format(game="game.id")} AS set_order,
        {PENALTIES.format(game="game.id")} AS penalties,
        ARRAY(
            SELECT body
            FROM games_round
            WHERE game_id = game.id
            ORDER BY number
        ) AS bodies
"""
"""Everything sealed of a game except its seats."""
ENTRIES: Final = f"""
    FROM league_logentry entry
    JOIN games_game game ON game.public_id = entry.subject
    JOIN league_seasongame member ON member.game_id = game.id
    JOIN league_season season ON season.id = member.season_id
    WHERE entry.club_id = %(club)s AND entry.action = ANY(%(actions)s) AND {OWNED}
"""
"""The entries of a club's log about a ranking's games."""
FACTS: Final = """
    WITH told AS MATERIALIZED ({games}),
    seat AS MATERIALIZED (
        SELECT game_id, club_id, number, handle, seal
        FROM (SELECT DISTINCT game_id, club_id FROM told) game
        CROSS JOIN LATERAL (
            SELECT number, handle, seal
            FROM games_seat
            WHERE game_id = game.game_id
            OFFSET 0
        ) seat
    ),
    named AS MATERIALIZED (
        SELECT club_id, handle,
            (
                SELECT COALESCE(player.merged_into_id, player.id)
                FROM league_handle named
                JOIN league_player player ON player.id = named.player_id
                WHERE named.club_id = seat.club_id AND lower(named.handle) = lower(seat.handle)
            ) AS player
        FROM (SELECT DISTINCT club_id, handle FROM seat) seat
    ),
    seats AS MATERIALIZED (
        SELECT game_id, array_agg(handle ORDER BY number) AS handles,
            array_agg(seal ORDER BY number) AS seals,
            array_agg(player ORDER BY number) AS players
        FROM seat
        JOIN named USING (club_id, handle)
        GROUP BY game_id
    )
    SELECT in_season, played_at, position, action, game_id, kind, header, external_id,
        event, replaces_id, replaced, voided, set_order, penalties, voided_before, bodies,
        handles, seals, players
    FROM told
    JOIN seats USING (game_id)
    ORDER BY position
"""
"""`games` with their seats. Each game's seats are looked up by themselves, and each handle once for
all games: a join could read all of a club's for each game."""
LOGGED_GAMES: Final = f"""
    SELECT season.ranking_id = %(ranking)s AS in_season, entry.position, entry.action,
        (
            SELECT voided
            FROM league_rankedgame held
            WHERE held.ranking_id = %(ranking)s AND held.game_id = game.id
        ) AS voided_before,
        {GAME} {ENTRIES}
"""
"""The games of a ranking by the log entries about them, with whether the ranking is that of the
game's season, and whether it holds the game as void; NULL if it doesn't hold it."""
SEALINGS: Final = [GameAction.SEALED.value, GameAction.CORRECTED.value]
"""The actions of which each game has exactly one."""
ADJUSTING: Final = [
    GameAction.PENALIZED.value,
    GameAction.PENALTY_LIFTED.value,
    GameAction.ORDER_SET.value,
    GameAction.ORDER_LIFTED.value,
]
"""The actions that change the points or ranks of a game that counts."""
PLAYED: Final = [*SEALINGS, GameAction.VOIDED.value, GameAction.RESTORED.value]
"""The actions after which a game counts as played, or no longer does."""
GAMES: Final = [*PLAYED, *ADJUSTING]
"""The actions after which a ranking has to count a game, to remove it, or to count it
differently."""


def next_games(
    *,
    club_id: int,
    ranking_id: int,
    after: int,
    until: int,
    size: int,
    actions: Sequence[str] = GAMES,
) -> GameBatch:
    """Return the next games of a ranking, at most `size`, whose log entries come after position
    `after` and no later than `until`. A game with several entries comes once for each."""
    parameters = {
        "club": club_id,
        "ranking": ranking_id,
        "actions": list(actions),
        "after": after,
        "until": until,
        "size": size,
    }
    games = _read_games(
        f"""
        {LOGGED_GAMES}
            AND entry.position > %(after)s
            AND entry.position <= %(until)s
        ORDER BY entry.position
        LIMIT %(size)s
        """,
        parameters,
    )
    is_last = len(games) < size
    position = until if is_last else games[-1].position
    return GameBatch(games, position, done=is_last)


def entries(*, club_id: int, ranking_id: int, positions: Sequence[int]) -> list[GameFacts]:
    """Return the games of a ranking that the log entries at these positions are about."""
    parameters = {
        "club": club_id,
        "ranking": ranking_id,
        "actions": GAMES,
        "positions": list(positions),
    }
    return _read_games(f"{LOGGED_GAMES} AND entry.position = ANY(%(positions)s)", parameters)


def games_counting(state: RankingState, games: Sequence[int]) -> set[int]:
    """Return those of these games that a ranking should hold: no correction replaces them, and the
    log has an entry that seals them up to the reader's position."""
    rows = sql.rows(
        f"""
        SELECT game.id {ENTRIES}
            AND game.id = ANY(%(games)s)
            AND entry.position <= %(until)s
            AND NOT EXISTS (
                SELECT 1
                FROM games_game correction
                WHERE correction.replaces_id = game.id
            )
        """,
        {
            "club": state.club_id,
            "ranking": state.ranking_id,
            "actions": SEALINGS,
            "games": list(games),
            "until": state.position,
        },
    )
    return {game for (game,) in rows}


def games_named(games: Sequence[int]) -> list[GameFacts]:
    """Return games by their ids, whichever ranking counts them. They belong to no log entry, so
    their `position` is 0 and their `action` empty."""
    return _read_games(
        f"""
        SELECT false AS in_season, 0 AS position, '' AS action, NULL::bool AS voided_before,
            {GAME}
        FROM games_game game
        JOIN league_seasongame member ON member.game_id = game.id
        JOIN league_season season ON season.id = member.season_id
        WHERE game.id = ANY(%(games)s)
        """,
        {"games": list(games)},
    )


def _read_games(games_query: str, parameters: dict[str, Any]) -> list[GameFacts]:
    """Return the selected games. Seats count for others only in the ranking of the game's own
    season."""
    columns_of_games = sql.rows(FACTS.format(games=games_query), parameters)
    rows = [_game_facts(*columns) for columns in columns_of_games]
    of_season = [game.game_id for in_season, game in rows if in_season]
    stand_ins = seats_for_others(of_season)
    return [_counting_for(game, stand_ins.get(game.game_id)) for _, game in rows]


def _game_facts(in_season: bool, time: int | None, *columns: Any) -> tuple[bool, GameFacts]:
    """Return the game in a row of `FACTS`, and whether the ranking is that of its season."""
    *sealed, order, penalties, voided_before, bodies, handles, seals, players = columns
    played_at = None if time is None else instant(time)
    adjustments = adjustments_read(order, penalties)
    counts_for = players
    facts = [*sealed, adjustments, voided_before, bodies, handles, seals, players, counts_for]
    return in_season, GameFacts(played_at, *facts)


def _counting_for(game: GameFacts, stand_ins: Mapping[int, int | None] | None) -> GameFacts:
    """Set whom the seats count for. `stand_ins`: by player who doesn't play for themselves, the
    player for whom they play; None for nobody."""
    if not stand_ins:
        return game
    counts_for = [
        None if player is None else stand_ins.get(player, player) for player in game.players
    ]
    return game._replace(counts_for=counts_for)
