"""Permissions and limits of the API: a view that doesn't say for whom it is open is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from league.core.frame.limits import Usage, limit_use, who_asks

if TYPE_CHECKING:
    from rest_framework.views import APIView


class Closed(BasePermission):
    """Refuse everybody: the permission of views that name no other."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Refuse, whoever asks for whatever."""
        return False


class Throttle(BaseThrottle):
    """Counts a request against the limit that the view names, and notes in the view's `usage` how
    much is left."""

    usage: Usage | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Tell whether this request may go on."""
        limit = getattr(view, "limit" if request.method in SAFE_METHODS else "post_limit", "read")
        key = request.auth
        who = who_asks(request._request) if key is None else f"{key._meta.model_name} {key.pk}"
        self.usage = view.usage = limit_use(limit, who)  # type: ignore[attr-defined]
        return self.usage is None or not self.usage.exceeded

    def wait(self) -> float | None:
        """Seconds until the next request may go on."""
        return None if self.usage is None else self.usage.ends
