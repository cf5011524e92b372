"""Clubs and who may do what in them."""

from __future__ import annotations

from typing import Any

from league.clubs.models import Club, Membership, Role, User
from league.frame.names import with_name_checked
from league.log.models import Action
from league.log.services import Actor, club_journal, log_start

SETTINGS = ("slug", "name", "about", "timezone")


def club_create(*, actor: Actor, **settings: Any) -> Club:
    """A new club with its log. `settings` are its slug, name, about and timezone."""
    club = Club(**with_name_checked(settings))
    with club_journal(0, actor) as journal:
        club.save(force_insert=True)
        log_start(club.pk, club.public_id)
        journal.club_id = club.pk
        journal.add(Action.CLUB_CREATED, club.public_id, club_settings(club))
    return club


def club_change(*, club: Club, actor: Actor, **settings: Any) -> Club:
    """Change settings of a club; what stays as it was is no change."""
    settings = with_name_checked(settings)
    with club_journal(club.pk, actor) as journal:
        before = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        changed = {name: value for name, value in settings.items() if getattr(before, name) != value}
        if changed:
            Club.objects.filter(pk=club.pk).update(**changed)
            old = {name: getattr(before, name) for name in changed}
            journal.add(Action.CLUB_CHANGED, club.public_id, {"before": old, "after": changed})
    club.refresh_from_db()
    return club


def club_settings(club: Club) -> dict[str, str]:
    """A club's settings, by name."""
    return {name: getattr(club, name) for name in SETTINGS}


def member_add(*, club: Club, user: User, role: Role, actor: Actor) -> Membership:
    """Give an account a role; who has it already keeps it."""
    with club_journal(club.pk, actor) as journal:
        membership, created = Membership.objects.get_or_create(club=club, user=user, role=role)
        if created:
            journal.add(Action.MEMBER_ADDED, user.public_id, {"role": role})
    return membership


def member_remove(*, club: Club, user: User, role: Role, actor: Actor) -> bool:
    """Take a role from an account; False if it had none such."""
    with club_journal(club.pk, actor) as journal:
        removed, _ = Membership.objects.filter(club=club, user=user, role=role).delete()
        if removed:
            journal.add(Action.MEMBER_REMOVED, user.public_id, {"role": role})
    return bool(removed)
