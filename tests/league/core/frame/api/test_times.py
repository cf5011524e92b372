"""A time of the API has its offset, in whichever member it stands."""

from __future__ import annotations

import pytest
from django.db import models
from rest_framework import serializers

from league.core.frame.api.serializers import ModelSerializer, Serializer, TimeField
from league.models import Entry, Event, Role, Season, Table
from tests.factories import events
from tests.league.core.frame.api.programs import member_key
from tests.league.floor.api.conftest import asker

NAIVE = ["2026-12-04T20:00:00", "2026-12-04T20:00", "2026-12-04 20:00:00.5", "2026-12-04"]


def kinds(
    kind: type[serializers.BaseSerializer[object]],
) -> list[type[serializers.BaseSerializer[object]]]:
    return [kind, *[deeper for below in kind.__subclasses__() for deeper in kinds(below)]]


@pytest.mark.django_db
@pytest.mark.parametrize("time", NAIVE)
def test_a_time_without_an_offset_is_refused(season: Season, time: str) -> None:
    run = asker(member_key(season.club, Role.ORGANISER)[0])
    body = {"slug": "night", "name": "Night", "season": season.slug, "starts_at": time}
    answer = run(f"/clubs/{season.club.slug}/events/", body)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "no_offset")
    assert problem["errors"][0]["pointer"] == "/starts_at"
    assert "needs an offset, as in 2026-09-01T19:30:00+02:00" in problem["detail"]
    assert not Event.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("time", ["2026-12-04T20:00:00+01:00", "2026-12-04T19:00:00Z"])
def test_with_one_it_is_taken(season: Season, time: str) -> None:
    run = asker(member_key(season.club, Role.ORGANISER)[0])
    body = {"slug": "night", "name": "Night", "season": season.slug, "starts_at": time}
    assert run(f"/clubs/{season.club.slug}/events/", body).status_code in (200, 201)


@pytest.mark.django_db
def test_a_result_is_played_at_a_time_with_its_offset(season: Season) -> None:
    night = events.event(season, "night", status=Event.Status.RUNNING)
    events.crowd(night, 4)
    events.drawn(events.stage(night))
    table = Table.objects.get()
    entries = Entry.objects.filter(event=night).values_list("public_id", flat=True)
    finishes = [{"entry": entry, "rank": rank} for rank, entry in enumerate(entries, start=1)]
    run = asker(member_key(season.club)[0])
    address = f"/tables/{table.public_id}/outcome/"
    answer = run(address, {"finishes": finishes, "played_at": "2026-12-04T20:00:00"})
    assert (answer.status_code, answer.json()["code"]) == (422, "no_offset")


def test_every_time_that_is_read_is_one_with_an_offset() -> None:
    """Whoever declares a member takes `TimeField`; what a model has gets it by itself."""
    assert ModelSerializer.serializer_field_mapping[models.DateTimeField] is TimeField
    for kind in kinds(Serializer):
        declared = getattr(kind, "_declared_fields", {})
        naive = [
            name for name, field in declared.items() if type(field) is serializers.DateTimeField
        ]
        assert not naive, kind
