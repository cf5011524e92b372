"""Words that nobody can guess, for the links of letters: the link has the token, the database its digest alone."""

import hashlib
import secrets


def new_token() -> str:
    """A token that nobody can guess, as it stands in an address."""
    return secrets.token_urlsafe(24)


def digest_of(token: str) -> str:
    """Return what is stored of a token: it is random, so a plain hash can't be guessed back."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
