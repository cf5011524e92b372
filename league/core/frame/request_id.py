"""An id for each request, in its log lines and in its answer, so that a report can be matched with the log."""

import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse


class RequestIdMiddleware:
    """Binds `request_id` for the time of a request and sends it back as `X-Request-Id`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        response["X-Request-Id"] = request_id
        return response
