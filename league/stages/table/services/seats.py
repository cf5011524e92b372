"""Counting a season again when entries for guests and substitutes change."""

from __future__ import annotations

from league.core.log.services import club_journal
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.stages.table.models import TableSeat
from league.stages.table.queries.seats import rankings_with_others
from league.standings.ranking.actions import RankingAction
from league.standings.ranking.models import Ranking
from league.standings.ranking.services.rebuild import rebuild_ask


def season_recount(entry: Entry) -> None:
    """Have the ranking of an entry's season rebuilt if the entry has a seat at a table.

    It is called in the transaction that changes for whom the entry counts, because a result of that
    table may be entered at the same time.
    """
    if TableSeat.objects.filter(entry=entry).exists():
        rebuild_ask(Event.objects.values_list("season__ranking", flat=True).get(pk=entry.event_id))


def seats_count() -> None:
    """Have the older rankings that count games with guests or substitutes rebuilt, once each, and
    log why. Running it again changes nothing."""
    rankings = list(Ranking.objects.filter(seats_counted=False).order_by("pk"))
    rankings_to_rebuild = set(rankings_with_others([ranking.pk for ranking in rankings]))
    for ranking in rankings:
        with club_journal(ranking.club_id) as journal:
            marked = Ranking.objects.filter(pk=ranking.pk, seats_counted=False).update(
                seats_counted=True
            )
            if marked and ranking.pk in rankings_to_rebuild:
                rebuild_ask(ranking.pk)
                journal.add(RankingAction.RECOUNTED, ranking.public_id)
