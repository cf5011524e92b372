"""The keys of devices. Each is derived from the device's public id and a secret that isn't in the
database or its backups."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Final

from django.conf import settings
from django.utils.crypto import salted_hmac

PURPOSE: Final = "league.sheets.device"
"""Makes these keys differ from everything else that is derived from the secret."""


def device_key(device_id: str, secret: str | None = None) -> str:
    """Return the key of a device, given by public id, as addresses contain it: 43 characters.
    `secret`: by default `SECRET_KEY`."""
    mac = salted_hmac(PURPOSE, device_id, secret=secret, algorithm="sha256")
    return urlsafe_b64encode(mac.digest()).decode().rstrip("=")


def device_keys(device_id: str) -> list[str]:
    """Return the keys that a device may have: derived from `SECRET_KEY`, or from a former secret
    that is still accepted."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [device_key(device_id, secret) for secret in secrets]
