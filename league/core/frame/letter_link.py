"""Links in emails. They begin with the service's own origin, never with the host of a request, and
have a token that can't be guessed; the database stores only its digest."""

import hashlib
import secrets
from typing import Final

from django.conf import settings

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def new_token() -> str:
    """Return a random token for an address."""
    return secrets.token_urlsafe(24)


def new_code(length: int) -> str:
    """Return a random code for people to type, without letters and figures that look alike."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def digest_of(token: str) -> str:
    """Return the digest that is stored instead of a token: tokens are random, so a plain hash is
    enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def public_address(path: str) -> str:
    """Return the full address of a path, for emails."""
    return f"{settings.PUBLIC_ORIGIN}{path}"
