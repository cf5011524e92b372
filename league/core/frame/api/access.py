"""Permissions and rate limits of the API. A view that doesn't say who may use it is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from league.core.frame.limits import Usage, limit_use, requester_key

if TYPE_CHECKING:
    from rest_framework.views import APIView


class Closed(BasePermission):
    """Nobody may use the view: the default permission."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Deny by default."""
        return False


class Throttle(BaseThrottle):
    """Counts a request against the view's limit, and stores the usage in the view."""

    usage: Usage | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return True if the request is within the limit."""
        is_read = request.method in SAFE_METHODS
        limit = getattr(view, "limit" if is_read else "post_limit", "read")
        api_key = request.auth
        requester = (
            requester_key(request._request)
            if api_key is None
            else f"{api_key._meta.model_name} {api_key.pk}"
        )
        usage = limit_use(limit, requester)
        self.usage = usage
        view.usage = usage  # type: ignore[attr-defined]
        return usage is None or not usage.exceeded

    def wait(self) -> float | None:
        """Return the seconds until the next request may be made."""
        if self.usage is None:
            return None
        return self.usage.ends
