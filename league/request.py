"""The size that the head of a request may have: the server and the application both hold it."""

from typing import Final

HEAD_BYTES: Final = 32 * 1024
"""Bytes of address and headers."""
