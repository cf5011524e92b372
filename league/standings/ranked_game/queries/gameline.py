"""Games as lists show them: when and where, who sat there, and how it ended. One query a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, FilteredRelation, Model, OuterRef, Q, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan
from django.db.models.functions import Coalesce, JSONObject

from engine.bluff.move import CHALLENGE
from engine.record.bluff.kind import BLUFF
from engine.record.record import begin
from engine.record.stored import unpack_record
from games.models import Round
from games.models.game import Kind
from league.standings.ranked_game.domain.game import UNTIMED, Place
from league.standings.ranked_game.domain.gameline import (
    LINE,
    GameLine,
    GamePage,
    place_of,
    place_read,
)
from league.standings.ranked_game.models import Appearance, RankedGame
from league.standings.ranked_game.queries.provisional import is_provisional

Row = TypeVar("Row", bound=Model)
SEATS = ArraySubquery(
    Appearance.objects.filter(ranking=OuterRef("ranking"), game=OuterRef("game"))
    .order_by("seat")
    .values(
        line=JSONObject(
            player="player__public_id",
            handle="player__handle",
            name="player__name",
            rank="rank",
            points="points",
            penalty="penalty",
            counts_for="counts_for__public_id",
            counts_for_handle="counts_for__handle",
            counts_for_name="counts_for__name",
        )
    )
)
EVERY_GAME: Final = Q()
START: Final = "start"
"""The place before the oldest game of a list."""
BODIES = ArraySubquery(
    Round.objects.filter(game=OuterRef("game_id")).order_by("number").values("body")
)


def at_event(event: str) -> Q:
    """The games of an event. That it isn't empty is said so that the index of events can serve
    it."""
    return Q(event=event) & Q(event__gt="")


def game_page(
    rankings: Sequence[int], count: int, *, before: str = "", after: str = "", only: Q = EVERY_GAME
) -> GamePage[GameLine]:
    """`count` games of rankings, by their ids: the latest, or those next to a place, which may be
    `START`. One query; a second one where there are too few after a place.

    A place that nobody can read is passed over.
    """
    page = row_page(
        RankedGame.objects.filter(only), rankings, count, LINE, before=before, after=after
    )
    return GamePage([GameLine.of(list(row.values())) for row in page.games], page.older, page.newer)


def row_page(
    games: QuerySet[RankedGame],
    rankings: Sequence[int],
    count: int,
    columns: Sequence[str],
    *,
    before: str = "",
    after: str = "",
) -> GamePage[dict[str, Any]]:
    """As `game_page`, of the games given, as rows by the names of their columns; the time and the
    id of the record have to be among these."""
    place = place_read(before or after)
    backwards = not before and (after == START or place is not None)
    rows = _nearest(games, rankings, count + 1, place, columns, backwards=backwards)
    more = len(rows) > count
    if backwards and place and not more:
        return row_page(games, rankings, count, columns)
    page = [dict(zip(columns, row, strict=True)) for row in rows[:count]]
    if backwards:
        page.reverse()
    places = [place_of(row["game__played_at"], row["game__external_id"]) for row in page] or [""]
    older, newer = (place is not None, more) if backwards else (more, place is not None)
    return GamePage(page, places[-1] if older else "", places[0] if newer else "")


def latest_games(rankings: Sequence[int], count: int) -> list[GameLine]:
    """The latest games of rankings, by their ids, that are over, with the boldest round of each.
    One query."""
    games = RankedGame.objects.filter(over=True).annotate(bodies=BODIES)
    columns = (*LINE, "game__kind", "game__header", "bodies")
    lines = []
    for *line, kind, header, bodies in _nearest(games, rankings, count, None, columns):
        game = GameLine.of(line)
        lines.append(
            replace(
                game,
                bids=_boldest(game, header, bodies)
                if kind == Kind.BLUFF and not game.only_end
                else (),
            )
        )
    return lines


def _nearest(
    games: QuerySet[RankedGame],
    rankings: Sequence[int],
    count: int,
    place: Place | None,
    columns: Sequence[str],
    *,
    backwards: bool = False,
) -> list[tuple[Any, ...]]:
    """Rows of the `count` games nearest to a place in the list (its beginning, or its end if it
    goes backwards).

    Games with a time and those without are two stretches of the order of play, which the list takes
    the other way round; from each stretch of each ranking the database reads no more than `count`
    by their index."""
    way = "" if backwards else "-"
    parts = []
    for ranking in rankings:
        ordered = games.filter(ranking=ranking).order_by(f"{way}played_at", f"{way}natural_id")
        timed, untimed = ordered.filter(played_at__lt=UNTIMED), ordered.filter(played_at=UNTIMED)
        near, far = (untimed, timed) if backwards else (timed, untimed)
        if place is None:
            parts += [near, far]
        elif (place[0] == UNTIMED) == backwards:
            parts += [beyond(near, place, later=backwards), far]
        else:
            parts += [beyond(far, place, later=backwards)]
    portions = [
        with_marks(part).values_list("played_at", "natural_id", *columns)[:count] for part in parts
    ]
    rows = list(portions[0].union(*portions[1:], all=True)) if portions else []
    rows.sort(key=lambda row: (row[0] != UNTIMED, row[0], row[1]), reverse=not backwards)
    return [row[2:] for row in rows[:count]]


def with_marks(games: QuerySet[RankedGame]) -> QuerySet[RankedGame, Any]:
    """Games of rankings with those of the columns `LINE` that they don't have themselves."""
    marks = {"seats": SEATS, "provisional": is_provisional("game")}
    return with_event_name(games, "ranking__club__events", "game__event").annotate(**marks)


def with_event_name(rows: QuerySet[Row], events: str, word: str) -> QuerySet[Row, Any]:
    """Rows with `event_name`: what the event is called that a record's `word` names by its slug,
    found along `events` of the row's club; the word itself where the club has no such event."""
    same_slug = Q(**{f"{events}__slug": F(word)})
    named = rows.annotate(event_named=FilteredRelation(events, condition=same_slug))
    rows_named: QuerySet[Row, Any] = named.annotate(event_name=Coalesce("event_named__name", word))
    return rows_named


def beyond(games: QuerySet[RankedGame], place: Place, *, later: bool) -> QuerySet[RankedGame]:
    """Those of the games that lie behind a place in the order of play, or before it unless
    `later`."""
    lies = TupleGreaterThan if later else TupleLessThan
    return games.filter(lies(Tuple(F("played_at"), F("natural_id")), place))


def _boldest(game: GameLine, header: str, bodies: Iterable[bytes]) -> tuple[int, ...]:
    """The bids of the round whose last bid lies farthest along the track (ruling B4); none if none
    is recorded."""
    boldest: tuple[int, ...] = ()
    seats = [str(number) for number in range(len(game.seats))]  # who sat there doesn't matter
    try:
        _, rounds = begin(
            unpack_record(header, seats, None, [bytes(body) for body in bodies]), BLUFF
        )
    except ValueError:  # it isn't stored as it was sealed, which the game's own page tells
        return ()
    for round_ in rounds:
        bids = tuple(
            [
                move if isinstance(move, int) else move.bid
                for move in round_.moves
                if move != CHALLENGE
            ]
        )
        if bids and (not boldest or bids[-1] > boldest[-1]):
            boldest = bids
    return boldest
