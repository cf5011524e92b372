"""All that entries forget of a player who is erased."""

from __future__ import annotations

from collections.abc import Sequence
from re import Pattern

from league.clubs.models import Player
from league.entries.models import EntryByMail


def mail_entries_forget(players: Sequence[Player], names: Pattern[str]) -> None:
    """Forget the addresses with which players of one club entered, and what was asked for under such a name and not
    confirmed; its link then opens nothing. Entries stay, with the pseudonym."""
    EntryByMail.objects.filter(entry__player__in=players).delete()
    unconfirmed = EntryByMail.objects.filter(entry=None, event__club=players[0].club_id)
    EntryByMail.objects.filter(pk__in=[by_mail.pk for by_mail in unconfirmed if names.search(by_mail.name)]).delete()
