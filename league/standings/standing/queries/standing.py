"""A ranking's table, and the games behind a row of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ObjectDoesNotExist

from engine.scoring.standings import Criterion, decided_by
from league.core import sql
from league.core.player.models import Player
from league.standings.comparison.queries import Results
from league.standings.ranked_game.domain.gameline import LINE, GameLine
from league.standings.ranked_game.models import RankedGame
from league.standings.ranked_game.queries.gameline import with_marks
from league.standings.ranked_game.queries.provisional import provisional_games
from league.standings.ranking.models import Ranking, TieBreak
from league.standings.rating.domain import Rated, RatedByGame
from league.standings.standing.domain import MOST_ON_PODIUM
from league.standings.standing.models import Standing

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class TableRow(Results, Rated):
    """One row of a ranking. `mu`, `sigma` and `recent` are None without a rating.

    `decided_by`: the tie-break that put this row behind the one above it; empty if none was needed.
    `place`: the row's number from 1, unique even for shared ranks. `only_end`: only the end is
    known of one of its games. `provisional`: a seat objects to the result of one of its games.
    `penalty`: all points taken off by penalties; `points` no longer include them."""

    rank: int
    rank_before: int | None
    decided_by: str
    player: str
    handle: str
    name: str
    best: int
    mu: float | None
    sigma: float | None
    recent: Sequence[float] | None
    only_end: bool
    provisional: bool
    penalty: int
    place: int

    @property
    def climbed(self) -> int | None:
        """Return by how many places the row rose on the last day of play, negative for a fall; None
        for a new player."""
        return None if self.rank_before is None else self.rank_before - self.rank

    @property
    def decided(self) -> StrOrPromise:
        """Return the label of the tie-break that put this row behind the one above it; empty if
        none was needed."""
        return TieBreak(self.decided_by).label if self.decided_by else ""

    @property
    def made_of(self) -> str:
        """Return the address, below the ranking's, of the page with the games behind the row."""
        return f"players/{self.player}/"


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows of a ranking, and all that a page shows with them.

    `found`: the number of rows that match a search. The rest is the same for every sorting, page
    and search: `leaders`, the first `LEADERS` rows of the ranking; `own`, the place of the viewer's
    own row; `around`, the own row with its neighbours; `first_table`: no row had a rank before the
    last day of play."""

    rows: list[TableRow]
    found: int
    leaders: list[TableRow]
    own: int | None
    around: list[TableRow]
    first_table: bool


SORTS: Final = {
    "name": "(SELECT name_key FROM league_player player WHERE player.id = row.player_id)",
    "games": "row.games",
    "wins": "row.wins",
    "points": "row.points",
    "per_game": "row.points::float8 / row.games",
    "average_rank": "row.rank_sum::float8 / row.games",
    "best": "row.best",
    "rating": """(
        SELECT mu
        FROM league_rating rating
        WHERE rating.ranking_id = row.ranking_id AND rating.player_id = row.player_id
    )""",
}
"""The sort expressions of a table besides the rank.

Values in other tables are looked up by key: with unknown sizes, a join would compare every row with
every other."""
WAY: Final = "row.key DESC, row.public_id"
"""The order of the table itself, that of the index `standing_by_key`."""
LEADERS: Final = MOST_ON_PODIUM + 1
ALL: Final = 2**31
"""More rows than any ranking has."""
HELD: Final = "FROM league_standing row WHERE row.ranking_id = %(ranking)s"
EARLIER: Final = """
    CASE WHEN row.day IS NOT DISTINCT FROM (
        SELECT last_day
        FROM league_ranking
        WHERE id = %(ranking)s
    ) THEN row.key_before ELSE row.key END
