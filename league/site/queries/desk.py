"""All that the desk of a club shows beside its people: how far it has come, its seasons, its uploads."""

from __future__ import annotations

from dataclasses import dataclass

from league.clubs.models import ApiKey, Club, Membership, Player
from league.clubs.queries.member import invitations_of
from league.events.models import Event
from league.seasons.models import Season, SeasonGame


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
    """Read how far a club has come."""
    return DeskCounts(
        seasons=Season.objects.filter(club=club).count(),
        events=Event.objects.filter(club=club).count(),
        games=SeasonGame.objects.filter(season__club=club).count(),
        members=Membership.objects.filter(club=club).values("user").distinct().count(),
        invitations=invitations_of(club).count(),
        players=Player.objects.filter(club=club, merged_into=None).count(),
        keys=ApiKey.objects.filter(club=club, revoked_at=None).count(),
    )
