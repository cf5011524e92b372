"""How a season's events count together, and its divisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from league.core.log.columns import columns_of
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.models import Player
from league.counting.event_counting.actions import CountingAction
from league.counting.event_counting.models import COUNTING, EventCounting
from league.standings.division.models import DIVISION, DIVISION_PLAYER, Division, DivisionPlayer
from league.standings.season.models import Season

SETTINGS: Final = columns_of(EventCounting, "setting")
"""An organiser's settings of how the events of a season count together."""
MOST_DIVISIONS = 12


def counting_change(
    *,
    season: Season,
    actor: Actor,
    per: str | None,
    best: int | None = None,
    points_table: Sequence[int] | None = None,
) -> bool:
    """Set how the events of a season count together; with `per` None they don't. Return False if
    nothing changed.

    Raise `ValidationError` with messages by field, for instance if a worse rank would bring more
    points.
    """
    if points_table is not None and list(points_table) != sorted(points_table, reverse=True):
        raise ValidationError({"points_table": gettext("A better rank can’t earn fewer points.")})
    with club_journal(season.club_id, actor, lock_at_once=True) as journal:
        counting = EventCounting.objects.filter(season=season)
        before = counting.values(*SETTINGS).first()
        after: dict[str, Any] | None = None
        if per is not None:
            after = {
                "per": per,
                "best": best,
                "points_table": list(points_table) if points_table else None,
            }
            EventCounting(season=season, **after).full_clean(
                exclude=["season"], validate_unique=False
            )
        if after == before:
            return False
        journal.add(
            CountingAction.SEASON_COUNTING, season.public_id, {"before": before, "after": after}
        )
        if after is None:
            journal.record_removal(COUNTING, [season.pk])
            counting.delete()
        else:
            EventCounting.objects.update_or_create(season=season, defaults=after)
            journal.record(COUNTING, [season.pk])
    return True


def divisions_set(
    *,
    season: Season,
    actor: Actor,
    divisions: Sequence[tuple[str, int, int]],
    players: Mapping[str, int],
) -> None:
    """Set the divisions of a season, from the highest (each with its name and the numbers of
    players who go up and down), and their players.

    `players`: the number of the division, from 1, by the player's public id. Raise
    `ValidationError` for too many divisions, a repeated name, or a player unknown to the club.
    """
    names = [name.strip() for name, _, _ in divisions]
    if len(divisions) > MOST_DIVISIONS:
        raise ValidationError(
            gettext("A season has at most %(most)d divisions.") % {"most": MOST_DIVISIONS}
        )
    if "" in names or len(set(names)) < len(names):
        raise ValidationError(gettext("Give each division a different name."))
    with club_journal(season.club_id, actor, lock_at_once=True) as journal:
        _divisions_delete(journal, season)
        rows = Division.objects.bulk_create(
            Division(season=season, number=number, name=names[number - 1], up=up, down=down)
            for number, (_, up, down) in enumerate(divisions, start=1)
        )
        known_players = Player.objects.filter(club=season.club_id, public_id__in=players)
        player_ids = dict(known_players.values_list("public_id", "pk"))
        has_bad_number = any(not 1 <= number <= len(rows) for number in players.values())
        if len(player_ids) < len(players) or has_bad_number:
            raise ValidationError(
                gettext("Choose players from the club and divisions from the season.")
            )
        player_rows = DivisionPlayer.objects.bulk_create(
            DivisionPlayer(
                season=season, player_id=player_ids[public_id], division=rows[number - 1]
            )
            for public_id, number in players.items()
        )
        payload = {
            "divisions": [[up, down] for _, up, down in divisions],
            "players": dict(sorted(players.items())),
        }
        words = {f"division_{number}": name for number, name in enumerate(names, start=1)}
        journal.add(CountingAction.SEASON_DIVISIONS, season.public_id, payload, names=words)
        journal.record(DIVISION, rows)
        journal.record(DIVISION_PLAYER, player_rows)


def _divisions_delete(journal: Journal, season: Season) -> None:
    players = DivisionPlayer.objects.filter(season=season)
    divisions = Division.objects.filter(season=season)
    journal.record_removal(DIVISION_PLAYER, players.values_list("pk", flat=True))
    journal.record_removal(DIVISION, divisions.values_list("pk", flat=True))
    players.delete()
    divisions.delete()
