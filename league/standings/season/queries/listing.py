"""Rows for the API's lists and exports that no page shows in the same way; each list is one
query."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Case, Count, Exists, JSONField, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce, JSONObject

from engine.scoring.natural import natural
from games.models import Round, Void
from games.queries.game import exports, stored_digest
from league.core.club.models import Club
from league.core.frame.kept import kept
from league.core.frame.name_key import NameKey
from league.standings.ranked_game.domain.game import UNTIMED, Place
from league.standings.ranked_game.domain.gameline import GamePage
from league.standings.ranked_game.models import Appearance, RankedGame
from league.standings.ranked_game.queries.gameline import at_event, beyond, row_page
from league.standings.ranked_game.queries.provisional import provisional_ratings
from league.standings.ranked_game.queries.ranked import has_seat_in
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.board import Board
from league.standings.ranking.queries.ranking import HEAD, Head, headed
from league.standings.rating.models import Rating
from league.standings.season.models import Season, SeasonGame, Visibility
from league.standings.standing.models import Standing
from league.standings.style.models import Style

Rows = QuerySet[Any, Any]  # of dicts, by the names of their columns
CLUB = ("public_id", "slug", "name", "about", "timezone", "all_time__ranking__public_id")
RANKING = (
    "ranking__public_id",
    "ranking__scoring",
    "ranking__rated",
    "ranking__tie_breaks",
    "ranking__version",
    "ranking__computed_at",
)
SEASON = (
    "public_id",
    "club__slug",
    "slug",
    "name",
    "starts_on",
    "ends_on",
    "kind",
    "rules",
    "notes",
    "visibility",
    "online",
    *RANKING,
)
GAME = (
    "game__public_id",
    "game__external_id",
    "game__kind",
    "game__revision",
    "game__event",
    "game__table",
    "game__played_at",
    "over",
    "only_end",
    "rounds",
    "void",
    "provisional",
    "ranking__club__slug",
    "ranking__season__slug",
    "seats",
)
ROUNDS = Coalesce(
    Subquery(Round.objects.filter(game=OuterRef("game")).order_by("-number").values("number")[:1])
    + 1,
    0,
)
"""The number of rounds (turns) of a game."""
VOID = Case(
    When(
        voided=True,
        then=Subquery(
            Void.objects.filter(game=OuterRef("game"))
            .order_by("-number")
            .values(said=JSONObject(at="made_at", reason="reason", role="role"))[:1]
        ),
    ),
    default=None,
    output_field=JSONField(),
)
"""The void of a game that is listed as voided."""
EXPORTED_TOGETHER = 200  # games whose lines are in memory and kept at the same time
EXPORTS_KEPT_SECONDS = 3600  # the cache may hold a name for so long after it was erased
HEADS_TOGETHER = 1000  # of which a line each is in memory


def club_rows(clubs: QuerySet[Club]) -> Rows:
    """Return the rows of these clubs by name."""
    rows: Rows = clubs.order_by(NameKey("name"), "pk").values(*CLUB)
    return rows


def season_rows(seasons: QuerySet[Season], club: str) -> Rows:
    """Return the rows of a club's seasons, given by its slug, the latest first."""
    rows: Rows = (
        seasons.filter(club__slug=club)
        .order_by("-starts_on", NameKey("name"), "pk")
        .values(*SEASON)
    )
    return rows


def season_row(season: Season) -> dict[str, Any]:
    """Return the row of a season, with its club, as it is stored now."""
    row: dict[str, Any] = season_rows(Season.objects.filter(pk=season.pk), season.club.slug).get()
    return row


def standing_count(ranking: Ranking) -> int:
    """Return the number of rows of a ranking."""
    return Standing.objects.filter(ranking=ranking).count()


def rating_rows(ranking: Ranking) -> Rows:
    """Return the ratings of a ranking, the strongest player first, each with its number of games
    and whether the result of one of them is disputed."""
    rated = Appearance.objects.filter(
        ranking=OuterRef("ranking"), player=OuterRef("player"), rank__isnull=False
    )
    games = rated.order_by().values("player").annotate(games=Count("seat")).values("games")
    return (
        Rating.objects.filter(ranking=ranking)
        .annotate(games=Subquery(games), disputed=provisional_ratings("ranking", "player"))
        .order_by("-mu", "player_id")
        .values(
            "player__public_id",
            "player__handle",
            "player__name",
            "mu",
            "sigma",
            "games",
            "recent",
            "disputed",
        )
    )


