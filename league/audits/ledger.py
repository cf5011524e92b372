"""All nouns whose rows the log tells."""

from __future__ import annotations

from typing import Final

from league.clubs.ledger import NOUNS as CLUBS
from league.counting.ledger import NOUNS as COUNTING
from league.draws.ledger import NOUNS as DRAWS
from league.entries.ledger import NOUNS as ENTRIES
from league.events.ledger import NOUNS as EVENTS
from league.hall.ledger import NOUNS as HALL
from league.people.ledger import NOUNS as PEOPLE
from league.records.ledger import NOUNS as RECORDS
from league.rulings.ledger import NOUNS as RULINGS
from league.seasons.ledger import NOUNS as SEASONS
from league.sheets.ledger import NOUNS as SHEETS
from league.stages.ledger import NOUNS as STAGES

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
