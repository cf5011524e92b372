"""All that tables tell rankings, and do when an entry changes."""

from typing import Any

from django.dispatch import receiver

from league.events.entry.models import Entry
from league.events.entry.signals import entry_counts_changed
from league.stages.table.queries.seats import SEATS
from league.stages.table.services.seats import season_recount
from league.standings.ranked_game.seats import register

register(SEATS)


@receiver(entry_counts_changed)
def season_follows(*, entry: Entry, **kwargs: Any) -> None:
    """Have the season counted anew when an entry counts for somebody else."""
    season_recount(entry)