"""
"""The key of a row before the last day of play; NULL for a player who hadn't played."""
RANKED: Final = f"""
    placed AS MATERIALIZED (
        SELECT *
        FROM (
            SELECT row.player_id, row.key, row_number() OVER way AS place,
                rank() OVER (ORDER BY row.key DESC) AS rank, lag(row.key) OVER way AS key_above
            FROM (SELECT row.* {HELD} ORDER BY {WAY} LIMIT {{until}}) row
            WINDOW way AS (ORDER BY {WAY})
        ) held
        WHERE (player_id IN (SELECT player_id FROM shown)) IS TRUE
    ),
    before AS MATERIALIZED (
        SELECT *
        FROM (
            SELECT player_id, rank() OVER (ORDER BY earlier DESC) AS rank
            FROM (SELECT row.player_id, {EARLIER} AS earlier {HELD}) held
            WHERE earlier IS NOT NULL
        ) held
        WHERE (player_id IN (SELECT player_id FROM shown)) IS TRUE
    )
"""
"""The ranks, now and before the last day of play, of the rows in `shown`.

This reads the first `until` keys and all earlier ones, each once: without `MATERIALIZED` and `IS
TRUE` the database would read them for each row as long as it doesn't know the size of the table."""
JOINED: Final = """
    JOIN league_player player ON player.id = row.player_id
    LEFT JOIN league_rating rating ON rating.ranking_id = row.ranking_id
        AND rating.player_id = row.player_id
"""
COLUMNS: Final = """
    row.games, row.wins, row.points, row.rank_sum, placed.rank, before.rank, row.key,
    placed.key_above, player.public_id, player.handle, player.name, row.best, rating.mu,
    rating.sigma, rating.recent,
    EXISTS (SELECT 1 FROM league_rankedgame WHERE ranking_id = %(ranking)s AND only_end)
    AND EXISTS (
        SELECT 1
        FROM league_appearance seat
        JOIN league_rankedgame game USING (ranking_id, game_id)
        WHERE seat.ranking_id = row.ranking_id
            AND seat.counts_for_id = row.player_id
            AND game.only_end
            AND game.over
    ),
    row.player_id IN (
        SELECT seat.counts_for_id
        FROM league_appearance seat
        WHERE seat.ranking_id = %(ranking)s AND seat.game_id IN ({provisional})
    ),
    COALESCE(
        (
            SELECT sum(seat.penalty)
            FROM league_appearance seat
            WHERE seat.ranking_id = row.ranking_id
                AND seat.counts_for_id = row.player_id
                AND seat.penalty > 0
        ),
        0
    ),
    placed.place
"""
SHOWN: Final = f"""
    FROM placed
    JOIN league_standing row ON row.ranking_id = %(ranking)s AND row.player_id = placed.player_id
    {JOINED}
    LEFT JOIN before ON before.player_id = placed.player_id
"""
ROWS: Final = f"NOT MATERIALIZED (SELECT row.* {HELD})"
SEARCHED: Final = """MATERIALIZED (
    SELECT row.*
    FROM league_standing row
    JOIN league_player player ON player.id = row.player_id
    WHERE row.ranking_id = %(ranking)s AND {}
)"""
PART: Final = f"""
    WITH own AS (
        SELECT row.player_id,
            1 + (
                SELECT count(*)
                FROM league_standing above
                WHERE above.ranking_id = row.ranking_id
                    AND above.key >= row.key
                    AND (above.key > row.key OR above.public_id < row.public_id)
            ) AS place
        FROM league_standing row
        JOIN league_player player ON player.id = row.player_id
        WHERE row.ranking_id = %(ranking)s AND player.user_id = %(user)s
        ORDER BY {WAY}
        LIMIT 1
    ),
    found AS {{found}},
    page AS (
        SELECT *
        FROM unnest(
            ARRAY(
                SELECT row.player_id
                FROM found row
                ORDER BY {{order}}
                OFFSET %(first)s
                LIMIT %(count)s
            )
        ) WITH ORDINALITY AS listed (player_id, position)
    ),
    shown AS (
        SELECT player_id
        FROM page
        UNION (SELECT row.player_id {HELD} ORDER BY {WAY} LIMIT {LEADERS})
        UNION (
            SELECT row.player_id {HELD}
            ORDER BY {WAY}
            OFFSET (SELECT greatest(place - 2, 0) FROM own)
            LIMIT 3
        )
    ),
    {RANKED.format(until="greatest(%(until)s, (SELECT place + 1 FROM own))")}
    SELECT {COLUMNS}, page.position, (SELECT count(*) FROM found), (SELECT place FROM own),
        EXISTS (SELECT 1 {HELD} AND {EARLIER} IS NOT NULL)
    {SHOWN}
    LEFT JOIN page ON page.player_id = placed.player_id
    ORDER BY page.position, placed.place
"""
ONE: Final = f"""
    WITH shown AS (SELECT id AS player_id FROM league_player WHERE public_id = %(player)s),
    {RANKED.format(until="ALL")}
    SELECT {COLUMNS}
    {SHOWN}
"""


