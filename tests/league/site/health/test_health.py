"""Whether the service is well, for machines and for operators."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine import __version__
from league.models import Part
from league.queues import QUEUES
from league.up.host import Host
from league.up.parts import (
    EXPECTED,
    FORGOTTEN,
    LATE,
    LATE_SWEEP,
    PartHeartbeat,
    parts_forget,
    parts_hear,
)
from tests.factories.league import OperatorFactory

pytestmark = pytest.mark.django_db

HERE = Host("0123456789abcdef", "here")
TWIN = Host("fedcba9876543210", "here")
NAMES = [
    "web-1",
    "web-2",
    "web-1 listener",
    "web-2 listener",
    "worker-counting",
    "worker-counting sweep",
    "worker-imports",
    "worker-mail",
    "worker-push",
    "beat",
]


def all_heard(seconds: float = 1.0, host: Host = HERE) -> None:
    parts_hear(host=host, heard=[PartHeartbeat(name, seconds, 0) for name in NAMES])


def test_all_is_well_when_every_part_was_heard_of(client: Client) -> None:
    all_heard()
    answer = client.get("/health/")
    assert answer.status_code == 200
    assert answer.json()["ok"] is True
    assert {part["name"] for part in answer.json()["parts"]} == set(NAMES)


def test_every_part_that_was_never_heard_of_is_missed(client: Client) -> None:
    answer = client.get("/health/")
    assert answer.status_code == 503
    assert answer.json()["missed"] == list(EXPECTED)


def test_a_part_that_is_late_is_missed(client: Client) -> None:
    all_heard()
    parts_hear(host=HERE, heard=[PartHeartbeat("worker-imports", LATE.total_seconds() + 5, 3)])
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["missed"]) == (503, ["worker-imports"])


def test_a_part_that_runs_apart_is_missed_once_it_was_heard_of(client: Client) -> None:
    all_heard()
    assert "worker-mail" not in EXPECTED, "it is nobody's alone on one machine"
    parts_hear(host=HERE, heard=[PartHeartbeat("worker-mail", LATE.total_seconds() + 5, 0)])
    assert client.get("/health/").json()["missed"] == ["worker-mail"]


def test_a_process_that_is_late_is_not_missed_while_another_does_its_work(client: Client) -> None:
    all_heard()
    parts_hear(host=HERE, heard=[PartHeartbeat("web-2", LATE.total_seconds() + 5, 0)])
    answer = client.get("/health/")
    assert answer.status_code == 200
    assert [part["name"] for part in answer.json()["parts"] if part["late"]] == ["web-2"]


def test_the_web_process_alone_is_well_without_the_others(client: Client) -> None:
    assert client.get("/health/web/").status_code == 200


@pytest.mark.parametrize("page", ["/health/", "/health/web/"])
def test_health_is_told_whatever_the_service_is_called(
    client: Client, settings: Any, page: str
) -> None:
    settings.ALLOWED_HOSTS = ["cups.example.org"]
    settings.SECURE_SSL_REDIRECT = True
    all_heard()
    for host in ("localhost", "10.0.0.7:8000", "so.me^thing"):
        assert client.get(page, HTTP_HOST=host).status_code == 200
    assert client.get("/", HTTP_HOST="localhost").status_code == 400
    assert client.post(page).status_code == 405


def test_a_full_disk_is_missed(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    all_heard()
    assert client.get("/health/").status_code == 200
    monkeypatch.setattr("league.site.health.web.health.DISK_LEFT", 2**62)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["missed"]) == (503, ["disk"])


@pytest.mark.parametrize("page", ["/health/", "/health/web/"])
def test_a_database_that_is_away_is_missed(client: Client, database_away: None, page: str) -> None:
    assert client.get(page).status_code == 503


def test_machines_that_are_no_more_are_forgotten() -> None:
    Part.objects.create(
        host="gone", name="web-1", beat_at=timezone.now() - FORGOTTEN - timedelta(minutes=1)
    )
    all_heard()
    assert set(Part.objects.values_list("host", flat=True)) == {"here"}
    parts_forget(host_id=HERE.id, names=NAMES)
    assert not Part.objects.exists()


def test_operators_see_who_was_heard_of_and_who_was_not(client: Client) -> None:
    client.force_login(OperatorFactory.create())
    parts_hear(host=HERE, heard=[PartHeartbeat("web-1", 2, 0), PartHeartbeat("beat", 400, 7)])
    html = " ".join(client.get("/service/").content.decode().split())
    assert "<td>beat</td> <td>here</td> <td> <strong>late</strong>" in html
    assert "<td>worker-counting</td> <td>–</td> <td> <strong>never heard from</strong>" in html
    assert '<td class="n">7</td>' in html


def test_a_sweep_that_hangs_is_missed_though_all_processes_are_heard_of(client: Client) -> None:
    all_heard()
    parts_hear(
        host=HERE, heard=[PartHeartbeat("worker-counting sweep", LATE.total_seconds() + 5, 0)]
    )
    assert client.get("/health/").status_code == 200, "it may wait behind a job"
    parts_hear(
        host=HERE,
        heard=[PartHeartbeat("worker-counting sweep", LATE_SWEEP.total_seconds() + 5, 0)],
    )
    assert client.get("/health/").json()["missed"] == ["sweep"]


def test_who_was_heard_of_at_a_time_to_come_is_late(client: Client) -> None:
    all_heard(seconds=-7200.0)
    assert set(client.get("/health/").json()["missed"]) >= set(EXPECTED)


def test_hosts_of_one_name_are_told_apart(client: Client) -> None:
    all_heard()
    all_heard(host=TWIN)
    answer = client.get("/health/").json()
    assert answer["hosts"] == [
        {"id": HERE.id, "name": "here", "missed": []},
        {"id": TWIN.id, "name": "here", "missed": []},
    ]
    web_hosts = [part["host"] for part in answer["parts"] if part["name"] == "web-1"]
    assert sorted(web_hosts) == [HERE.id, TWIN.id]


def test_a_host_that_is_lost_is_missed_though_another_does_its_work(client: Client) -> None:
    all_heard()
    workers = ["worker-counting", "worker-counting sweep", "worker-imports"]
    lost = [PartHeartbeat(name, LATE_SWEEP.total_seconds() + 5, 0) for name in workers]
    parts_hear(host=TWIN, heard=lost)
    answer = client.get("/health/")
    assert answer.status_code == 503
    missed = ["worker-counting", "worker-imports"]
    assert answer.json()["missed"] == missed, "another host sweeps for all"
    assert [host["missed"] for host in answer.json()["hosts"]] == [[], missed]


def test_a_host_that_left_on_purpose_is_not_missed(client: Client) -> None:
    all_heard()
    all_heard(host=TWIN)
    parts_forget(host_id=TWIN.id, names=NAMES)
    assert client.get("/health/").json()["missed"] == []


def test_a_renamed_host_keeps_its_parts() -> None:
    all_heard()
    all_heard(host=Host(HERE.id, "renamed"))
    assert set(Part.objects.values_list("host", flat=True)) == {"renamed"}


def test_operators_forget_a_host_that_is_gone(client: Client) -> None:
    all_heard()
    parts_hear(host=TWIN, heard=[PartHeartbeat("web-1", LATE.total_seconds() + 5, 0)])
    client.force_login(OperatorFactory.create())
    html = client.get("/service/").content.decode()
    assert f'value="{TWIN.id}"' in html
    assert f'value="{HERE.id}"' not in html
    client.post("/service/", {"forget": TWIN.id})
    client.post("/service/", {"forget": TWIN.id})
    client.post("/service/", {"forget": "nobody"})
    assert set(Part.objects.values_list("host_id", flat=True)) == {HERE.id}
    assert client.get("/health/").status_code == 200


def test_the_version_and_the_waiting_jobs_are_told(client: Client) -> None:
    all_heard()
    answer = client.get("/health/").json()
    assert answer["version"] == __version__
    assert {queue["name"] for queue in answer["queues"]} == set(QUEUES)


def test_a_broker_that_is_away_is_missed(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    all_heard()
    monkeypatch.setattr("league.site.health.web.health.queue_states", lambda: None)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["missed"]) == (503, ["redis"])
    assert answer.json()["queues"] == []
