"""Accounts: how they come to be, and by which address they sign in."""

from __future__ import annotations

import secrets
from datetime import timedelta
from importlib import import_module
from typing import Final

from allauth.account.models import EmailAddress
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext

from league.clubs.models import User
from league.clubs.models.account import PHONE

WRONG_PASSWORDS_KEPT: Final = timedelta(days=1)


def account_create(*, name: str, email: str, password: str, operator: bool = False) -> User:
    """A new account; an `operator` may do everything, the administration included.

    Raises `ValidationError` by field: for a name or an address that isn't one, or that another account has.
    """
    user = User(username=name, email=User.objects.normalize_email(email), is_staff=operator, is_superuser=operator)
    user.set_password(password)
    user.full_clean(validate_constraints=False)
    if User.objects.filter(email__iexact=user.email).exists():
        raise ValidationError({"email": gettext("There is an account with this address. Sign in with it.")})
    user.save(force_insert=True)
    return user


def phone_create() -> User:
    """A new account of somebody's phone: without an address and a password, so that nobody else can sign in to it."""
    user = User(username=f"{PHONE}{secrets.token_hex(8)}", email="")
    user.set_unusable_password()
    user.save(force_insert=True)
    return user


def account_address_vouch(*, user: User) -> None:
    """Hold allauth's rows to the truth: an account signs in with its `email`, which nobody has to confirm again."""
    signs_in = EmailAddress.objects.filter(email=user.email, verified=True)
    if signs_in.filter(user=user, primary=True).exists():
        return
    with transaction.atomic():
        signs_in.exclude(user=user).delete()
        EmailAddress.objects.filter(user=user, verified=True).delete()
        EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})


def sign_ins_forget() -> None:
    """Delete the sessions that have ended, and what was noted of wrong passwords and, in earlier versions, sign-ins."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    AccessAttempt.objects.filter(attempt_time__lt=Now() - WRONG_PASSWORDS_KEPT).delete()
    AccessLog.objects.all().delete()
