"""The page of a draw: once it is published, it shows receipts to keep."""

import re

import pytest
from django.test import Client

from engine.record.receipt import check_receipt, read_receipt
from league.core.log.queries import log_chunks
from league.models import Draw, Event, Season
from league.stages.round.services import round_publish, round_take_back
from tests.factories import events
from tests.factories.league import OperatorFactory

pytestmark = pytest.mark.django_db


def actions(client: Client, season: Season) -> list[object]:
    """The actions of the entries whose receipts the page shows; each fits the exported log."""
    html = client.get(f"/draws/{Draw.objects.get().public_id}/").content.decode()
    lines = b"".join(log_chunks(season.club_id)).splitlines()
    receipts = re.findall(r'id="receipt-\d">([^<]+)</code>', html)
    return [check_receipt(lines, read_receipt(receipt)).as_json()["action"] for receipt in receipts]


def test_a_draw_shows_the_receipts_of_its_round(client: Client, season: Season) -> None:
    client.force_login(OperatorFactory.create())
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    stage_round = events.drawn(events.stage(night), publish=False)
    assert actions(client, season) == [], "nobody is told of a draft"
    round_publish(stage_round=stage_round, actor=events.ACTOR)
    assert actions(client, season) == ["round.published"]
    round_take_back(stage_round=stage_round, actor=events.ACTOR)
    assert actions(client, season) == ["round.published", "round.taken_back"]
