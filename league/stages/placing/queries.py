"""Who takes part in a stage, in which order, and at which tables they fit."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from league.events.entry.models import Entry
from league.stages.placing.domain.seeding import entrants_from, withdrawn_from
from league.stages.stage.models import Seeding, Stage
from league.stages.stage.queries.facts import stage_facts
from league.stages.stage.queries.stage import stage_before, there
from league.standings.rating.models import Rating
from league.standings.standing.models import Standing


def entrants(stage: Stage, order: Sequence[Entry] = ()) -> list[tuple[Entry, int]]:
    """Read who takes part, the best seeded first, with the points that they bring (in 840ths).

    `order` seeds by hand; who isn't in it comes behind. The stage before is over, if there is one.
    """
    before = stage_before(stage)
    if before is None:
        pairs = [(entry, 0) for entry in _seeded(stage, there(stage.event))]
    else:
        facts = stage_facts(before)
        entries = Entry.objects.select_related("player").filter(event=stage.event_id).in_bulk()
        pairs = [
            (entries[pk], carried)
            for pk, carried in entrants_from(stage, facts, withdrawn_from(facts))
        ]
    if order and stage.seeding == Seeding.HAND:
        places = {entry.pk: place for place, entry in enumerate(order)}
        pairs.sort(key=lambda pair: (places.get(pair[0].pk, len(places)), pair[0].number))
    return pairs


def _seeded(stage: Stage, entries: list[Entry]) -> list[Entry]:
    """The entries in the order of the stage's seeding; lots decide where it doesn't.

    They are drawn when the stage starts: before, who entered earlier comes first.
    """
    if stage.seeding_seed:
        lots = {
            entry.pk: sha256(f"{stage.seeding_seed}\n{entry.public_id}".encode()).digest()
            for entry in entries
        }
    else:
        lots = {entry.pk: entry.number.to_bytes(8) for entry in entries}
    ranking = stage.event.season.ranking_id
    players = [entry.player_id for entry in entries]
    best: dict[int, Any] = {}
    if stage.seeding == Seeding.RATING:
        rows = Rating.objects.filter(ranking=ranking, player__in=players)
        best = {row.player_id: (row.mu - 3 * row.sigma,) for row in rows}
    elif stage.seeding == Seeding.RANKING:
        best = {
            row.player_id: tuple(row.key)
            for row in Standing.objects.filter(ranking=ranking, player__in=players)
        }
    ranked = sorted(
        (entry for entry in entries if entry.player_id in best), key=lambda entry: lots[entry.pk]
    )
    ranked.sort(key=lambda entry: best[entry.player_id], reverse=True)
    return ranked + sorted(
        (entry for entry in entries if entry.player_id not in best),
        key=lambda entry: lots[entry.pk],
    )
