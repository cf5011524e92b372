"""What the server and the application both go by: how large a request's head may be, which answers never end, and how
those are written."""

from typing import Final

HEAD_BYTES: Final = 32 * 1024
"""Bytes of address and headers."""
STREAMS: Final = "/live/"
"""Below this address are answers that go on until somebody leaves."""
LINE: Final = "cups_up.line"
"""The extension of ASGI by which such an answer is written at once, once it has begun."""
