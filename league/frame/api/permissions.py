"""Permissions of the API: a view that doesn't say for whom it is open is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

if TYPE_CHECKING:
    from rest_framework.views import APIView


class Closed(BasePermission):
    """Refuse everybody: the permission of views that name no other."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Refuse, whoever asks for whatever."""
        return False
