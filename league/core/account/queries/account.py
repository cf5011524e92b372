"""Second factors and sessions of accounts."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.db.models.functions import Now

from league.core.account.models import User


def has_second_factor(user: User) -> bool:
    """Return True if signing in takes an app's code or a passkey. Recovery codes alone don't
    count."""
    factors = Authenticator.objects.filter(user=user)
    return bool(factors.exclude(type=Authenticator.Type.RECOVERY_CODES).exists())


def is_operator(user: User) -> bool:
    """Return True if the account may run the service."""
    return user.is_active and (user.is_staff or user.is_superuser)


def own_sessions(user: User) -> QuerySet[UserSession]:
    """Return the open sessions of an account, the latest first."""
    open_sessions = Session.objects.filter(expire_date__gt=Now()).values("session_key")
    sessions: QuerySet[UserSession] = UserSession.objects.filter(
        user=user, session_key__in=open_sessions
    )
    return sessions.order_by("-created_at", "-pk")
