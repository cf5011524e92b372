"""A ranking as it is shown, and what a row of it is made of."""

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
from league.standings.rating.domain import Rated
from league.standings.standing.domain import MOST_ON_PODIUM

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class TableRow(Results, Rated):
    """One row of a ranking. `mu`, `sigma` and `recent` are None where it isn't rated.

    `decided_by`: the tie-break that put this row behind the one above it; empty if none was needed.
    `place`: which row it is, from 1; who shares a rank still has a place alone. `only_end`: of a
    game in it only the end is known. `provisional`: a seat objects to the result of a game in it.
    `penalty`: the points that penalties take off in all, which `points` lack."""

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
        """Places won since before the last day of play, negative for lost ones; None for who is
        new."""
        return None if self.rank_before is None else self.rank_before - self.rank

    @property
    def decided(self) -> StrOrPromise:
        """The tie-break that put this row behind the one above it, in words; empty if none was
        needed."""
        return TieBreak(self.decided_by).label if self.decided_by else ""

    @property
    def made_of(self) -> str:
        """Where, below the ranking's address, the page is that shows what the row is made of."""
        return f"players/{self.player}/"


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows of a ranking, and what is shown beside them.

    `found`: how many rows there are that have the words looked for. `leaders`: the first `LEADERS`
    rows of the ranking. `own`: the place of the player who looks. `around`: that row with its
    neighbours. They are told whatever the sorting, the page and the words. `first_table`: nobody
    had a rank before."""

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
        SELECT mu FROM league_rating rating
        WHERE rating.ranking_id = row.ranking_id AND rating.player_id = row.player_id
    )""",
}
"""What a table can be sorted by besides the rank, as the database computes it.

What stands in another table is looked up by its key: a join would compare each with each as long as
the database doesn't know how many rows a ranking has. """
WAY: Final = "row.key DESC, row.public_id"
"""The order of the table itself, which is that of the index `standing_by_key`."""
LEADERS: Final = MOST_ON_PODIUM + 1
ALL: Final = 2**31
"""More rows than a ranking can have."""
HELD: Final = "FROM league_standing row WHERE row.ranking_id = %(ranking)s"
EARLIER: Final = """
    CASE WHEN row.day IS NOT DISTINCT FROM (
        SELECT last_day
        FROM league_ranking
        WHERE id = %(ranking)s
    ) THEN row.key_before ELSE row.key END
"""
"""The key of a row before the last day of play; none of who hadn't played."""
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
"""What follows from the keys for the rows that are `shown`: ranks, now and before the last day of
play.

The database goes through the first `until` keys here, and through all earlier ones, each once:
`MATERIALIZED` and `IS TRUE` keep it from going through them for each row, as it would while it
doesn't know how many rows there are. """
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
    """Rows of a ranking in one query: all of them, or `count` from the `first` on (from 0).

    `sort`: `rank` or a key of `SORTS`, descending behind a minus; equal rows by rank, those without
    a figure last. `words`, folded: each stands in the name or the handle. `user`: the account of
    who looks."""
    looked_for = {f"word{number}": word for number, word in enumerate(words)}
    has_words = " AND ".join([f"strpos(player.search_text, %({name})s) > 0" for name in looked_for])
    query = PART.format(
        provisional=provisional_games(),
        found=SEARCHED.format(has_words) if words else ROWS,
        order=_order(sort),
    )
    until = first + count if sort == "rank" and not words and count is not None else ALL
    parameters = {
        "ranking": ranking.pk,
        "first": first,
        "count": count,
        "user": user,
        "until": until,
        **looked_for,
    }
    found_rows = sql.rows(query, parameters)
    order = _order_of_keys(ranking)
    rows = [(_row(order, columns), position) for *columns, position, _, _, _ in found_rows]
    by_place = sorted([row for row, _ in rows], key=lambda row: row.place)
    number, own_number, had_ranks = found_rows[0][-3:] if found_rows else (0, None, False)
    return TablePart(
        rows=[row for row, position in rows if position is not None],
        found=number,
        leaders=[row for row in by_place if row.place <= LEADERS],
        own=own_number,
        around=[row for row in by_place if own_number and abs(row.place - own_number) <= 1],
        first_table=not had_ranks,
    )


