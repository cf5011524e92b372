"""API keys: `Authorization: Bearer cups_…`, a program's key to one club."""

from __future__ import annotations

from datetime import timedelta

from django.db.models.functions import Now
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from league.core.account.models import User
from league.core.frame.letter_link import digest_of
from league.core.key.models import ApiKey

USED_EVERY = timedelta(minutes=1)  # `last_used_at` isn't worth a write for each request


class KeyAuthentication(BaseAuthentication):
    """Authenticates as the account that made an API key; `request.auth` is the key, which is valid
    only in its own club."""

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        """Return account and key; None without a Bearer header. Raise `AuthenticationFailed` if the
        key is unknown or revoked."""
        scheme, _, secret = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"bearer":
            return None
        key = _usable_key(secret.strip())
        if key is None:
            raise AuthenticationFailed("The key is unknown or has been revoked.")
        if key.last_used_at is None or key.last_used_at < timezone.now() - USED_EVERY:
            ApiKey.objects.filter(pk=key.pk).update(last_used_at=Now())
        return key.user, key

    def authenticate_header(self, request: Request) -> str:
        """Return the `WWW-Authenticate` header of a 401."""
        return 'Bearer realm="Cups Up"'


def _usable_key(secret: bytes) -> ApiKey | None:
    digest = digest_of(secret.decode("latin-1"))
    usable = ApiKey.objects.filter(digest=digest, revoked_at=None, user__is_active=True)
    return usable.select_related("user", "club").first()
