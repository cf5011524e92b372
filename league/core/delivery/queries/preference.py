"""All that accounts want to be told, and on which devices."""

from __future__ import annotations

from collections.abc import Collection

from league.core.account.models import User
from league.core.delivery.models.preference import NoticePreference
from league.core.delivery.models.subscription import PushSubscription


def preference_of(user: User) -> NoticePreference:
    """Read what an account has chosen, or what holds for who hasn't; not stored then."""
    return NoticePreference.objects.filter(user=user).first() or NoticePreference(user=user)


def preferences_of(users: Collection[int]) -> dict[int, NoticePreference]:
    """Read what these accounts have chosen, by account; one query."""
    preferences = {row.user_id: row for row in NoticePreference.objects.filter(user__in=users)}
    return {user: preferences.get(user) or NoticePreference(user_id=user) for user in users}


def devices_of(user: User) -> list[PushSubscription]:
    """The browsers that an account has told to show notices, the oldest first."""
    return list(PushSubscription.objects.filter(user=user))


def device_of(user: User, public_id: str) -> PushSubscription:
    """One of them, by its public id. Raises `PushSubscription.DoesNotExist`."""
    return PushSubscription.objects.get(user=user, public_id=public_id)
