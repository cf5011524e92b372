"""What would change in a season if an entry counted for somebody else, or for nobody."""

from __future__ import annotations

from dataclasses import dataclass

from league.core.player.models import Player
from league.disputes.correction.queries.event import StandingChange, counting_effect
from league.disputes.correction.queries.ranking import RankingEffect, seats_effect
from league.events.entry.models import Entry
from league.stages.table.queries.seats import games_of_entry


@dataclass(frozen=True, slots=True)
class CountsEffect:
    """The changes in the season's table (None if the entry has no game), and in the season's
    standings by events (empty if it isn't counted by events)."""

    table: RankingEffect | None
    events: tuple[StandingChange, ...]

    @property
    def changed(self) -> bool:
        """Return True if anything would change."""
        return bool(self.events) or (self.table is not None and self.table.changed)


def counts_effect(*, entry: Entry, guest: bool, substitutes: Player | None) -> CountsEffect:
    """Return what would change in the season if an entry were a `guest`'s, who counts for nobody,
    or counted for the player whom it `substitutes`. Write nothing."""
    games = games_of_entry(entry)
    player = entry.player.merged_into_id or entry.player_id
    counts_for: int | None = player
    if guest:
        counts_for = None
    elif substitutes:
        counts_for = substitutes.merged_into_id or substitutes.pk

    table = seats_effect(
        ranking_id=entry.event.season.ranking_id,
        games=games,
        player=player,
        counts_for=counts_for,
    )
    events = counting_effect(entry=entry, guest=guest, substitutes=substitutes)
    return CountsEffect(table if games else None, events)
