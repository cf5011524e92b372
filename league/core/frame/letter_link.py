"""The links of letters: they begin with the service's own name, never with the host that a request
has named, and have a word that nobody can guess, of which the database has the digest alone."""

import hashlib
import secrets
from typing import Final

from django.conf import settings

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def new_token() -> str:
    """A token that nobody can guess, as it stands in an address."""
    return secrets.token_urlsafe(24)


def new_code(length: int) -> str:
    """A code that somebody can type, of letters and figures none of which looks like another."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def digest_of(token: str) -> str:
    """Return what is stored of a token: it is random, so a plain hash can't be guessed back."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def public_address(path: str) -> str:
    """A path as readers of letters find it."""
    return f"{settings.PUBLIC_ORIGIN}{path}"
