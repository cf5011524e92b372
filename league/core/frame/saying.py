"""Leading on to another page, which says at its top what came of what was sent."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def redirect_saying(
    request: HttpRequest, words: str, to: Any, *args: Any, level: int = messages.SUCCESS
) -> HttpResponse:
    """Redirect as Django's `redirect` does, to a page that says these words: that something was
    done, or, by another `level` of `django.contrib.messages`, what stood in the way."""
    messages.add_message(request, level, words)
    return redirect(to, *args)
