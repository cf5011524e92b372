"""The contents of rankings: their events, players and games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Lower

from games.models import Round
from league.core import sql
from league.core.player.models import Handle, Player, words_begin
from league.core.player.queries.player import LOOKED_AT, names_meant
from league.standings.ranked_game.domain.gameline import GamePage, place_of, place_read
from league.standings.ranked_game.models import Appearance, RankedGame
from league.standings.ranked_game.queries.gameline import beyond
from league.standings.ranking.models import Ranking
from league.standings.standing.models import Standing

Head: TypeAlias = tuple[bytes, str, str]
"""The head of a game (its last digest), the record's id, and the game's public id."""
HEAD: Final = ("head", "game__external_id", "game__public_id")
EVENTS: Final = """
    WITH RECURSIVE held AS (
        (
            SELECT event, played_at
            FROM league_rankedgame
            WHERE ranking_id = %(ranking)s AND event > ''
            ORDER BY event, played_at
            LIMIT 1
        )
        UNION ALL
        SELECT next.*
        FROM held
        CROSS JOIN LATERAL (
            SELECT event, played_at
            FROM league_rankedgame
            WHERE ranking_id = %(ranking)s AND event > held.event AND event > ''
            ORDER BY event, played_at
            LIMIT 1
        ) next
    )
    SELECT held.event, COALESCE(named.name, held.event)
    FROM held
    LEFT JOIN league_event named ON named.club_id = %(club)s AND named.slug = held.event
    ORDER BY held.played_at, held.event
"""
"""The first game of each event, with one index look-up for each."""


def events_of(ranking: Ranking) -> dict[str, str]:
    """Return the names of the events of a ranking's games, by the slugs in their records, in the
    order in which they took place. The work grows with the number of events, not of games."""
    return dict(sql.rows(EVENTS, {"ranking": ranking.pk, "club": ranking.club_id}))


def players_found(
    ranking_id: int, query: str, most: int, *, but: Player | None = None
) -> Sequence[Player]:
    """Return the players of a ranking's games whom a search may mean, at most `most`, by name;
    leave out `but`.

    If `query` is a public id or a handle (also a former one, or that of a merged player), return
    this one player. Otherwise return all players whose names or handles have words that begin with
    those of `query`, ignoring capitals and accents. One query, which looks at `LOOKED_AT` players
    at most.
    """
    text = "".join(filter(str.isprintable, query)).strip()
    club = Ranking.objects.filter(pk=ranking_id).values("club")
    seated = Appearance.objects.filter(player=OuterRef("pk"), ranking=ranking_id)
    handles = Handle.objects.alias(lower=Lower("handle")).filter(
        club__in=club, lower=Lower(Value(text))
    )
    owners = handles.values_list(Coalesce("player__merged_into", "player"))
    is_meant = Q(public_id=text) | Q(pk__in=owners)

    beginning = Player.objects.filter(words_begin(text), club__in=club, merged_into=None)
    by_id = Player.objects.filter(public_id=text).values("pk")
    candidates = by_id.union(owners, beginning.values("pk")[:LOOKED_AT])
    players = (
        Player.objects.filter(Exists(seated), pk__in=candidates)
        .exclude(pk__in=[but.pk] if but else [])
        .select_related("club")
        .annotate(meant=Case(When(is_meant, then=0), default=1))
        .order_by("meant", "name_key", "pk")
    )
    matches = list(players[:most])
    # 0: the query is the id or a handle of this very player.
    if matches and matches[0].meant == 0:
        return matches[:1]
    return matches


def names_seated(ranking: Ranking, text: str) -> list[str]:
    """Return the names of a ranking's players that are similar to a text that matches none of them.
    One query."""
    players = Player.objects.filter(
        Exists(Standing.objects.filter(ranking=ranking, player=OuterRef("pk")))
    )
    return names_meant(players.filter(club=ranking.club_id), text)


def head_page(ranking: Ranking, count: int, *, before: str = "", after: str = "") -> GamePage[Head]:
    """Return `count` heads of a ranking's games in order of play: the first ones, or those directly
    before or after a place (`place_of`); an unreadable place is ignored. One query; a second one if
    there are too few before the place."""
    place = place_read(before or after)
    backwards = bool(before) and place is not None
    sign = "-" if backwards else ""
    games = headed(ranking).order_by(f"{sign}played_at", f"{sign}natural_id")
    games_beyond = beyond(games, place, later=not backwards) if place else games
    # one row more than the page has, to see whether another page follows
    rows = list(games_beyond.values_list(*HEAD, "game__played_at")[: count + 1])
    has_more = len(rows) > count
    if backwards and not has_more:
        return head_page(ranking, count)

    page = rows[:count]
    has_older = place is not None
    has_newer = has_more
    if backwards:
        page.reverse()
        has_older = has_more
        has_newer = True
    places = [place_of(played_at, record) for _, record, _, played_at in page] or [""]
    return GamePage(
        [(head, record, game) for head, record, game, _ in page],
        older=places[0] if has_older else "",
        newer=places[-1] if has_newer else "",
    )


def headed(ranking: Ranking) -> QuerySet[RankedGame]:
    """Return the games of a ranking with the columns `HEAD`."""
    last_digest = (
        Round.objects.filter(game=OuterRef("game")).order_by("-number").values("digest")[:1]
    )
    return RankedGame.objects.filter(ranking=ranking).annotate(
        head=Coalesce(Subquery(last_digest), F("game__digest"))
    )