def table_part(
    ranking: Ranking,
    *,
    first: int = 0,
    count: int | None = None,
    sort: str = "rank",
    words: Sequence[str] = (),
    user: int | None = None,
) -> TablePart:
    """Return rows of a ranking in one query: all of them, or `count` rows, starting with number
    `first` (from 0).

    `sort`: `rank` or a key of `SORTS`, with a minus for descending order; equal rows are sorted by
    rank, and rows without the figure come last. `words`: folded words of a search, each of which
    must occur in the name or the handle. `user`: the row id of the viewer's account."""
    query = PART.format(
        provisional=provisional_games(), found=_matching_rows_sql(words), order=_order_sql(sort)
    )
    until = ALL
    # in the table's own order, the ranks of a page need only the rows up to it
    if sort == "rank" and not words and count is not None:
        until = first + count
    parameters = {
        "ranking": ranking.pk,
        "first": first,
        "count": count,
        "user": user,
        "until": until,
        **{f"word{number}": word for number, word in enumerate(words)},
    }
    shown_rows = sql.rows(query, parameters)
    if not shown_rows:
        return TablePart(rows=[], found=0, leaders=[], own=None, around=[], first_table=True)
    match_count, own_place, had_ranks = shown_rows[0][-3:]  # the same in each row
    order = _order_of_keys(ranking)
    rows = [(_table_row(order, columns), position) for *columns, position, _, _, _ in shown_rows]
    by_place = sorted([row for row, _ in rows], key=lambda row: row.place)

    return TablePart(
        # leaders and neighbours that aren't on the page have no position
        rows=[row for row, position in rows if position is not None],
        found=match_count,
        leaders=[row for row in by_place if row.place <= LEADERS],
        own=own_place,
        around=[row for row in by_place if own_place and abs(row.place - own_place) <= 1],
        first_table=not had_ranks,
    )


def _matching_rows_sql(words: Sequence[str]) -> str:
    if not words:
        return ROWS
    conditions = [
        f"strpos(player.search_text, %(word{number})s) > 0" for number in range(len(words))
    ]
    return SEARCHED.format(" AND ".join(conditions))


def _order_sql(sort: str) -> str:
    if sort == "rank":
        return WAY
    if sort == "-rank":
        return "row.key, row.public_id DESC"
    direction = "DESC" if sort.startswith("-") else "ASC"
    return f"{SORTS[sort.removeprefix('-')]} {direction} NULLS LAST, {WAY}"


def table_rows(ranking: Ranking, *, first: int = 0, count: int | None = None) -> list[TableRow]:
    """Return the rows of a ranking from best to worst, in one query: all of them, or `count` rows,
    starting with number `first` (from 0)."""
    return table_part(ranking, first=first, count=count).rows


def own_player(ranking: Ranking, user: int | None) -> str:
    """Return the player whose row in a ranking is an account's own, by public id; empty if the
    account, given by row id, has no row there. One query; none if nobody is signed in."""
    if user is None:
        return ""
    rows = Standing.objects.filter(ranking=ranking, player__user=user)
    return rows.order_by("-key", "public_id").values_list("public_id", flat=True).first() or ""


def name_in_row(ranking: Ranking, player: str) -> str | None:
    """Return the name of a player, given by public id, who has a row in a ranking; None without
    one."""
    rows = Standing.objects.filter(ranking=ranking, public_id=player)
    return rows.values_list("player__name", flat=True).first()


def row_of(ranking: Ranking, player: str) -> TableRow:
    """Return a player's row of a ranking, by public id. Raise `ObjectDoesNotExist`."""
    columns = sql.row(
        ONE.format(provisional=provisional_games()), {"ranking": ranking.pk, "player": player}
    )
    if not columns:
        raise ObjectDoesNotExist
    return _table_row(_order_of_keys(ranking), columns)


