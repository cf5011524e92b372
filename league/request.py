"""What the server and the application both go by: how large a request's head may be, and which answers never end."""

from typing import Final

HEAD_BYTES: Final = 32 * 1024
"""Bytes of address and headers."""
STREAMS: Final = "/live/"
"""Below this address are answers that go on until somebody leaves."""
