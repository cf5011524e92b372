"""Closing a season: players go up or down, and the next season starts with them in new
divisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from engine.illegal import Refused
from engine.scoring.divisions import DivisionPlan
from league.core.log.services import Actor, club_journal
from league.counting.event_counting.domain import DivisionRows
from league.counting.event_counting.queries import divisions_of
from league.counting.event_counting.services import divisions_set
from league.counting.promotion.actions import PromotionAction
from league.counting.promotion.domain import close_refused, division_plan
from league.counting.promotion.queries import disputed_games, season_after
from league.standings.season.models import Season
from league.standings.season.services.season import season_create, season_values


@transaction.atomic
def season_close(
    *,
    season: Season,
    actor: Actor,
    slug: str,
    name: str,
    starts_on: Any,
    chosen: Mapping[str, str] | None = None,
) -> Season:
    """Close a season with divisions, and return the next one, which has the same settings and the
    players in their new divisions.

    `chosen`: for players tied at a line, by public id, the public id of the division they move to.
    Closing a season again returns the same next season. Raise `ValidationError` if a tie at a line
    isn't decided, if the season was closed into another one (`season_closed`), or if an unrelated
    season has the address (`slug_taken`). Raise `Refused` with `results_provisional` if a seat
    objects to a game of the season, and nobody has ruled on it."""
    with club_journal(season.club_id, actor) as journal:
        journal.lock()  # nobody else closes it meanwhile
    next_season = season_after(season)
    if next_season is not None:
        if slug == next_season.slug or name == next_season.name:
            return next_season
        raise ValidationError(
            gettext("This season is already closed. It continues as “%(season)s”.")
            % {"season": next_season.name},
            code="season_closed",
        )
    _refuse_taken_slug(season, slug)
    disputed = disputed_games(season)
    if disputed:
        raise Refused(close_refused(disputed))
    divisions = divisions_of(season)
    plan = plan_checked(divisions, chosen or {})
    settings = {
        **season_values(season),
        "slug": slug,
        "name": name,
        "starts_on": starts_on,
        "ends_on": None,
        "archived": False,
    }
    next_season = season_create(club=season.club, actor=actor, **settings)
    _copy_divisions(next_season, divisions, plan, actor)
    with club_journal(season.club_id, actor) as journal:
        moved = [[move.player, move.before, move.after] for move in plan.moves]
        journal.add(
            PromotionAction.SEASON_CLOSED,
            season.public_id,
            {"next": next_season.public_id, "moves": moved},
        )
    return next_season


def _refuse_taken_slug(season: Season, slug: str) -> None:
    if Season.objects.filter(club=season.club_id, slug=slug).exists():
        error = ValidationError(
            gettext(
                "Another season of the club uses this address, and it doesn’t continue this one."
            ),
            code="slug_taken",
        )
        raise ValidationError({"slug": error})


def _copy_divisions(
    next_season: Season, divisions: Sequence[DivisionRows], plan: DivisionPlan, actor: Actor
) -> None:
    new_divisions = {move.player: move.after for move in plan.moves}
    numbers = {division.public_id: number for number, division in enumerate(divisions, start=1)}
    players = {}
    for division in divisions:
        for player, _, _ in division.players:
            players[player] = numbers[new_divisions.get(player, division.public_id)]
    divisions_set(
        season=next_season,
        actor=actor,
        divisions=[(division.name, division.up, division.down) for division in divisions],
        players=players,
    )


def plan_checked(divisions: Sequence[DivisionRows], chosen: Mapping[str, str]) -> DivisionPlan:
    """Return the moves between the divisions. Raise `ValidationError` if the plan is impossible, or
    a tie at a line isn't decided."""
    plan = division_plan(divisions, chosen)
    if not isinstance(plan, DivisionPlan):
        raise ValidationError(plan.message.translated(gettext))
    if plan.open_ties:
        raise ValidationError(
            gettext(
                "Some players share the rank where promotion or relegation is decided. Choose who "
                "moves."
            )
        )
    return plan
