"""The way in which a process tells the supervisor that it goes on: it touches a file now and then,
and a hung one doesn't."""

import asyncio
import os
from pathlib import Path

FOLDER, PART = "CUPS_UP_HEARTBEATS", "CUPS_UP_PART"  # what the supervisor tells each child
SECONDS = 5.0  # between two


def beat(role: str = "") -> None:
    """One heartbeat of this process, or of a part of it that can fail alone. Nothing where no
    supervisor watches."""
    if folder := os.environ.get(FOLDER):
        Path(folder, " ".join([os.environ[PART], *([role] if role else [])])).touch(mode=0o600)


async def beat_on() -> None:
    """Beat for as long as the event loop turns."""
    while True:
        beat()
        await asyncio.sleep(SECONDS)
