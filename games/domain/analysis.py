"""The analysis of a sealed game, cached, as it follows from facts that never change."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.core.cache import cache

import engine.analysis
import engine.bluff
from engine.analysis import kniffel
from engine.analysis.game import Analysis, analyse
from engine.analysis.only_end import nothing_json
from engine.record.record import Record
from games.models.game import Kind

LIFETIME: Final = 7 * 24 * 3600
"""How many seconds an analysis stays in the cache."""


def _code_digest() -> str:
    digest = sha256()
    for room in (engine.bluff, engine.analysis):
        for file in sorted(Path(room.__path__[0]).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


CODE: Final = _code_digest()
"""Part of every key, so that other code never reads what this code has cached."""


def analysis_of(
    record: Record, weight: float, head: bytes | None, only: int | None = None
) -> Analysis:
    """Return the analysis of a game of Bluff, from the cache if it is there.

    `weight`: how much the bids reveal about the dice. `head`: the digest under which the game is
    sealed; None for an unsealed game, which isn't cached. `only`: analyse only this round, from 0;
    this isn't cached either.
    """
    if head is None or only is not None:
        return analyse(record, weight, only)
    key = f"analysis:{CODE}:{head.hex()}:{weight}"
    analysis: Analysis | None = cache.get(key)
    if analysis is None:
        analysis = analyse(record, weight)
        cache.set(key, analysis, LIFETIME)
    return analysis


def analysis_json(kind: str, record: Record, head: bytes, weight: float) -> dict[str, Any]:
    """Return the analysis of a sealed game as JSON.

    If only the end of the game is known, it says that there is nothing to analyse."""
    if record.outcome is not None:
        return nothing_json(record)
    if kind == Kind.BLUFF:
        return analysis_of(record, weight, head).as_json()
    return kniffel.analyse(record).as_json()
