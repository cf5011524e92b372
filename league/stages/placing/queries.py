"""The players who take part in a stage, in the order of their seeding."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from league.events.entry.models import Entry
from league.stages.placing.domain.seeding import entrants_from, withdrawn_from
from league.stages.stage.models import Seeding, Stage
from league.stages.stage.queries.facts import stage_facts
from league.stages.stage.queries.stage import present_entries, stage_before
from league.standings.rating.models import Rating
from league.standings.standing.models import Standing


def entrants(stage: Stage, order: Sequence[Entry] = ()) -> list[tuple[Entry, int]]:
    """Return the entries that take part in a stage, the best seeded first, with the points that
    they bring (in 840ths).

    `order` is the seeding by hand; entries that it lacks come last. The stage before, if any, is
    finished.
    """
    before = stage_before(stage)
    if before is None:
        pairs = [(entry, 0) for entry in _seeded(stage, present_entries(stage.event))]
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
    """Return the entries by rating or ranking, as the stage is seeded. Lots order entries without
    either and entries that are level; until the stage starts and the lots are drawn, earlier
    entries come first."""
    if stage.seeding_seed:
        lots = {
            entry.pk: sha256(f"{stage.seeding_seed}\n{entry.public_id}".encode()).digest()
            for entry in entries
        }
    else:
        lots = {entry.pk: entry.number.to_bytes(8) for entry in entries}

    ranking = stage.event.season.ranking_id
    players = [entry.player_id for entry in entries]
    strengths: dict[int, Any] = {}
    if stage.seeding == Seeding.RATING:
        ratings = Rating.objects.filter(ranking=ranking, player__in=players)
        # The skill that the player almost certainly has at least.
        strengths = {row.player_id: (row.mu - 3 * row.sigma,) for row in ratings}
    elif stage.seeding == Seeding.RANKING:
        standings = Standing.objects.filter(ranking=ranking, player__in=players)
        strengths = {row.player_id: tuple(row.key) for row in standings}

    by_lot = sorted(entries, key=lambda entry: lots[entry.pk])
    ranked = [entry for entry in by_lot if entry.player_id in strengths]
    ranked.sort(key=lambda entry: strengths[entry.player_id], reverse=True)
    unranked = [entry for entry in by_lot if entry.player_id not in strengths]
    return ranked + unranked
