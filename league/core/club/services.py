"""Clubs and who may do what in them."""

from __future__ import annotations

from typing import Any, Final

from league.core.club.actions import ClubAction
from league.core.club.models import CLUB, Club
from league.core.frame.names import with_name_checked
from league.core.log.columns import columns_of
from league.core.log.services import Actor, club_journal, log_start

SETTINGS: Final = columns_of(Club, "setting")
"""What an organiser says of a club."""
TEXTS: Final = columns_of(Club, "text")


def club_create(*, actor: Actor, **settings: Any) -> Club:
    """A new club with its log. `settings` are those of `SETTINGS`; what is left out has its
    default.

    Raises `ValidationError` by field.
    """
    club = Club(**with_name_checked(settings))
    club.full_clean()
    with club_journal(0, actor) as journal:
        club.save(force_insert=True)
        log_start(club.pk, club.public_id)
        journal.club_id = club.pk
        journal.add(ClubAction.CREATED, club.public_id, club_settings(club), texts=TEXTS)
        journal.state(CLUB, [club])
    return club


def club_change(*, club: Club, actor: Actor, **settings: Any) -> Club:
    """Change settings of a club; what stays as it was is no change. Raises `ValidationError` by
    field."""
    settings = with_name_checked(settings)
    with club_journal(club.pk, actor) as journal:
        before = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        changed = {
            name: value for name, value in settings.items() if getattr(before, name) != value
        }
        if changed:
            before_values = {name: getattr(before, name) for name in changed}
            for name, value in changed.items():
                setattr(before, name, value)
            before.full_clean()
            Club.objects.filter(pk=club.pk).update(**changed)
            journal.add(
                ClubAction.CHANGED,
                club.public_id,
                {"before": before_values, "after": changed},
                texts=TEXTS,
            )
            journal.state(CLUB, [club], changed)
    club.refresh_from_db()
    return club


def club_settings(club: Club) -> dict[str, Any]:
    """A club's settings, by name."""
    return {name: getattr(club, name) for name in SETTINGS}
