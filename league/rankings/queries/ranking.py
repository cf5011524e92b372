"""Rankings and those who own them, and what is in them."""

from __future__ import annotations

from django.db.models import Exists, F, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Round
from league.clubs.models import Player
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


def events_of(ranking: Ranking) -> list[str]:
    """The events that a ranking's games name, in the order in which they took place."""
    events = (
        RankedGame.objects.filter(ranking=ranking)
        .exclude(game__event="")
        .order_by()
        .values_list("game__event")
        .annotate(first=Min("played_at"))
        .order_by("first", "game__event")
    )
    return [event for event, _ in events]


def players_in(ranking: Ranking) -> QuerySet[Player]:
    """Everybody who sat in a game of a ranking, by name."""
    seated = Appearance.objects.filter(player=OuterRef("pk"), ranking=ranking)
    return Player.objects.filter(Exists(seated)).order_by("name", "pk")


def heads_of(ranking: Ranking) -> QuerySet[RankedGame, tuple[bytes, str, str]]:
    """The head of each game of a ranking, its last digest, with the record's id and the game's public id, in
    order of play. One query."""
    last = Round.objects.filter(game=OuterRef("game")).order_by("-number").values("digest")[:1]
    games = RankedGame.objects.filter(ranking=ranking).order_by("played_at", "natural_id")
    heads = games.annotate(head=Coalesce(Subquery(last), F("game__digest")))
    return heads.values_list("head", "game__external_id", "game__public_id")
