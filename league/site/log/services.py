"""All that a log states of a club's rows that began before it told all."""

from __future__ import annotations

from league.core.club.actions import ClubAction
from league.core.club.models import Club
from league.core.log.ledger import statements
from league.core.log.models import LogHead
from league.core.log.services import club_journal
from league.site.audit.ledger import NOUNS


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
