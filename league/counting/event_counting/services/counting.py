"""All that events count for: where everybody finished an event, how a season's events count, its divisions, its
close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from engine.scoring.divisions import DivisionPlan
from league.core.log.columns import columns_of
from league.core.log.services import Actor, club_journal
from league.core.player.models import Player
from league.counting.division.domain import DivisionRows, division_plan
from league.counting.event_counting.actions import CountingAction
from league.counting.event_counting.models import COUNTING, EventCounting
from league.counting.event_counting.queries.counting import divisions_of, season_after
from league.standings.division.models import DIVISION, DIVISION_PLAYER, Division, DivisionPlayer
from league.standings.season.models import Season
from league.standings.season.services.season import season_create, season_values

SETTINGS: Final = columns_of(EventCounting, "setting")
"""What an organiser says of how the events of a season count together."""
MOST_DIVISIONS = 12


def counting_change(
    *, season: Season, actor: Actor, per: str | None, best: int | None = None, points_table: Sequence[int] | None = None
) -> bool:
    """Say how the events of a season count together; `per` None: they don't. False: no change.

    Raises `ValidationError` by field: a table of points that rises with the rank.
    """
    if points_table is not None and list(points_table) != sorted(points_table, reverse=True):
        raise ValidationError({"points_table": gettext("A better rank can’t bring fewer points.")})
    with club_journal(season.club_id, actor, alone=True) as journal:
        counting = EventCounting.objects.filter(season=season)
        before = counting.values(*SETTINGS).first()
        after: dict[str, Any] | None = None
        if per is not None:
            after = {"per": per, "best": best, "points_table": list(points_table) if points_table else None}
            EventCounting(season=season, **after).full_clean(exclude=["season"], validate_unique=False)
        if after == before:
            return False
        journal.add(CountingAction.SEASON_COUNTING, season.public_id, {"before": before, "after": after})
        if after is None:
            journal.state_gone(COUNTING, [season.pk])
            counting.delete()
        else:
            EventCounting.objects.update_or_create(season=season, defaults=after)
            journal.state(COUNTING, [season.pk])
    return True


def divisions_set(
    *, season: Season, actor: Actor, divisions: Sequence[tuple[str, int, int]], players: Mapping[str, int]
) -> None:
    """Say which divisions a season has, from the highest (`name, up, down`), and who plays in which.

    `players`: the number of the division, from 1, by the player's public id. Raises `ValidationError`: too many
    divisions, a name twice, somebody whom the club doesn't know.
    """
    names = [name.strip() for name, _, _ in divisions]
    if len(divisions) > MOST_DIVISIONS:
        raise ValidationError(gettext("A season has at most %(most)d divisions.") % {"most": MOST_DIVISIONS})
    if "" in names or len(set(names)) < len(names):
        raise ValidationError(gettext("Give each division a name of its own."))
    with club_journal(season.club_id, actor, alone=True) as journal:
        players_before = DivisionPlayer.objects.filter(season=season)
        divisions_before = Division.objects.filter(season=season)
        journal.state_gone(DIVISION_PLAYER, players_before.values_list("pk", flat=True))
        journal.state_gone(DIVISION, divisions_before.values_list("pk", flat=True))
        players_before.delete()
        divisions_before.delete()
        rows = Division.objects.bulk_create(
            Division(season=season, number=number, name=name, up=up, down=down)
            for number, (name, (_, up, down)) in enumerate(zip(names, divisions, strict=True), start=1)
        )
        player_ids = dict(
            Player.objects.filter(club=season.club_id, public_id__in=players).values_list("public_id", "pk")
        )
        if len(player_ids) < len(players) or any(not 1 <= number <= len(rows) for number in players.values()):
            raise ValidationError(gettext("Choose players of the club and divisions of the season."))
        player_rows = DivisionPlayer.objects.bulk_create(
            DivisionPlayer(season=season, player_id=player_ids[public_id], division=rows[number - 1])
            for public_id, number in players.items()
        )
        payload = {"divisions": [[up, down] for _, up, down in divisions], "players": dict(sorted(players.items()))}
        words = {f"division_{number}": name for number, name in enumerate(names, start=1)}
        journal.add(CountingAction.SEASON_DIVISIONS, season.public_id, payload, names=words)
        journal.state(DIVISION, rows)
        journal.state(DIVISION_PLAYER, player_rows)


@transaction.atomic
def season_close(
    *, season: Season, actor: Actor, slug: str, name: str, starts_on: Any, chosen: Mapping[str, str] | None = None
) -> Season:
    """Close a season with divisions: the next one begins with the same settings, and who goes up or down does so.

    `chosen`: of those who share the rank at a line, by public id, the public id of the division where they go. Closing
    again gives the season that came of it. Raises `ValidationError`: a tie at a line isn't decided; the season is
    closed and goes on as another one (`season_closed`); the address is that of a season which didn't come of it
    (`slug_taken`).
    """
    with club_journal(season.club_id, actor) as journal:
        journal.lock()  # nobody closes it in between
    next_season = season_after(season)
    if next_season is not None:
        if slug == next_season.slug or name == next_season.name:
            return next_season
        raise ValidationError(
            gettext("This season is closed already: it goes on as “%(season)s”.") % {"season": next_season.name},
            code="season_closed",
        )
    if Season.objects.filter(club=season.club_id, slug=slug).exists():
        raise ValidationError(
            {
                "slug": ValidationError(
                    gettext("Another season of the club has this address, and it didn’t come of this one."),
                    code="slug_taken",
                )
            }
        )
    divisions = divisions_of(season)
    plan = plan_checked(divisions, chosen or {})
    moves = {move.player: move.after for move in plan.moves}
    settings = {"slug": slug, "name": name, "starts_on": starts_on, "ends_on": None, "archived": False}
    next_season = season_create(club=season.club, actor=actor, **season_values(season) | settings)
    numbers = {division.public_id: number for number, division in enumerate(divisions, start=1)}
    players = {
        player: numbers[moves.get(player, division.public_id)]
        for division in divisions
        for player, _, _ in division.players
    }
    divisions_set(
        season=next_season,
        actor=actor,
        divisions=[(division.name, division.up, division.down) for division in divisions],
        players=players,
    )
    with club_journal(season.club_id, actor) as journal:
        moved = [[move.player, move.before, move.after] for move in plan.moves]
        journal.add(CountingAction.SEASON_CLOSED, season.public_id, {"next": next_season.public_id, "moves": moved})
    return next_season


def plan_checked(divisions: Sequence[DivisionRows], chosen: Mapping[str, str]) -> DivisionPlan:
    """Tell who moves where. Raises `ValidationError` where the plan can't be, or a tie is still open."""
    plan = division_plan(divisions, chosen)
    if not isinstance(plan, DivisionPlan):
        raise ValidationError(plan.message.translated(gettext))
    if plan.open_ties:
        raise ValidationError(gettext("Some share the rank at a line: choose who of them moves."))
    return plan
