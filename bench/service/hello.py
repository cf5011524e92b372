"""The service's ASGI application with one address more: a view that does nothing, for what the
server itself takes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from league import asgi, urls
from league.up.preload import settle


def hello(request: HttpRequest) -> HttpResponse:
    """Answer with one word, so that what a page costs stands beside what any answer costs."""
    return HttpResponse("hello")


urls.urlpatterns.append(path("hello/", csrf_exempt(hello)))
application = asgi.application
settle()  # as the supervisor does before web processes begin
