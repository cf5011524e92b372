"""The WSGI entry point: everything but the live streams."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.core.wsgi import get_wsgi_application

from league.call_stack import with_room

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

django_application = get_wsgi_application()


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a request: Django's middleware, views and templates lie deep in each other."""
    return with_room(django_application, environ, start_response)
