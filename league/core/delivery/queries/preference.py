"""Accounts' choices of notices, and their devices."""

from __future__ import annotations

from collections.abc import Collection

from league.core.account.models import User
from league.core.delivery.models.preference import NoticePreference
from league.core.delivery.models.subscription import PushSubscription


def preference_of(user: User) -> NoticePreference:
    """Return an account's preference, or the unsaved default."""
    return NoticePreference.objects.filter(user=user).first() or NoticePreference(user=user)


def preferences_of(user_ids: Collection[int]) -> dict[int, NoticePreference]:
    """Return the preferences of accounts by the accounts' row ids, with one query."""
    preferences = {row.user_id: row for row in NoticePreference.objects.filter(user__in=user_ids)}
    return {user: preferences.get(user) or NoticePreference(user_id=user) for user in user_ids}


def devices_of(user: User) -> list[PushSubscription]:
    """Return the devices of an account that show notices, the oldest first."""
    return list(PushSubscription.objects.filter(user=user))


def device_of(user: User, public_id: str) -> PushSubscription:
    """Return the account's device with this public id. Raise `PushSubscription.DoesNotExist`."""
    return PushSubscription.objects.get(user=user, public_id=public_id)
