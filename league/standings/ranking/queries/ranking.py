"""Rankings and those who own them, and what is in them."""

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
"""The head of a game, its last digest, with the record's id and the game's public id."""
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
"""The first game of each event, one look along the index for each."""


def events_of(ranking: Ranking) -> dict[str, str]:
    """The events that a ranking's games name, in the order in which they took place: what people
    call each, by the word of the records. The work grows with the events, not with the games."""
    return dict(sql.rows(EVENTS, {"ranking": ranking.pk, "club": ranking.club_id}))


def players_found(
    ranking_id: int, query: str, most: int, *, but: Player | None = None
) -> Sequence[Player]:
    """Read whom somebody may mean who sat in a game of a ranking, `most` at most, by name; never
    `but`.

    It is one player if `query` is a public id, a handle (a former one, or one of who was merged,
    too) or the only name with words that begin like this; else all in whose names or handles words
    begin so, whatever capitals and accents. One query, which looks at `LOOKED_AT` players at most.
    """
    text = "".join(filter(str.isprintable, query)).strip()
    club = Ranking.objects.filter(pk=ranking_id).values("club")
    seated = Appearance.objects.filter(player=OuterRef("pk"), ranking=ranking_id)
    handles = Handle.objects.alias(lower=Lower("handle")).filter(
        club__in=club, lower=Lower(Value(text))
    )
    owners = handles.values_list(Coalesce("player__merged_into", "player"))
    is_meant = Q(public_id=text) | Q(pk__in=owners)
    begin = Player.objects.filter(words_begin(text), club__in=club, merged_into=None).values("pk")[
        :LOOKED_AT
    ]
    found_by = Player.objects.filter(public_id=text).values("pk").union(owners, begin)
    players = (
        Player.objects.filter(Exists(seated), pk__in=found_by)
        .exclude(pk__in=[but.pk] if but else [])
        .select_related("club")
        .annotate(meant=Case(When(is_meant, then=0), default=1))
        .order_by("meant", "name_key", "pk")
    )
    matches = list(players[:most])
    return matches[:1] if matches and matches[0].meant == 0 else matches


def names_seated(ranking: Ranking, text: str) -> list[str]:
    """The names of players of a ranking whom somebody may have meant by a text that finds none of
    them. One query."""
    players = Player.objects.filter(
        Exists(Standing.objects.filter(ranking=ranking, player=OuterRef("pk")))
    )
    return names_meant(players.filter(club=ranking.club_id), text)


def head_page(ranking: Ranking, count: int, *, before: str = "", after: str = "") -> GamePage[Head]:
    """`count` heads of a ranking's games in order of play: the first, or those next to a place
    (`place_of`), of which one that nobody can read is passed over. One query; a second one where
    there are too few before a place."""
    place = place_read(before or after)
    backwards = bool(before) and place is not None
    way = "-" if backwards else ""
    games = headed(ranking).order_by(f"{way}played_at", f"{way}natural_id")
    games_beyond = beyond(games, place, later=not backwards) if place else games
    rows = list(games_beyond.values_list(*HEAD, "game__played_at")[: count + 1])
    more = len(rows) > count
    if backwards and not more:
        return head_page(ranking, count)
    page = rows[:count][::-1] if backwards else rows[:count]
    places = [place_of(played_at, record) for _, record, _, played_at in page] or [""]
    older, newer = (more, True) if backwards else (place is not None, more)
    return GamePage(
        [row[:3] for row in page], places[0] if older else "", places[-1] if newer else ""
    )


def headed(ranking: Ranking) -> QuerySet[RankedGame]:
    """The games of a ranking as `HEAD` reads them."""
    last = Round.objects.filter(game=OuterRef("game")).order_by("-number").values("digest")[:1]
    return RankedGame.objects.filter(ranking=ranking).annotate(
        head=Coalesce(Subquery(last), F("game__digest"))
    )