def style_rows(ranking: Ranking) -> QuerySet[Style]:
    """Return the styles of a ranking's players in a stable order."""
    return Style.objects.filter(ranking=ranking).select_related("player").order_by("player_id")


def player_rows(seasons: QuerySet[Season], club: Club) -> Rows:
    """Return the rows of the club's players who sat in a game of the seasons, or for whom a seat
    counted, by name."""
    players = club.players.filter(has_seat_in(seasons.values("ranking"), "pk"))
    return players.order_by("name_key", "pk").values("public_id", "handle", "name")


def game_rows(
    seasons: QuerySet[Season],
    club: Club,
    count: int,
    *,
    before: str = "",
    after: str = "",
    season: str | None = None,
    player: str | None = None,
    event: str | None = None,
    played_after: datetime | None = None,
    played_before: datetime | None = None,
) -> GamePage[dict[str, Any]]:
    """Return `count` games of the club's seasons: the latest, or those before or after a place in
    the list. The other arguments narrow the list; `season` and `event` are slugs, `player` is a
    public id."""
    rankings = seasons.filter(
        Exists(RankedGame.objects.filter(ranking=OuterRef("ranking"))), club=club
    )
    if season is not None:
        rankings = rankings.filter(slug=season)
    condition = Q()
    if event is not None:
        condition &= at_event(event)
    if played_after is not None:
        condition &= Q(played_at__gte=played_after, played_at__lt=UNTIMED)
    if played_before is not None:
        condition &= Q(played_at__lt=min(played_before, UNTIMED))
    if player is not None:
        player_id = club.players.filter(public_id=player).values_list("pk", flat=True).first()
        condition &= Q(Exists(seats_of_player(player_id)))
    games = RankedGame.objects.filter(condition).annotate(rounds=ROUNDS, void=VOID)
    return row_page(
        games,
        list(rankings.values_list("ranking_id", flat=True)),
        count,
        GAME,
        before=before,
        after=after,
    )


def seats_of_player(player_id: int | None) -> QuerySet[Appearance]:
    """Return the seats of a player, for `Exists` in a query of games; no seats for None.

    Given the row id instead of a subquery, the database knows how many games the player has, and
    reads either these or the latest games of all."""
    return Appearance.objects.filter(
        ranking=OuterRef("ranking"), game=OuterRef("game"), player=player_id
    )


def records_of(board: Board) -> Iterator[bytes]:
    """Yield the records of a board's games in order of play, one line each, in portions: those of a
    season, or of all public seasons of the club, that no correction replaces. If a game isn't
    stored as it was sealed, its line says so.

    The lines of a portion are kept as long as what is stored of its games stays the same: an
    erasure, say, makes only its own portion anew.
    """
    games = SeasonGame.objects.filter(game__corrections=None)
    if board.season is None:
        games = games.filter(season__club=board.club, season__visibility=Visibility.PUBLIC)
    else:
        games = games.filter(season=board.season)
    facts = games.values_list("game__played_at", "game__external_id", "game_id")
    places = [
        (played_at or UNTIMED, natural(name), game) for played_at, name, game in facts.iterator()
    ]
    ids = [game for *_, game in sorted(places)]
    for start in range(0, len(ids), EXPORTED_TOGETHER):
        portion = ids[start : start + EXPORTED_TOGETHER]
        packed = kept(
            "records",
            [stored_digest(portion)],
            partial(_packed_lines, portion),
            seconds=EXPORTS_KEPT_SECONDS,
        )
        yield zlib.decompress(packed)


def _packed_lines(game_ids: Sequence[int]) -> bytes:
    lines = [line + b"\n" for line in exports(game_ids)]
    return zlib.compress(b"".join(lines), level=1)


def heads_of(ranking: Ranking) -> Iterator[list[Head]]:
    """Yield the heads of a ranking's games in order of play, in lists of `HEADS_TOGETHER`; one
    query for each list."""
    games = headed(ranking).order_by("played_at", "natural_id")
    place: Place | None = None
    has_more = True
    while has_more:
        games_left = beyond(games, place, later=True) if place else games
        rows = list(games_left.values_list(*HEAD, "played_at", "natural_id")[:HEADS_TOGETHER])
        yield [(head, record, game) for head, record, game, _, _ in rows]
        has_more = len(rows) == HEADS_TOGETHER
        if has_more:
            *_, played_at, natural_id = rows[-1]
            place = (played_at, natural_id)
