"""What the desk of a club shows beside its people: how far it has come, its seasons, its uploads."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from league.clubs.models import ApiKey, Club, Membership, Player
from league.clubs.queries.member import invitations_of
from league.events.models import Event
from league.imports.models import ImportJob
from league.rankings.models import Season, SeasonGame


@dataclass(frozen=True, slots=True)
class DeskCounts:
    """How many there are of each in a club: members are accounts, players are people, keys are good ones."""

    seasons: int
    events: int
    games: int
    members: int
    invitations: int
    players: int
    keys: int


def desk_counts(club: Club) -> DeskCounts:
    """How far a club has come."""
    return DeskCounts(
        seasons=Season.objects.filter(club=club).count(),
        events=Event.objects.filter(club=club).count(),
        games=SeasonGame.objects.filter(season__club=club).count(),
        members=Membership.objects.filter(club=club).values("user").distinct().count(),
        invitations=invitations_of(club).count(),
        players=Player.objects.filter(club=club, merged_into=None).count(),
        keys=ApiKey.objects.filter(club=club, revoked_at=None).count(),
    )


def latest_season(club: Club) -> Season | None:
    """The season that began last."""
    return Season.objects.filter(club=club, archived=False).order_by("-starts_on", "-pk").first()


def desk_seasons(club: Club) -> QuerySet[Season]:
    """All seasons of a club, archived ones last, else the latest first, each with its `game_count`."""
    counted = Season.objects.filter(club=club).annotate(game_count=Count("season_games"))
    return counted.select_related("club").order_by("archived", "-starts_on", "name", "pk")


def desk_uploads(club: Club) -> QuerySet[ImportJob]:
    """The files uploaded for a club's seasons, the newest first, without their bytes."""
    jobs = ImportJob.objects.filter(season__club=club).select_related("uploaded_by", "season").defer("content")
    return jobs.order_by("-uploaded_at", "-pk")
