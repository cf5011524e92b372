"""Events to measure: a running one with so many players, and an organiser who runs it."""

from __future__ import annotations

from datetime import date
from itertools import count

from league.core.club.services import club_create
from league.core.log.services import Actor
from league.models import Membership, Role, Stage, User
from league.standings.season.services.season import season_create
from tests.factories import events

numbers = count(1)


def running_stage(players: int, *, games: int = 1) -> Stage:
    """A stage that runs, of an event of a new club whose season counts places; nothing is drawn
    yet.

    Swiss at tables of four and three, `games` at each.
    """
    slug = f"bench-event-{next(numbers)}"
    club = club_create(actor=Actor(), slug=slug, name=slug)
    season = season_create(
        actor=Actor(),
        club=club,
        slug="season",
        name="Season",
        starts_on=date(2026, 9, 3),
        scoring="placement",
    )
    made = events.event(season, status="running")
    events.crowd(made, players)
    return events.stage(made, rounds=5, games=games)


def organiser_of(stage: Stage) -> User:
    """A new account that runs the events of the stage's club."""
    club = stage.event.club
    user = User.objects.create(username=club.slug, email=f"{club.slug}@example.org")
    Membership.objects.create(club=club, user=user, role=Role.ORGANISER)
    return user
