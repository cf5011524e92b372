"""Compressed answers: pages, programs' answers, and a checkout's static files."""

from __future__ import annotations

import re
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXT: Final = re.compile(
    r"text/|image/svg\+xml|application/([\w.+-]*\+)?(json|x-ndjson|javascript|xml|yaml)\b"
)


class CompressionMiddleware(GZipMiddleware):
    """Django's compression for whatever is text; pictures and fonts are compressed already.

    A compressed answer's ETag is a weak one. A browser asks with it whether something has changed,
    and who answers (whitenoise compares letter by letter) is asked for the strong one: RFC 9110,
    13.1.2, knows no difference there."""

    def process_request(self, request: HttpRequest) -> None:
        """Ask for what the ETag was before we made it weak."""
        if etags := request.META.get("HTTP_IF_NONE_MATCH"):
            request.META["HTTP_IF_NONE_MATCH"] = etags.replace('W/"', '"')

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress the answer if its reader can unpack it and it gets smaller."""
        if not TEXT.match(response.get("Content-Type", "")):
            return response
        return super().process_response(request, response)
