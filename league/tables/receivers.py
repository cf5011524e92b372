"""All that tables tell rankings, and do when an entry changes."""

from typing import Any

from django.dispatch import receiver

from league.entries.models import Entry
from league.entries.signals import entry_counts_changed
from league.rankings.seats import register
from league.tables.queries.seats import SEATS
from league.tables.services.seats import season_recount

register(SEATS)


@receiver(entry_counts_changed)
def season_follows(*, entry: Entry, **kwargs: Any) -> None:
    """Have the season counted anew when an entry counts for somebody else."""
    season_recount(entry)
