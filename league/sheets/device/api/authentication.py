"""Devices: `Authorization: Device …`, the key of a phone to one table, or to one game without a
table."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from league.sheets.device.models import ClubDevice
from league.sheets.sheet.queries.access import device_of_key


class DeviceAuthentication(BaseAuthentication):
    """Nobody's account; `request.auth` is the device, good for its own table or game only, which
    may have ended."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ClubDevice] | None:
        """Nobody and the device, or None without a Device header. Raise `AuthenticationFailed` for
        an unknown key."""
        scheme, _, key = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"device":
            return None
        device = device_of_key(key.strip().decode("latin-1"))
        if device is None:
            raise AuthenticationFailed("The key is unknown.")
        return AnonymousUser(), device

    def authenticate_header(self, request: Request) -> str:
        """Return the words of a 401 in `WWW-Authenticate`."""
        return 'Bearer realm="Cups Up"'


class DeviceScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Keys of phones, as the schema describes them."""

    target_class = "league.sheets.device.api.authentication.DeviceAuthentication"
    name = "device"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the header of a phone's key, as the schema names it."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": (
                "`Device ` and the key of a phone, which is good for one table, or one game "
                "without one."
            ),
        }
