"""What waits for a member of clubs: seasons to enter games into, files to confirm, games to
check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from games.models import Game
from league.core.log.models import SetAside
from league.core.member.models.member import Role
from league.disputes.case.queries.waiting import Waiting, waiting_rulings
from league.events.event.permissions import WORKERS
from league.events.event.queries.access import Rights
from league.floor.cockpit.domain.duty import Duty
from league.floor.cockpit.queries.duty import duties
from league.records.upload.models import ImportJob
from league.standings.ranked_game.domain.gameline import GameLine
from league.standings.ranked_game.queries.gameline import game_page
from league.standings.season.models import Season
from league.standings.season.queries.season import open_seasons

LISTED: Final = 5
"""How many things of each kind are listed."""


@dataclass(frozen=True, slots=True)
class OpenSeason:
    """A season that takes games, and whether the member may upload files."""

    season: Season
    may_import: bool


@dataclass(frozen=True, slots=True)
class Work:
    """The work that a member sees after signing in, the latest of each kind first.

    `rulings`: cases that wait for arbiters and organisers. `duties`: events that need a scorer or
    an organiser now. `seasons`: seasons that take games, for scorers and organisers. `imports`:
    uploaded files that wait for an organiser. `games`, `corrections` and `set_aside` (entries of
    the log that couldn't be counted): for arbiters and organisers.
    """

    rulings: list[Waiting]
    duties: list[Duty]
    seasons: list[OpenSeason]
    imports: list[ImportJob]
    games: list[GameLine]
    corrections: list[Game]
    set_aside: list[SetAside]


def work_of(rights: Rights) -> Work | None:
    """Return a member's work in all clubs; None if the account has no role that brings work. Ten
    queries at most."""
    roles = [(club, role) for club, event, role in rights.roles if event == 0 and role in WORKERS]
    if not roles:
        return None
    clubs_to_organise = {club for club, role in roles if role == Role.ORGANISER}
    clubs_to_score = clubs_to_organise | {club for club, role in roles if role == Role.SCORER}
    clubs_to_rule = clubs_to_organise | {club for club, role in roles if role == Role.ARBITER}
    seasons = list(open_seasons(clubs_to_score | clubs_to_rule)[:LISTED])
    return Work(
        rulings=waiting_rulings(clubs_to_rule),
        duties=duties(clubs_to_score, clubs_to_organise),
        seasons=[
            OpenSeason(season, season.club_id in clubs_to_organise)
            for season in seasons
            if season.club_id in clubs_to_score
        ],
        imports=list(_unconfirmed_imports(clubs_to_organise)) if clubs_to_organise else [],
        games=_latest_games([season for season in seasons if season.club_id in clubs_to_rule]),
        corrections=list(_latest_corrections(clubs_to_rule)) if clubs_to_rule else [],
        set_aside=list(_set_aside(clubs_to_rule)) if clubs_to_rule else [],
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
