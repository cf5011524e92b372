"""All nouns whose rows the log tells, and what a log states of them that began before it told all."""

from __future__ import annotations

from typing import Final

from league.clubs.actions import ClubAction
from league.clubs.ledger import NOUNS as CLUBS
from league.clubs.models import Club
from league.counting.ledger import NOUNS as COUNTING
from league.draws.ledger import NOUNS as DRAWS
from league.entries.ledger import NOUNS as ENTRIES
from league.events.ledger import NOUNS as EVENTS
from league.hall.ledger import NOUNS as HALL
from league.log.ledger import statements
from league.log.models import LogHead
from league.log.services import club_journal
from league.people.ledger import NOUNS as PEOPLE
from league.rulings.ledger import NOUNS as RULINGS
from league.seasons.ledger import NOUNS as SEASONS
from league.stages.ledger import NOUNS as STAGES

NOUNS: Final = (*CLUBS, *PEOPLE, *SEASONS, *EVENTS, *ENTRIES, *STAGES, *DRAWS, *HALL, *COUNTING, *RULINGS)


def club_state(*, club_id: int) -> bool:
    """Let the log of a club say once what its rows hold, if it began before it told that; False: it tells it."""
    with club_journal(club_id) as journal:
        head = journal.lock()
        if head.stated:
            return False
        public_id = Club.objects.values_list("public_id", flat=True).get(pk=club_id)
        for payload, words in statements(club_id, NOUNS):
            journal.add(ClubAction.STATED, public_id, payload, names=words)
        LogHead.objects.filter(pk=head.pk).update(stated=True)
    return True
