"""Compressed answers: pages, API answers, and a checkout's static files."""

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
    """Django's compression for text; pictures and fonts are compressed already.

    A compressed answer has a weak ETag. Whitenoise compares ETags letter by letter, so it is asked
    for the strong one: for revalidation they are the same (RFC 9110, 13.1.2)."""

    def process_request(self, request: HttpRequest) -> None:
        """Turn the weak ETags of the request's If-None-Match back into strong ones."""
        etags = request.META.get("HTTP_IF_NONE_MATCH")
        if etags:
            request.META["HTTP_IF_NONE_MATCH"] = etags.replace('W/"', '"')

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress a text if the client accepts that and the text gets smaller; leave other answers
        as they are."""
        if not TEXT.match(response.get("Content-Type", "")):
            return response
        return super().process_response(request, response)
