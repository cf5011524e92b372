"""A ranking as it is shown, and what a row of it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ObjectDoesNotExist
from django.db import connection

from engine.interval import Z95
from engine.rating.rating import is_provisional
from engine.scoring.standings import decided_by
from league.rankings.models import RankedGame, Ranking, TieBreak
from league.rankings.queries.gameline import LINE, SEATS, GameLine

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a ranking. `mu`, `sigma` and `recent` are None where it isn't rated.

    `decided_by`: the tie-break that put this row behind the one above it; empty if none was needed. `place`: which row
    it is, from 1; who shares a rank still has a place alone.
    """

    rank: int
    rank_before: int | None
    decided_by: str
    player: str
    handle: str
    name: str
    games: int
    wins: int
    points: int
    rank_sum: int
    best: int
    mu: float | None
    sigma: float | None
    recent: Sequence[float] | None
    place: int

    @property
    def climbed(self) -> int | None:
        """Places won since before the last day of play, negative for lost ones; None for who is new."""
        return None if self.rank_before is None else self.rank_before - self.rank

    @property
    def per_game(self) -> float:
        """How many points a game brought on average."""
        return self.points / self.games

    @property
    def average_rank(self) -> float:
        """Average rank, from 1."""
        return self.rank_sum / self.games

    @property
    def half(self) -> float | None:
        """Half the width of the rating's 95 % interval."""
        return None if self.sigma is None else Z95 * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether the rating rests on too few games yet."""
        return self.sigma is not None and is_provisional(self.sigma)

    @property
    def decided(self) -> StrOrPromise:
        """The tie-break that put this row behind the one above it, in words; empty if none was needed."""
        return TieBreak(self.decided_by).label if self.decided_by else ""

    @property
    def made_of(self) -> str:
        """Where, below the ranking's address, the page is that shows what the row is made of."""
        return f"players/{self.player}/"


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows of a ranking, and what is shown beside them.

    `found`: how many rows there are that have the words looked for. `leaders`: the first four rows of the ranking;
    `own`: the place of the player who looks, and `around` that row with its neighbours. They are told whatever the
    sorting and the page, but only where they have the words. `first_table`: nobody had a rank before.
    """

    rows: list[TableRow]
    found: int
    leaders: list[TableRow]
    own: int | None
    around: list[TableRow]
    first_table: bool


FOLDED: Final = 'casefold(({}) COLLATE "pg_unicode_fast")'
"""A text as `str.casefold` gives it."""
NAMED: Final = FOLDED.format("player.name || ' ' || player.handle")
SORTS: Final = {
    "rank": "placed.place",
    "name": f'{FOLDED.format("player.name")} COLLATE "C"',
    "games": "row.games",
    "wins": "row.wins",
    "points": "row.points",
    "per_game": "row.points::float8 / row.games",
    "average_rank": "row.rank_sum::float8 / row.games",
    "best": "row.best",
    "rating": "rating.mu",
}
"""What a table can be sorted by, as the database computes it."""
LEADERS: Final = 4
PLACED: Final = """
    placed AS (
        SELECT player_id, key, row_number() OVER way AS place, rank() OVER (ORDER BY key DESC) AS rank,
            lag(key) OVER way AS key_above
        FROM league_standing WHERE ranking_id = %(ranking)s WINDOW way AS (ORDER BY key DESC, player_id)
    ),
    before AS (
        SELECT player_id, rank() OVER (ORDER BY earlier DESC) AS rank FROM (
            SELECT player_id, CASE WHEN day IS NOT DISTINCT FROM (
                SELECT last_day FROM league_ranking WHERE id = %(ranking)s
            ) THEN key_before ELSE key END AS earlier
            FROM league_standing WHERE ranking_id = %(ranking)s
        ) held WHERE earlier IS NOT NULL
    )
"""
"""All rows of a ranking with what follows from their keys alone: ranks, now and before the last day of play. They hold
no more than that, because the database goes through all of them."""
JOINED: Final = """
    JOIN league_standing row ON row.ranking_id = %(ranking)s AND row.player_id = placed.player_id
    JOIN league_player player ON player.id = placed.player_id
    LEFT JOIN league_rating rating ON rating.ranking_id = %(ranking)s AND rating.player_id = placed.player_id
"""
SHOWN: Final = """
    SELECT placed.rank, before.rank, placed.key, placed.key_above, player.public_id, player.handle, player.name,
        row.games, row.wins, row.points, row.rank_sum, row.best, rating.mu, rating.sigma, rating.recent, placed.place
"""
SORTED: Final = "row_number() OVER (ORDER BY {column} {way} NULLS LAST, placed.place)"
PART: Final = f"""
    WITH {PLACED},
    own AS (
        SELECT min(placed.place) AS place FROM placed JOIN league_player player ON player.id = placed.player_id
        WHERE player.user_id = %(user)s
    ),
    found AS (SELECT placed.*, {{position}} AS position, count(*) OVER () AS number FROM placed {{searched}}),
    shown AS (
        SELECT found.*, own.place AS own FROM found CROSS JOIN own
        WHERE position > %(first)s AND (position <= %(first)s + %(count)s OR %(count)s IS NULL)
            OR found.place <= {LEADERS} OR abs(found.place - own.place) <= 1
    )
    {SHOWN}, placed.position, placed.number, placed.own, EXISTS (SELECT 1 FROM before)
    FROM shown placed {JOINED} LEFT JOIN before ON before.player_id = placed.player_id ORDER BY placed.position
