"""Codes as the scorer makes them of what waits on a phone."""

from __future__ import annotations

import hmac
import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

AT = "2026-11-25T20:14:03.120Z"


def base64(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def packed(content: Any) -> str:
    """Something as codes hold it, deflated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64(packer.compress(json.dumps(content).encode()) + packer.flush())


def signed(text: str, key: str) -> str:
    """The code that a phone with this key makes of `CUPS2` and what is packed."""
    return f"{text}.{base64(hmac.digest(key.encode(), text.encode(), 'sha256')[:16])}"


def waiting(values: Sequence[dict[str, Any]], at: str = AT) -> list[list[Any]]:
    """Rounds that wait to be sent."""
    return [[uuid4().hex, "close", value, at] for value in values]


def code_of(open_game: str, entries: Sequence[Any], key: str, after: int = 0) -> str:
    """The code of entries that wait after the first `after` of the sheet."""
    return signed(f"CUPS2.{packed({'game': open_game, 'after': after, 'entries': entries})}", key)
