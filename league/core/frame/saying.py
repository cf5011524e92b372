"""Redirecting with a message."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def redirect_saying(
    request: HttpRequest, message: str, to: Any, *args: Any, level: int = messages.SUCCESS
) -> HttpResponse:
    """Redirect to a page that shows this message. `to` and `args` are the arguments of Django's
    `redirect`: the name of a URL and its values. `level` (of `django.contrib.messages`): by default
    the message says that something was done; a warning or an error says what prevented it."""
    messages.add_message(request, level, message)
    return redirect(to, *args)
