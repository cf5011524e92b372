"""What waits for a member of clubs: seasons to enter games into, files to confirm, games to
check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from games.models import Game
from league.core.account.models import User
from league.core.log.models import SetAside
from league.core.member.models.member import Membership, Role
from league.disputes.case.queries.waiting import Waiting, waiting_rulings
from league.events.event.permissions import WORKERS
from league.floor.cockpit.domain.duty import Duty
from league.floor.cockpit.queries.duty import duties
from league.records.upload.models import ImportJob
from league.standings.ranked_game.domain.gameline import GameLine
from league.standings.ranked_game.queries.gameline import game_page
from league.standings.season.models import Season
from league.standings.season.queries.season import open_seasons

LISTED: Final = 5
"""How many of each kind are listed."""


@dataclass(frozen=True, slots=True)
class OpenSeason:
    """A season that takes games, and whether the member may upload files."""

    season: Season
    may_import: bool


@dataclass(frozen=True, slots=True)
class Work:
    """The work that a member sees after signing in, the latest of each kind first.

    `rulings`: what waits for arbiters and organisers. `duties`: events that need a scorer or an
    organiser now. `seasons`: for scorers and organisers. `imports`: uploaded files that wait for an
    organiser. `games`, `corrections` and `set_aside` (entries of the log that couldn't be counted):
    for arbiters and organisers."""

    rulings: list[Waiting]
    duties: list[Duty]
    seasons: list[OpenSeason]
    imports: list[ImportJob]
    games: list[GameLine]
    corrections: list[Game]
    set_aside: list[SetAside]


def work_of(user: User) -> Work | None:
    """Return the work of a member in all clubs; None without a role in any. Eleven queries at
    most."""
    roles = list(Membership.objects.filter(user=user, role__in=WORKERS).values_list("club", "role"))
    if not roles:
        return None
    organised = {club for club, role in roles if role == Role.ORGANISER}
    scored = organised | {club for club, role in roles if role == Role.SCORER}
    ruled = organised | {club for club, role in roles if role == Role.ARBITER}
    seasons = list(open_seasons(scored | ruled)[:LISTED])
    return Work(
        rulings=waiting_rulings(ruled),
        duties=duties(scored, organised),
        seasons=[
            OpenSeason(season, season.club_id in organised)
            for season in seasons
            if season.club_id in scored
        ],
        imports=list(_unconfirmed_imports(organised)) if organised else [],
        games=_latest_games([season for season in seasons if season.club_id in ruled]),
        corrections=list(_latest_corrections(ruled)) if ruled else [],
        set_aside=list(_set_aside(ruled)) if ruled else [],
    )


def _unconfirmed_imports(clubs: set[int]) -> QuerySet[ImportJob]:
    jobs = ImportJob.objects.select_related("season__club").defer("content")
    return jobs.filter(season__club__in=clubs, state=ImportJob.State.PREVIEWED).order_by(
        "-uploaded_at", "-pk"
    )[:LISTED]


def _latest_games(seasons: list[Season]) -> list[GameLine]:
    if not seasons:
        return []
    return game_page([season.ranking_id for season in seasons], LISTED).games


def _latest_corrections(clubs: set[int]) -> QuerySet[Game]:
    corrections = Game.objects.filter(replaces__isnull=False, season_game__season__club__in=clubs)
    latest_first = corrections.order_by("-entered_at", "-pk")
    return latest_first.select_related("season_game__season__club")[:LISTED]


def _set_aside(clubs: set[int]) -> QuerySet[SetAside]:
    return (
        SetAside.objects.select_related("club")
        .filter(club__in=clubs)
        .order_by("-due_at", "-pk")[:LISTED]
    )
