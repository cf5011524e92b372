"""Addresses as letters tell them: by the service's own name, never by the host that a request has named."""

from django.conf import settings


def public_address(path: str) -> str:
    """A path as readers of letters find it."""
    return f"{settings.PUBLIC_ORIGIN}{path}"
