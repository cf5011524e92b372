"""Shared by the server and the application: the size of a request's head, and endless answers."""

from typing import Final

HEAD_BYTES: Final = 32 * 1024
"""The limit for address and headers, in bytes."""
STREAMS: Final = "/live/"
"""Answers below this address go on until the reader leaves."""
API_STREAM: Final = "/stream/"
"""The end of the API's addresses with streams."""


def is_stream(path: str) -> bool:
    """Return True if the answer at a path goes on until the reader leaves."""
    return path.startswith(STREAMS) or (path.startswith("/api/") and path.endswith(API_STREAM))
