"""Founding and changing clubs."""

from __future__ import annotations

from typing import Any, Final

from league.core.club.actions import ClubAction
from league.core.club.models import CLUB, Club
from league.core.frame.names import with_name_checked
from league.core.log.columns import columns_of
from league.core.log.services import Actor, club_journal, log_start

SETTINGS: Final = columns_of(Club, "setting")
"""The settings of a club that organisers choose."""
TEXTS: Final = columns_of(Club, "text")


def club_create(*, actor: Actor, **settings: Any) -> Club:
    """Found a club with its log. `settings` are values for the names in `SETTINGS`; missing ones
    get their defaults.

    Raise `ValidationError` with messages by field.
    """
    club = Club(**with_name_checked(settings))
    club.full_clean()
    # The journal gets its club below, once the club has an id.
    with club_journal(0, actor) as journal:
        club.save(force_insert=True)
        log_start(club.pk, club.public_id)
        journal.club_id = club.pk
        journal.add(ClubAction.CREATED, club.public_id, club_settings(club), texts=TEXTS)
        journal.record(CLUB, [club])
    return club


def club_change(*, club: Club, actor: Actor, **settings: Any) -> Club:
    """Change those settings of a club that differ from its current ones. Raise `ValidationError`
    with messages by field."""
    settings = with_name_checked(settings)
    with club_journal(club.pk, actor) as journal:
        row = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        new_values = {
            name: value for name, value in settings.items() if getattr(row, name) != value
        }
        if new_values:
            old_values = {name: getattr(row, name) for name in new_values}
            for name, value in new_values.items():
                setattr(row, name, value)
            row.full_clean()
            Club.objects.filter(pk=club.pk).update(**new_values)
            payload = {"before": old_values, "after": new_values}
            journal.add(ClubAction.CHANGED, club.public_id, payload, texts=TEXTS)
            journal.record(CLUB, [club], new_values)
    club.refresh_from_db()
    return club


def club_settings(club: Club) -> dict[str, Any]:
    """Return a club's settings by name."""
    return {name: getattr(club, name) for name in SETTINGS}
