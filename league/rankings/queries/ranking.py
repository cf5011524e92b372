"""Rankings and those who own them, and what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import connection
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from games.models import Round
from league.clubs.models import Handle, Player
from league.clubs.models.player import Folded, folded
from league.rankings.models import AllTime, Appearance, RankedGame, Ranking, Season, Visibility


def rankings_of(season: Season) -> list[int]:
    """The ids of the rankings that count the games of a season: its own, and the club's if everybody may see it."""
    own = [season.ranking_id]
    if season.visibility != Visibility.PUBLIC:
        return own
    return own + list(AllTime.objects.filter(club=season.club_id).values_list("ranking_id", flat=True))


def rankings_named(club: str, season: str | None = None) -> list[tuple[str, Ranking]]:
    """The rankings of a club, or that of one of its seasons, each with a name; both are given by slug."""
    seasons = Season.objects.select_related("ranking").filter(club__slug=club).order_by("starts_on", "pk")
    if season is not None:
        seasons = seasons.filter(slug=season)
    named = [(found.name, found.ranking) for found in seasons]
    if season is None:
        named += [(str(own), own.ranking) for own in AllTime.objects.filter(club__slug=club).select_related("ranking")]
    return named


EVENTS: Final = """
    WITH RECURSIVE held AS (
        (SELECT event, played_at FROM league_rankedgame WHERE ranking_id = %(ranking)s AND event > ''
        ORDER BY event, played_at LIMIT 1)
        UNION ALL
        SELECT next.* FROM held CROSS JOIN LATERAL (
            SELECT event, played_at FROM league_rankedgame
            WHERE ranking_id = %(ranking)s AND event > held.event AND event > '' ORDER BY event, played_at LIMIT 1
        ) next
    )
    SELECT event FROM held ORDER BY played_at, event
"""
"""The first game of each event, one look along the index for each."""


def events_of(ranking: Ranking) -> list[str]:
    """The events that a ranking's games name, in the order in which they took place. The work grows with the events,
    not with the games."""
    with connection.cursor() as cursor:
        cursor.execute(EVENTS, {"ranking": ranking.pk})
        return [event for (event,) in cursor.fetchall()]


def players_found(ranking_id: int, asked: str, most: int, *, but: Player | None = None) -> Sequence[Player]:
    """Whom somebody may mean who sat in a game of a ranking, `most` at most, by name; never `but`.

    It is one player if `asked` is a public id, a handle (a former one, too) or the only name that begins like this;
    else all whose name or handle begins so, whatever capitals and accents. One query.
    """
    text = "".join(filter(str.isprintable, asked)).strip()
    own = Handle.objects.filter(player=OuterRef("pk"), handle__iexact=text)
    seated = Appearance.objects.filter(player=OuterRef("pk"), ranking=ranking_id)
    begins = folded(text)
    meant = Q(public_id=text) | Exists(own)
    players = (
        Player.objects.filter(Exists(seated))
        .exclude(pk__in=[but.pk] if but else [])
        .select_related("club")
        .alias(folded_name=Folded("name"), folded_handle=Folded("handle"))
        .filter(meant | Q(folded_name__startswith=begins) | Q(folded_handle__startswith=begins))
        .annotate(meant=Case(When(meant, then=0), default=1))
        .order_by("meant", "folded_name", "pk")
    )
    found = list(players[:most])
    return found[:1] if found and found[0].meant == 0 else found


def heads_of(ranking: Ranking) -> QuerySet[RankedGame, tuple[bytes, str, str]]:
    """The head of each game of a ranking, its last digest, with the record's id and the game's public id, in
    order of play. One query."""
    last = Round.objects.filter(game=OuterRef("game")).order_by("-number").values("digest")[:1]
    games = RankedGame.objects.filter(ranking=ranking).order_by("played_at", "natural_id")
    heads = games.annotate(head=Coalesce(Subquery(last), F("game__digest")))
    return heads.values_list("head", "game__external_id", "game__public_id")
