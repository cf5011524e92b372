"""Accounts: how they come to be."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from league.clubs.models import User


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
