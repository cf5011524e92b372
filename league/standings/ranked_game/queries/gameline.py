"""Games as lists show them: when and where, the players, and the results. One query a list."""

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
    """Return the condition for games of an event. The part `event > ''` lets the database use the
    partial index of events."""
    return Q(event=event) & Q(event__gt="")


def game_page(
    rankings: Sequence[int], count: int, *, before: str = "", after: str = "", only: Q = EVERY_GAME
) -> GamePage[GameLine]:
    """Return `count` games of rankings, given by their ids: the latest, or those directly before or
    after a place in the list, which may be `START`; an unreadable place is ignored. One query; a
    second one if there are too few games after the place."""
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
    """Return a page of the given games as rows by column name: the latest `count`, or those directly
    before or after a place, as for `game_page`. The columns must include the time of the game and
    the id of its record."""
    place = place_read(before or after)
    backwards = not before and (after == START or place is not None)
    # one row more than the page has, to see whether another page follows
    rows = _nearest(games, rankings, count + 1, place, columns, backwards=backwards)
    has_more = len(rows) > count
    if backwards and place and not has_more:
        return row_page(games, rankings, count, columns)

    page = [dict(zip(columns, row, strict=True)) for row in rows[:count]]
    has_older = has_more
    has_newer = place is not None
    if backwards:
        page.reverse()
        has_older = place is not None
        has_newer = has_more
    places = [place_of(row["game__played_at"], row["game__external_id"]) for row in page] or [""]
    return GamePage(
        page,
        older=places[-1] if has_older else "",
        newer=places[0] if has_newer else "",
    )


def latest_games(rankings: Sequence[int], count: int) -> list[GameLine]:
    """Return the latest finished games of rankings, given by their ids, with the boldest round of
    each. One query."""
    games = RankedGame.objects.filter(over=True).annotate(bodies=BODIES)
    columns = (*LINE, "game__kind", "game__header", "bodies")
    lines = []
    for *line, kind, header, bodies in _nearest(
        games, rankings, count, place=None, columns=columns
    ):
        game = GameLine.of(line)
        if kind == Kind.BLUFF and not game.only_end:
            game = replace(game, bids=_boldest(game, header, bodies))
        lines.append(game)
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
    """Return `count` rows of games from a place in the list on: the older games that follow it, or
    the newer games before it if `backwards`. Without a place, begin at the list's start, or at its
    end if `backwards`.

    The list has first the games with a time, then the games without, each the latest first. These
    are two stretches: from each stretch of each ranking the database reads at most `count` rows, by
    index."""
    sign = "" if backwards else "-"
    stretches = []
    for ranking in rankings:
        ordered = games.filter(ranking=ranking).order_by(f"{sign}played_at", f"{sign}natural_id")
        first = ordered.filter(played_at__lt=UNTIMED)
        second = ordered.filter(played_at=UNTIMED)
        if backwards:
            first, second = second, first
        if place is None:
            stretches += [first, second]
            continue
        is_in_first = (place[0] == UNTIMED) == backwards
        if is_in_first:
            stretches += [beyond(first, place, later=backwards), second]
        else:
            stretches.append(beyond(second, place, later=backwards))
    if not stretches:
        return []

    query, *other_queries = [
        with_marks(stretch).values_list("played_at", "natural_id", *columns)[:count]
        for stretch in stretches
    ]
    rows = list(query.union(*other_queries, all=True))
    rows.sort(key=lambda row: (row[0] != UNTIMED, row[0], row[1]), reverse=not backwards)
    return [row[2:] for row in rows[:count]]


def with_marks(games: QuerySet[RankedGame]) -> QuerySet[RankedGame, Any]:
    """Annotate games of rankings with the columns of `LINE` that their table doesn't have."""
    marks = {"seats": SEATS, "provisional": is_provisional("game")}
    return with_event_name(games, "ranking__club__events", "game__event").annotate(**marks)


def with_event_name(rows: QuerySet[Row], events: str, slug_column: str) -> QuerySet[Row, Any]:
    """Annotate rows with `event_name`: the name of the event whose slug is in `slug_column`; the
    slug itself if the club has no such event. `events`: the lookup path to the events of the row's
    club."""
    same_slug = Q(**{f"{events}__slug": F(slug_column)})
    with_event = rows.annotate(event_named=FilteredRelation(events, condition=same_slug))
    rows_named: QuerySet[Row, Any] = with_event.annotate(
        event_name=Coalesce("event_named__name", slug_column)
    )
    return rows_named


def beyond(games: QuerySet[RankedGame], place: Place, *, later: bool) -> QuerySet[RankedGame]:
    """Return the games before a place in the order of play, or after it if `later`."""
    comparison = TupleGreaterThan if later else TupleLessThan
    return games.filter(comparison(Tuple(F("played_at"), F("natural_id")), place))


def _boldest(game: GameLine, header: str, bodies: Iterable[bytes]) -> tuple[int, ...]:
    """Return the bids of the round whose last bid lies farthest along the track (ruling B4: all
    bids are in one strict order); empty without recorded bids."""
    boldest: tuple[int, ...] = ()
    seats = [str(number) for number in range(len(game.seats))]  # the players' names don't matter
    try:
        record = unpack_record(header, seats, None, [bytes(body) for body in bodies])
        _, rounds = begin(record, BLUFF)
    except ValueError:  # it isn't stored as it was sealed, which the game's own page says
        return ()
    for round_ in rounds:
        bids = tuple(
            move if isinstance(move, int) else move.bid
            for move in round_.moves
            if move != CHALLENGE
        )
        if bids and (not boldest or bids[-1] > boldest[-1]):
            boldest = bids
    return boldest
