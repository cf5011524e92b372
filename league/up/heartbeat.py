"""Heartbeats: a process touches a file every few seconds, and a hung one doesn't."""

import asyncio
import os
from pathlib import Path

FOLDER = "CUPS_UP_HEARTBEATS"  # environment variables that the supervisor sets for each child
PART = "CUPS_UP_PART"
SECONDS = 5.0  # between two heartbeats


def beat(role: str = "") -> None:
    """Give a heartbeat of this process, or of a part of it (`role`) that can fail by itself.
    Without a supervisor do nothing."""
    folder = os.environ.get(FOLDER)
    if folder:
        name = f"{os.environ[PART]} {role}" if role else os.environ[PART]
        Path(folder, name).touch(mode=0o600)


async def beat_on() -> None:
    """Give heartbeats for as long as the event loop runs."""
    while True:
        beat()
        await asyncio.sleep(SECONDS)
