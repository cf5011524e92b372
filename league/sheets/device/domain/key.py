"""The keys of devices: each follows from the device's id and a secret that no database or backup
holds."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Final

from django.conf import settings
from django.utils.crypto import salted_hmac

PURPOSE: Final = "league.sheets.device"
"""Keeps these keys apart from everything else that follows from the secret."""


def device_key(device_id: str, secret: str | None = None) -> str:
    """Return the key of a device, given by its public id, as it stands in an address: 43
    characters.

    `secret`: `SECRET_KEY` if nothing else is said.
    """
    mac = salted_hmac(PURPOSE, device_id, secret=secret, algorithm="sha256")
    return urlsafe_b64encode(mac.digest()).decode().rstrip("=")


def device_keys(device_id: str) -> list[str]:
    """Return the keys that a device may have been given: by `SECRET_KEY`, and by each former one
    that still holds."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [device_key(device_id, secret) for secret in secrets]
