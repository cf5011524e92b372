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


def reencrypted(encrypted: str) -> str:
    """Return a secret encrypted with the service's current key: unchanged if it already is,
    otherwise encrypted again.

    Raise `InvalidToken` if none of the service's keys decrypts it.
    """
    from cryptography.fernet import InvalidToken

    try:
        _box(settings.SECRET_KEY).decrypt(encrypted)
    except InvalidToken:
        return secret_box().rotate(encrypted).decode()
    return encrypted


def _box(key: str) -> Fernet:
    from cryptography.fernet import Fernet

    digest = salted_hmac(SALT, "secrets", secret=key, algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(digest))
