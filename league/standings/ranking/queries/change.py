"""What removing a game, or counting it for another player, does to a ranking: tallies, ranks, and
how many ratings follow."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from engine.scoring.standings import Criterion, sort_key
from engine.scoring.tally import Tally
from league.core import sql
from league.standings.ranked_game.domain.game import Place
from league.standings.ranking.queries.state import RankingState

COUNTED: Final = 1000
"""Games that have to be rated again are counted up to this number; beyond it, pages only say
"more"."""


TALLIES: Final = """
    SELECT counts_for_id, count(*), count(*) FILTER (WHERE rank = 1), sum(points - penalty),
        sum(rank), max(points)
    FROM ({seats}) seat
    WHERE counts_for_id IS NOT NULL AND rank IS NOT NULL
    GROUP BY counts_for_id
"""
WITHOUT: Final = TALLIES.format(
    seats="""
        SELECT counts_for_id, rank, points, penalty
        FROM league_appearance
        WHERE ranking_id = %(ranking)s AND counts_for_id = ANY(%(players)s) AND game_id <> %(game)s
    """
)
COUNTING: Final = TALLIES.format(
    seats="""
        SELECT counts_for_id, rank, points, penalty
        FROM league_appearance
        WHERE ranking_id = %(ranking)s
            AND counts_for_id = ANY(%(players)s)
            AND NOT (player_id = %(player)s AND game_id = ANY(%(games)s))
        UNION ALL
        SELECT %(counts_for)s::int, rank, points, penalty
        FROM league_appearance
        WHERE ranking_id = %(ranking)s AND player_id = %(player)s AND game_id = ANY(%(games)s)
    """
)


def tallies_without(ranking_id: int, players: Collection[int], game_id: int) -> dict[int, Tally]:
    """Return players' tallies over all games that count for them but one."""
    return _tallies(WITHOUT, {"ranking": ranking_id, "players": list(players), "game": game_id})


def tallies_if_counted_for(
    ranking_id: int,
    players: Collection[int],
    games: Collection[int],
    player: int,
    counts_for: int | None,
) -> dict[int, Tally]:
    """Return players' tallies as if one player's seats in these games counted for `counts_for`
    (None: for nobody)."""
    parameters = {
        "ranking": ranking_id,
        "players": list(players),
        "games": list(games),
        "player": player,
    }
    return _tallies(COUNTING, {**parameters, "counts_for": counts_for})


def _tallies(statement: str, parameters: dict[str, Any]) -> dict[int, Tally]:
    return {player: Tally(*figures) for player, *figures in sql.rows(statement, parameters)}


def ranks_changed(
    ranking_id: int,
    order: Sequence[Criterion],
    concerned: Sequence[int],
    before: Sequence[Tally | None],
    after: Sequence[Tally],
) -> list[tuple[int | None, int | None]]:
    """Return for each pair of tallies the rank before and the rank after the change; None where the
    player has no game. A rank is one more than the number of rows above. One query.

    `concerned`: the players whose rows change, in the order of the tallies. Tallies of players who
    don't exist yet may follow theirs."""
    keys_before = [list(sort_key(tally, order)) if tally else None for tally in before]
    keys_after = [list(sort_key(tally, order)) if tally.games else None for tally in after]
    if not keys_before:
        return []
    counts = _rows_above(ranking_id, concerned, keys_before, keys_after)
    ranks: list[tuple[int | None, int | None]] = []
    for key_before, key_after, (above_before, unconcerned_above_after) in zip(
        keys_before, keys_after, counts, strict=True
    ):
        rank_before = None if key_before is None else 1 + above_before
        rank_after = None
        if key_after is not None:
            # the rows of concerned players still have their old keys, so the query leaves them out
            concerned_above = sum(key is not None and key > key_after for key in keys_after)
            rank_after = 1 + unconcerned_above_after + concerned_above
        ranks.append((rank_before, rank_after))
    return ranks


def _rows_above(
    ranking_id: int,
    concerned: Sequence[int],
    keys_before: Sequence[list[int] | None],
    keys_after: Sequence[list[int] | None],
) -> list[tuple[int, int]]:
    """Return for each player two counts of the ranking's rows: all rows above the key before the
    change, and the rows of players who aren't `concerned` above the key after it."""
    value_rows = ", ".join(["(%s::int, %s::bigint[], %s::bigint[])"] * len(keys_before))
    values: list[Any] = []
    for position, (key_before, key_after) in enumerate(zip(keys_before, keys_after, strict=True)):
        values += [position, key_before, key_after]
    return sql.rows(
        f"""
        SELECT
            (
                SELECT count(*)
                FROM league_standing
                WHERE ranking_id = %s AND key > changed.key_before
            ),
            (
                SELECT count(*)
                FROM league_standing
                WHERE ranking_id = %s AND key > changed.key_after AND player_id <> ALL(%s)
            )
        FROM (VALUES {value_rows}) AS changed (position, key_before, key_after)
        ORDER BY changed.position
        """,
        [ranking_id, ranking_id, list(concerned), *values],
    )


def rated_again(state: RankingState, places: Sequence[Place]) -> int | None:
    """Return how many games of a ranking have to be rated again from the first of these places on,
    at most `COUNTED` + 1; None if the ranking isn't rated, or no place is given."""
    if not state.rated or not places:
        return None
    row = sql.row(
        """
        SELECT count(*)
        FROM (
            SELECT
            FROM league_rankedgame
            WHERE ranking_id = %s AND over AND (played_at, natural_id) >= (%s, %s)
            LIMIT %s
        ) game
        """,
        [state.ranking_id, *min(places), COUNTED + 1],
    )
    return int(row[0])
