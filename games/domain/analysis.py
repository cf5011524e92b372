"""The analysis of a sealed game, kept in the cache: it follows from facts that never change."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from django.core.cache import cache

from engine import analysis, bluff
from engine.analysis.game import Analysis, analyse
from engine.record.record import Record

KEPT: Final = 7 * 24 * 3600
"""Seconds that an analysis is kept after it was made."""
CODE: Final = sha256(
    b"".join(file.read_bytes() for part in (bluff, analysis) for file in sorted(Path(part.__path__[0]).glob("*.py")))
).hexdigest()[:16]
"""Stands in every key, so that other code never finds what this code has left."""


def analysis_of(record: Record, weight: float, head: bytes | None, only: int | None = None) -> Analysis:
    """What each decision of a game of Bluff was worth; `weight` and `only` as for `engine.analysis.game.analyse`.

    `head`: the digest under which the game is sealed; None for one that nobody sealed, of which nothing is kept.
    """
    if head is None or only is not None:
        return analyse(record, weight, only)
    key = f"analysis:{CODE}:{head.hex()}:{weight}"
    kept: Analysis | None = cache.get(key)
    if kept is None:
        kept = analyse(record, weight)
        cache.set(key, kept, KEPT)
    return kept
