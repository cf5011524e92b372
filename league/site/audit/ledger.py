"""All nouns whose rows the log tells."""

from __future__ import annotations

from typing import Final

from league.core.claim.ledger import NOUNS as PEOPLE
from league.core.club.ledger import NOUNS as CLUBS
from league.counting.counting.ledger import NOUNS as COUNTING
from league.disputes.objection.ledger import NOUNS as RULINGS
from league.events.entry.ledger import NOUNS as ENTRIES
from league.events.event.ledger import NOUNS as EVENTS
from league.floor.hall.ledger import NOUNS as HALL
from league.records.photo.ledger import NOUNS as RECORDS
from league.sheets.sheet.ledger import NOUNS as SHEETS
from league.stages.draw.ledger import NOUNS as DRAWS
from league.stages.stage.ledger import NOUNS as STAGES
from league.standings.season.ledger import NOUNS as SEASONS

NOUNS: Final = (
    *CLUBS,
    *PEOPLE,
    *SEASONS,
    *RECORDS,
    *EVENTS,
    *ENTRIES,
    *STAGES,
    *SHEETS,
    *DRAWS,
    *HALL,
    *COUNTING,
    *RULINGS,
)