def _order_of_keys(ranking: Ranking) -> Sequence[Criterion]:
    """Return the tie-breaks by which the keys of a ranking's rows were made; empty during a
    rebuild, which may change the keys."""
    return ranking.order if ranking.rebuilt_to is None else ()


def _table_row(order_of_keys: Sequence[Criterion], columns: Sequence[Any]) -> TableRow:
    """Return the row with the columns `COLUMNS`. Two of them, the keys of this row and of the one
    above, only say which tie-break decided; the others are in the order of the row's fields."""
    games, wins, points, rank_sum, rank, rank_before, key, key_above, *rest = columns
    tie_break = ""
    if key_above is not None and len(key_above) == len(key) == len(order_of_keys):
        tie_break = decided_by(tuple(key_above), tuple(key), order_of_keys) or ""
    return TableRow(games, wins, points, rank_sum, rank, rank_before, tie_break, *rest)


@dataclass(frozen=True, slots=True)
class Share(Rated, RatedByGame):
    """The share of one game in a player's row: rank, points, the points that a penalty takes off,
    and `total`, the player's points up to and including the game.

    The ratings before and after are None if the ranking isn't rated. They are the ratings of
    whoever sat there (`player`, `handle`, `name`): the player, or a substitute."""

    game: GameLine
    rank: int
    points: int
    penalty: int
    total: int
    mu_before: float | None
    mu: float | None
    sigma: float | None
    player: str
    handle: str
    name: str

    @property
    def total_played(self) -> int:
        """Return the points up to and including the game, before its penalty."""
        return self.total + self.penalty

    @property
    def taken(self) -> int:
        """Return the penalty as points below 0."""
        return -self.penalty


SHARES: Final = """
    WITH own AS (
        SELECT ranking_id, game_id, seat, player_id, seat.rank, points, penalty, played_at,
            natural_id,
            sum(points - penalty) OVER (ORDER BY played_at, natural_id, seat) AS total
        FROM league_rankedgame game
        JOIN league_appearance seat USING (ranking_id, game_id)
        WHERE counts_for_id = %(player)s AND ranking_id = %(ranking)s AND over
        ORDER BY played_at, natural_id, seat {of_all}
    )
    SELECT game_id, own.rank, points, penalty, total, seats[seat + 1][1],
        seats[seat + 1][3], seats[seat + 1][4], player.public_id, player.handle, player.name
    FROM own
    JOIN league_player player ON player.id = player_id
    LEFT JOIN league_ratingchange change USING (ranking_id, game_id)
    WHERE (own.rank = %(rank)s OR %(rank)s IS NULL)
        AND (points = %(points)s OR %(points)s IS NULL)
    ORDER BY played_at, natural_id, seat {of_some}
"""
PAGE: Final = "OFFSET %(first)s LIMIT %(count)s"
"""For a page of all games, the database reads the ranking's games in order and stops after the
page, or reads the player's few games only. It decides by the player's id, so the id is a parameter
and not looked up in the query."""


def shares_of(
    ranking: Ranking,
    player: str,
    *,
    first: int = 0,
    count: int | None = None,
    rank: int | None = None,
    points: int | None = None,
) -> list[Share]:
    """Return a player's games that a ranking counts, in order of play: all of them, or `count`
    games, starting with number `first` (from 0). With `rank` or `points`, return only games that
    brought this rank or these points. Three queries."""
    parameters: dict[str, Any] = {
        "ranking": ranking.pk,
        "player": Player.objects.values_list("pk", flat=True).get(public_id=player),
        "first": first,
        "count": count,
        "rank": rank,
        "points": points,
    }
    if rank is None and points is None:
        statement = SHARES.format(of_all=PAGE, of_some="")
    else:
        statement = SHARES.format(of_all="", of_some=PAGE)
    rows = sql.rows(statement, parameters)
    games = RankedGame.objects.filter(ranking=ranking, game__in=[game for game, *_ in rows])
    lines = {
        game: GameLine.of(line) for game, *line in with_marks(games).values_list("game", *LINE)
    }
    return [Share(lines[game], *figures) for game, *figures in rows]