"""


ONE: Final = f"""
    WITH {PLACED} {SHOWN} FROM placed {JOINED} LEFT JOIN before ON before.player_id = placed.player_id
    WHERE player.public_id = %(player)s
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

    `sort`: a key of `SORTS`, descending behind a minus; equal rows by rank, those without a figure last. `words`, case
    folded: each stands in the name or the handle. `user`: the account of who looks.
    """
    position, searched = "placed.place", ""
    looked_for = {f"word{number}": word for number, word in enumerate(words)}
    if words or sort != "rank":
        column, way = SORTS[sort.removeprefix("-")], "DESC" if sort.startswith("-") else "ASC"
        having = ["true", *(f"strpos({NAMED}, %({name})s) > 0" for name in looked_for)]
        position = SORTED.format(column=column, way=way)
        searched = f"{JOINED} WHERE {' AND '.join(having)}"
    asked = {"ranking": ranking.pk, "first": first, "count": count, "user": user, **looked_for}
    with connection.cursor() as cursor:
        cursor.execute(PART.format(position=position, searched=searched), asked)
        found_rows = cursor.fetchall()
    beside = [row[-4:] for row in found_rows]
    rows = [_row(ranking, row[:-4]) for row in found_rows]
    by_place = sorted(rows, key=lambda row: row.place)
    _, found, own, had_ranks = beside[0] if beside else (0, 0, None, False)
    until = first + (found if count is None else count)
    return TablePart(
        rows=[row for row, (position, *_) in zip(rows, beside, strict=True) if first < position <= until],
        found=found,
        leaders=[row for row in by_place if row.place <= LEADERS],
        own=own,
        around=[row for row in by_place if own and abs(row.place - own) <= 1],
        first_table=not had_ranks,
    )


def table_rows(ranking: Ranking, *, first: int = 0, count: int | None = None) -> list[TableRow]:
    """The rows of a ranking from best to worst, in one query: all of them, or `count` from the `first` on (from 0)."""
    return table_part(ranking, first=first, count=count).rows


def row_of(ranking: Ranking, player: str) -> TableRow:
    """One player's row of a ranking, by the public id. Raises `ObjectDoesNotExist`."""
    with connection.cursor() as cursor:
        cursor.execute(ONE, {"ranking": ranking.pk, "player": player})
        found = cursor.fetchone()
    if not found:
        raise ObjectDoesNotExist
    return _row(ranking, found)


def _row(ranking: Ranking, columns: Sequence[Any]) -> TableRow:
    rank, before, key, above, *rest = columns
    return TableRow(rank, before, (above and decided_by(tuple(above), tuple(key), ranking.order)) or "", *rest)


@dataclass(frozen=True, slots=True)
class Share:
    """What one game brought a player: rank and points, and `total`, the points up to and with it.

    The ratings before and after are None where the ranking isn't rated.
    """

    game: GameLine
    rank: int
    points: int
    total: int
    mu_before: float | None
    mu: float | None
    sigma: float | None

    @property
    def gained(self) -> float | None:
        """How far the game moved the rating."""
        return None if self.mu is None or self.mu_before is None else self.mu - self.mu_before

    @property
    def half(self) -> float | None:
        """Half the width of the rating's 95 % interval after the game."""
        return None if self.sigma is None else Z95 * self.sigma


@dataclass(frozen=True, slots=True)
class SharePart:
    """Some of the games that a row is made of, in order of play.

    `found`: how many there are of what was asked for. `total`: the points of all games of the row.
    """

    shares: list[Share]
    found: int
    total: int


SHARES: Final = """
    WITH own AS (
        SELECT game_id, seat.rank, points, mu_before, mu, sigma, played_at, natural_id,
            sum(points) OVER (ORDER BY played_at, natural_id) AS total
        FROM league_appearance seat JOIN league_rankedgame game USING (ranking_id, game_id)
        WHERE seat.player_id = (SELECT id FROM league_player WHERE public_id = %(player)s)
            AND seat.ranking_id = %(ranking)s AND game.over
    )
    SELECT game_id, rank, points, total, mu_before, mu, sigma, count(*) OVER (), (SELECT sum(points) FROM own)
    FROM own WHERE (rank = %(rank)s OR %(rank)s IS NULL) AND (points = %(points)s OR %(points)s IS NULL)
    ORDER BY played_at, natural_id OFFSET %(first)s LIMIT %(count)s
"""


def shares_of(
    ranking: Ranking,
    player: str,
    *,
    first: int = 0,
    count: int | None = None,
    rank: int | None = None,
    points: int | None = None,
) -> SharePart:
    """Games of a player that a ranking counts, in order of play: all of them, or `count` from the `first` on (from 0);
    those alone that brought the rank or the points, if they are given. Two queries.
    """
    asked: dict[str, Any] = {
        "ranking": ranking.pk,
        "player": player,
        "first": first,
        "count": count,
        "rank": rank,
        "points": points,
    }
    with connection.cursor() as cursor:
        cursor.execute(SHARES, asked)
        played = cursor.fetchall()
    found, total = played[0][-2:] if played else (0, 0)
    games = RankedGame.objects.filter(ranking=ranking, game__in=[game for game, *_ in played])
    lines = {game: GameLine.of(line) for game, *line in games.annotate(seats=SEATS).values_list("game", *LINE)}
    return SharePart([Share(lines[game], *figures) for game, *figures, _, _ in played], found, total)