def _order(sort: str) -> str:
    """The order of the table as the database is told it."""
    if sort == "rank":
        return WAY
    if sort == "-rank":
        return "row.key, row.public_id DESC"
    return (
        f"{SORTS[sort.removeprefix('-')]} {'DESC' if sort.startswith('-') else 'ASC'} NULLS LAST, "
        f"{WAY}"
    )


def table_rows(ranking: Ranking, *, first: int = 0, count: int | None = None) -> list[TableRow]:
    """The rows of a ranking from best to worst, in one query: all of them, or `count` from the
    `first` on (from 0)."""
    return table_part(ranking, first=first, count=count).rows


def row_of(ranking: Ranking, player: str) -> TableRow:
    """One player's row of a ranking, by the public id. Raises `ObjectDoesNotExist`."""
    columns = sql.row(
        ONE.format(provisional=provisional_games()), {"ranking": ranking.pk, "player": player}
    )
    if not columns:
        raise ObjectDoesNotExist
    return _row(_order_of_keys(ranking), columns)


def _order_of_keys(ranking: Ranking) -> Sequence[Criterion]:
    """The tie-breaks that the keys of a ranking's rows were made by; none while they are being made
    anew, perhaps by others."""
    return ranking.order if ranking.rebuilt_to is None else ()


def _row(order: Sequence[Criterion], columns: Sequence[Any]) -> TableRow:
    games, wins, points, rank_sum, rank, before, key, above, *rest = columns
    comparable = above is not None and len(above) == len(key) == len(order)
    decided = (comparable and decided_by(tuple(above), tuple(key), order)) or ""
    return TableRow(games, wins, points, rank_sum, rank, before, decided, *rest)


@dataclass(frozen=True, slots=True)
class Share(Rated):
    """All that one game brought a player: rank and points, what a penalty takes off these, and
    `total`, the points up to and with it.

    The ratings before and after are None where the ranking isn't rated. They are those of who sat
    there: the player (`player`, `handle`, `name`), or a substitute."""

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
    def gained(self) -> float | None:
        """Read how far the game moved the rating."""
        return None if self.mu is None or self.mu_before is None else self.mu - self.mu_before

    @property
    def total_played(self) -> int:
        """The points up to and with the game, before the penalty takes any off."""
        return self.total + self.penalty

    @property
    def taken(self) -> int:
        """The points that the penalty adds, which are below 0."""
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
"""Of all games the database goes through those of the ranking in their order, and stops behind the
page; or, where the player sat in few, through these alone. It decides by the player's id, which is
why that is no part of the query."""


def shares_of(
    ranking: Ranking,
    player: str,
    *,
    first: int = 0,
    count: int | None = None,
    rank: int | None = None,
    points: int | None = None,
) -> list[Share]:
    """Games of a player that a ranking counts, in order of play: all of them, or `count` from the
    `first` on (from 0); those alone that brought the rank or the points, if they are given. Three
    queries."""
    parameters: dict[str, Any] = {
        "ranking": ranking.pk,
        "player": Player.objects.values_list("pk", flat=True).get(public_id=player),
        "first": first,
        "count": count,
        "rank": rank,
        "points": points,
    }
    some = rank is not None or points is not None
    played = sql.rows(
        SHARES.format(of_all="" if some else PAGE, of_some=PAGE if some else ""), parameters
    )
    games = RankedGame.objects.filter(ranking=ranking, game__in=[game for game, *_ in played])
    lines = {
        game: GameLine.of(line) for game, *line in with_marks(games).values_list("game", *LINE)
    }
    return [Share(lines[game], *figures) for game, *figures in played]
