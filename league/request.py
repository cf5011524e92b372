"""What the server and the application both go by: how large a request's head may be, and which
answers never end."""

from typing import Final

HEAD_BYTES: Final = 32 * 1024
"""Bytes of address and headers."""
STREAMS: Final = "/live/"
"""Below this address are answers that go on until somebody leaves."""
API_STREAM: Final = "/stream/"
"""So end the addresses of the API whose answers are streams."""


def is_stream(path: str) -> bool:
    """Tell whether the answer at an address goes on until somebody leaves."""
    return path.startswith(STREAMS) or (path.startswith("/api/") and path.endswith(API_STREAM))
