"""Creating accounts, ending their sessions, and keeping their secrets encrypted."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import timedelta
from importlib import import_module
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext

from league.core.account.domain.secret_box import reencrypted
from league.core.account.models import NAME_TAKEN, PHONE, User
from league.core.frame.names import name_tidied

WRONG_PASSWORDS_KEPT: Final = timedelta(days=1)
SECRETS: Final = ("secret", "seed")
"""The encrypted values of a second factor: an app's secret, and the seed of recovery codes."""
SIGN_INS_KEPT: Final = timedelta(days=90)
"""The longest that somebody stays signed in, and that sign-ins are recorded. A phone without an
account stays for so long after its last use, since nobody could sign in there again."""


def account_create(*, name: str, email: str, password: str, operator: bool = False) -> User:
    """Create an account; an `operator` may do everything, including the administration.

    Raise `ValidationError` with the field if the name or the address is invalid or another account
    has it.
    """
    user = User(username=name_tidied(name), email=User.objects.normalize_email(email))
    user.is_staff = operator
    user.is_superuser = operator
    user.set_password(password)
    user.full_clean(validate_constraints=False)
    if User.objects.filter(username__iexact=user.username).exists():
        raise ValidationError({"username": NAME_TAKEN})
    if User.objects.filter(email__iexact=user.email).exists():
        raise ValidationError(
            {"email": gettext("There’s already an account with this address. Sign in with it.")}
        )
    user.save(force_insert=True)
    return user


def phone_create() -> User:
    """Create an account for a phone, without an address or a password, so that nobody else can sign
    in to it."""
    user = User(username=f"{PHONE}{secrets.token_hex(8)}", email="")
    user.set_unusable_password()
    user.save(force_insert=True)
    return user


def account_address_vouch(*, user: User) -> None:
    """Make allauth's rows agree with an account's `email`, which counts as confirmed for this
    account alone."""
    confirmed = EmailAddress.objects.filter(email=user.email, verified=True)
    if confirmed.filter(user=user, primary=True).exists():
        return
    with transaction.atomic():
        confirmed.exclude(user=user).delete()
        EmailAddress.objects.filter(user=user, verified=True).delete()
        EmailAddress.objects.update_or_create(
            user=user, email=user.email, defaults={"verified": True, "primary": True}
        )


def sessions_end(
    *, user: User, kept_session_key: str | None = None, session: int | None = None
) -> int:
    """Sign an account out everywhere, or only in one `session` (its id), but never in the session
    with `kept_session_key`. Return how many sessions ended."""
    rows = UserSession.objects.filter(user=user).exclude(session_key=kept_session_key)
    if session is not None:
        rows = rows.filter(pk=session)
    keys = list(rows.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    rows.delete()
    return len(keys)


def second_factor_drop(*, user: User) -> bool:
    """Delete an account's second factors and recovery codes, and sign it out everywhere. Return
    False if it had none."""
    dropped, _ = Authenticator.objects.filter(user=user).delete()
    sessions_end(user=user)
    return bool(dropped)


@transaction.atomic
def second_factors_keep() -> None:
    """Encrypt the secrets of second factors again with the service's current key, so that its
    former keys can be removed."""
    from cryptography.fernet import InvalidToken

    if not settings.SECRET_KEY_FALLBACKS:
        return
    factors = Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN).order_by("pk")
    for factor in factors.select_for_update():
        secrets_of_factor = {name: factor.data[name] for name in SECRETS if name in factor.data}
        # A secret that none of our keys decrypts stays as it is.
        with suppress(InvalidToken):
            factor.data |= {
                name: reencrypted(encrypted) for name, encrypted in secrets_of_factor.items()
            }
            factor.save(update_fields=["data"])


def sign_ins_forget() -> None:
    """Delete ended and overlong sessions, and old records of sign-ins and wrong passwords."""
    oldest = Now() - SIGN_INS_KEPT
    overlong_sessions = UserSession.objects.filter(created_at__lt=oldest)
    Session.objects.filter(session_key__in=overlong_sessions.values("session_key")).delete()
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    User.objects.filter(last_login__lt=oldest).update(last_login=None)
    AccessAttempt.objects.filter(attempt_time__lt=Now() - WRONG_PASSWORDS_KEPT).delete()
    AccessFailureLog.objects.all().delete()
    AccessLog.objects.all().delete()
