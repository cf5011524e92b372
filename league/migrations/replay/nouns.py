"""All nouns that logs told by replay."""

from __future__ import annotations

from typing import Final

from league.migrations.replay import clubs, counting, draws, entries, events, hall
from league.migrations.replay import people, records, rulings, seasons, sheets, stages

NOUNS: Final = (
    *clubs.NOUNS,
    *people.NOUNS,
    *seasons.NOUNS,
    *records.NOUNS,
    *events.NOUNS,
    *entries.NOUNS,
    *stages.NOUNS,
    *sheets.NOUNS,
    *draws.NOUNS,
    *hall.NOUNS,
    *counting.NOUNS,
    *rulings.NOUNS,
)
