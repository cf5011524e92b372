"""Encryption of stored secrets, with a key derived from the service's own."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from cryptography.fernet import Fernet, MultiFernet

SALT: Final = "league.second_factor"


def secret_box() -> MultiFernet:
    """Return a box that encrypts with the service's key, and decrypts with former keys, too."""
    from cryptography.fernet import MultiFernet

    return MultiFernet([_box(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def reencrypted(text: str) -> str:
    """Return an encrypted secret as the service's current key encrypts it; the same if it is
    already.

    Raise `InvalidToken` if none of the keys has encrypted it."""
    from cryptography.fernet import InvalidToken

    try:
        _box(settings.SECRET_KEY).decrypt(text)
    except InvalidToken:
        return secret_box().rotate(text).decode()
    return text


def _box(key: str) -> Fernet:
    from cryptography.fernet import Fernet

    digest = salted_hmac(SALT, "secrets", secret=key, algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(digest))
