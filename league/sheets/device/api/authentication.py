"""Authentication of devices: `Authorization: Device …` with the key of a phone, which is good for
one table, or for one game without a table."""

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
    """Authenticate a device by its key: `request.auth` is the device, and the user is anonymous.
    The key may have ended."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ClubDevice] | None:
        """Return an anonymous user and the device; None without a `Device` header. Raise
        `AuthenticationFailed` for an unknown key."""
        scheme, _, key = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"device":
            return None
        device = device_of_key(key.strip().decode("latin-1"))
        if device is None:
            raise AuthenticationFailed("The key is unknown.")
        return AnonymousUser(), device

    def authenticate_header(self, request: Request) -> str:
        """Return the `WWW-Authenticate` header of a 401. `request`: unused, but DRF passes it."""
        return 'Bearer realm="Cups Up"'


class DeviceScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Keys of phones, as the schema describes them."""

    target_class = "league.sheets.device.api.authentication.DeviceAuthentication"
    name = "device"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the description of a phone's key in the schema. `auto_schema`: unused, but passed
        by drf-spectacular."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": (
                "`Device ` and the key of a phone, which is good for one table, or one game "
                "without one."
            ),
        }
