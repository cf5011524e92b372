"""Redirecting with a message."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def redirect_saying(
    request: HttpRequest, message: str, to: Any, *args: Any, level: int = messages.SUCCESS
) -> HttpResponse:
    """Redirect as Django's `redirect` does, to a page that shows this message. By default the
    message says that something was done; with another `level` of `django.contrib.messages`, what
    prevented it."""
    messages.add_message(request, level, message)
    return redirect(to, *args)
