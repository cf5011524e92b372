"""The page of those who run the service."""

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Audit, SetAside
from league.site.audit.services import club_audit
from tests.factories.counted import counted_season
from tests.factories.league import OperatorFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(OperatorFactory.create())
    return client


def test_it_is_for_superusers_alone(client: Client) -> None:
    assert client.get("/service/").status_code == 404
    client.force_login(OperatorFactory.create(is_superuser=False))
    assert client.get("/service/").status_code == 404


def test_it_tells_what_the_last_audit_found(operator: Client) -> None:
    season = counted_season(2)
    assert "No audits have run yet" in operator.get("/service/").content.decode()
    club_audit(club_id=season.club_id)
    assert "everything matches the sealed rounds" in operator.get("/service/").content.decode()
    Audit.objects.update(
        found=1,
        differences=[
            {"table": "standing", "row": "k7", "column": "points", "stored": "9", "true": "3"}
        ],
    )
    html = operator.get("/service/").content.decode()
    assert "1 cell doesn’t match the facts" in html
    assert "standing k7" in html


def test_it_tells_what_is_set_aside_and_why(operator: Client) -> None:
    season = counted_season(1)
    SetAside.objects.create(
        club=season.club,
        reader="count/x",
        position=3,
        error="<b>Unreadable</b>",
        due_at=timezone.now(),
    )
    html = operator.get("/service/").content.decode()
    assert "&lt;b&gt;Unreadable&lt;/b&gt;" in html
