"""Storing the final places of an event, and the points carried from stage to stage."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from league.events.event.models import Event
from league.stages.placing.domain.place import event_places, with_carried
from league.stages.placing.models import FinalRank
from league.stages.stage.domain.facts import Member
from league.stages.stage.models import Participant, Stage
from league.stages.stage.queries.facts import started_stages
from league.stages.stage.services.version import version_raise


@transaction.atomic
def places_write(*, event_id: int) -> None:
    """Store what follows from an event's stages together: the points that later stages begin with
    and, once the event is finished, everybody's final rank.

    Players who took part in no stage have no final rank.
    """
    event = Event.objects.select_for_update(no_key=True).get(pk=event_id)
    stored_stages = started_stages(event)
    stages = with_carried(stored_stages)
    for before, after in zip(stored_stages, stages, strict=True):
        _carried_points_write(after.stage, before.members, after.members)

    expected_places: dict[int, tuple[int, int]] = {}
    if event.status == Event.Status.FINISHED:
        for placed in event_places(stages):
            expected_places[placed.entry] = (placed.place, placed.score)
    stored_places = {
        row.entry_id: (row.rank, row.points) for row in FinalRank.objects.filter(event=event)
    }
    outdated = [
        entry for entry in stored_places if stored_places[entry] != expected_places.get(entry)
    ]
    missing = [
        entry for entry in expected_places if stored_places.get(entry) != expected_places[entry]
    ]
    FinalRank.objects.filter(event=event, entry__in=outdated).delete()
    ranks = []
    for entry in missing:
        rank, points = expected_places[entry]
        ranks.append(FinalRank(event=event, entry_id=entry, rank=rank, points=points))
    FinalRank.objects.bulk_create(ranks)


def _carried_points_write(
    stage: Stage, before: Mapping[int, Member], after: Mapping[int, Member]
) -> None:
    changed = [entry for entry in after if after[entry].carried != before[entry].carried]
    for entry in changed:
        Participant.objects.filter(stage=stage, entry=entry).update(carried=after[entry].carried)
    if changed:
        version_raise(pk=stage.pk)
