"""What Prometheus is told, whom it is told to, and that it is told whatever is away."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from engine import __version__
from league.core.club.services import club_change
from league.core.log.services import Actor
from league.models import Audit, Letter, LogHead, Reader, SetAside
from league.site.metrics.web import scrape
from league.up.host import Host
from league.up.parts import EXPECTED, LATE, PartHeartbeat, parts_hear
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory

pytestmark = pytest.mark.django_db

TOKEN = "the-token-of-prometheus"
HERE = Host("0123456789abcdef", "here")
THERE = Host("fedcba9876543210", "there")


Figures = dict[tuple[str, tuple[str, ...]], float]


@pytest.fixture
def prometheus(settings: Any) -> Client:
    """A client with the token."""
    settings.METRICS_TOKEN = TOKEN
    return Client(headers={"authorization": f"Bearer {TOKEN}"})


def scraped(client: Client) -> Figures:
    """All figures by their name and the values of their labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def parts_up(figures: Figures) -> dict[tuple[str, ...], float]:
    """Whether each part is well, by its host, the host's id, and its kind."""
    return {labels: value for (name, labels), value in figures.items() if name == "cups_up_up"}


def test_without_a_token_in_the_settings_there_is_no_such_address(client: Client) -> None:
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer ü"]
)
def test_whoever_lacks_the_token_is_told_nothing(settings: Any, header: str) -> None:
    settings.METRICS_TOKEN = TOKEN
    answer = Client().get("/metrics", HTTP_AUTHORIZATION=header)
    assert (answer.status_code, answer.content) == (401, b"")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_it_is_told_whatever_the_service_is_called_and_without_a_session(
    prometheus: Client, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["cups.example.org"]
    settings.SECURE_SSL_REDIRECT = True
    answer = prometheus.get("/metrics", HTTP_HOST="10.0.0.7:8000")
    assert answer.status_code == 200
    assert not answer.cookies
    assert answer["Cache-Control"] == "no-store"
    assert prometheus.post("/metrics").status_code == 405


def test_a_part_that_is_missed_is_down(prometheus: Client) -> None:
    names = ["web-1", "web-1 listener", "worker-counting", "worker-counting sweep", "beat"]
    parts_hear(host=HERE, heard=[PartHeartbeat(name, 1.0, 2) for name in names])
    late = PartHeartbeat("worker-imports", LATE.total_seconds() + 5, 0)
    parts_hear(host=HERE, heard=[late])
    figures = scraped(prometheus)
    assert parts_up(figures) == {
        **{("here", HERE.id, kind): 1.0 for kind in EXPECTED if kind != "sweep"},
        ("here", HERE.id, "worker-imports"): 0.0,
        ("", "", "sweep"): 1.0,
        ("", "", "postgres"): 1.0,
        ("", "", "redis"): 1.0,
    }
    assert figures["cups_up_part_restarts", ("here", HERE.id, "beat")] == 2.0
    assert figures["cups_up_part_late", ("here", HERE.id, "worker-imports")] == 1.0


def test_the_host_that_has_lost_a_part_is_named(prometheus: Client) -> None:
    lost = PartHeartbeat("web-1", LATE.total_seconds() + 5, 0)
    parts_hear(host=HERE, heard=[lost, PartHeartbeat("web-2", 1.0, 0)])
    parts_hear(host=THERE, heard=[lost, PartHeartbeat("worker-counting sweep", 1.0, 0)])
    up = parts_up(scraped(prometheus))
    assert up["here", HERE.id, "web"] == 1.0, "another web process of this host answers"
    assert up["there", THERE.id, "web"] == 0.0
    assert up["", "", "sweep"] == 1.0, "one host does it for all"
    assert up["", "", "beat"] == 0.0, "no host has ever had it"


def test_a_database_that_is_away_is_told(prometheus: Client, database_away: None) -> None:
    figures = scraped(prometheus)
    assert figures["cups_up_up", ("", "", "postgres")] == 0.0
    assert figures["cups_up_up", ("", "", "redis")] == 1.0
    assert ("cups_up_letters_waiting", ()) not in figures


def test_a_broker_that_is_away_is_told(prometheus: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.site.metrics.queries.queue_states", lambda: None)
    figures = scraped(prometheus)
    assert figures["cups_up_up", ("", "", "redis")] == 0.0
    assert figures["cups_up_up", ("", "", "postgres")] == 1.0
    assert not [name for name, _ in figures if name.startswith("cups_up_queue")]


def test_while_a_scrape_hangs_with_the_database_others_ask_it_nothing(
    prometheus: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = threading.Lock()
    monkeypatch.setattr(scrape, "_at_once", lock)
    monkeypatch.setattr(scrape, "WAIT_SECONDS", 0.01)
    with lock:
        assert scraped(prometheus)["cups_up_up", ("", "", "postgres")] == 0.0
    assert scraped(prometheus)["cups_up_up", ("", "", "postgres")] == 1.0


def test_figures_of_a_process_that_can_not_be_read_leave_the_others(
    prometheus: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def collect(self) -> None:
            raise RuntimeError("file is corrupted")

    monkeypatch.setattr(
        scrape, "register_own_figures", lambda registry: registry.register(Broken())
    )
    assert scraped(prometheus)["cups_up_up", ("", "", "postgres")] == 1.0


def test_a_letter_that_waits_is_told_with_its_age(prometheus: Client) -> None:
    assert scraped(prometheus)["cups_up_letters_oldest_seconds", ()] == 0.0
    letter = Letter.objects.create(to="anna@example.org", subject="s", body="b")
    Letter.objects.filter(pk=letter.pk).update(written_at=timezone.now() - timedelta(minutes=10))
    figures = scraped(prometheus)
    assert figures["cups_up_letters_waiting", ()] == 1.0
    assert figures["cups_up_letters_oldest_seconds", ()] == pytest.approx(600, abs=20)
    Letter.objects.update(state=Letter.State.SENT)
    assert scraped(prometheus)["cups_up_letters_waiting", ()] == 0.0


def test_a_letter_that_was_given_up_is_told_for_a_day(prometheus: Client) -> None:
    assert scraped(prometheus)["cups_up_letters_given_up", ()] == 0.0
    now = timezone.now()
    for state, hours in [("failed", 1), ("failed", 23), ("failed", 25), ("sent", 1)]:
        ended_at = now - timedelta(hours=hours)
        Letter.objects.create(to="anna@example.org", state=state, ended_at=ended_at)
    Letter.objects.create(to="anna@example.org", subject="s", body="b")
    assert scraped(prometheus)["cups_up_letters_given_up", ()] == 2.0


def test_a_reader_of_the_log_is_behind_until_it_has_read(prometheus: Client) -> None:
    counted_season(1)
    assert scraped(prometheus)["cups_up_log_readers_behind", ("count",)] == 0.0
    counting = Reader.objects.filter(name__startswith="count/")
    counting.update(position=0)
    figures = scraped(prometheus)
    assert figures["cups_up_log_readers_behind", ("count",)] == counting.count()
    assert figures["cups_up_log_reader_lag_seconds", ("count",)] > 0.0


def test_a_ranking_has_nothing_to_read_in_entries_of_other_things(prometheus: Client) -> None:
    season = counted_season(1)
    club_change(club=season.club, actor=Actor(), name="Another name")
    assert LogHead.objects.get().position > max(Reader.objects.values_list("position", flat=True))
    assert scraped(prometheus)["cups_up_log_readers_behind", ("count",)] == 0.0


def test_what_is_set_aside_and_what_audits_found_is_told(prometheus: Client) -> None:
    club = ClubFactory.create()
    SetAside.objects.create(
        club=club, reader="count/x", position=3, error="x", due_at=timezone.now()
    )
    day = timedelta(days=1)
    Audit.objects.create(club=club, found=7, started_at=timezone.now() - day)
    Audit.objects.create(club=club, found=2)
    Audit.objects.create(club=ClubFactory.create(), error="killed")
    figures = scraped(prometheus)
    assert figures["cups_up_log_entries_set_aside", ()] == 1.0
    assert figures["cups_up_audit_differences", ()] == 2.0, "only the last audit counts"
    assert figures["cups_up_audits_failed", ()] == 1.0


def test_versions_disk_and_connections_are_told(prometheus: Client) -> None:
    figures = scraped(prometheus)
    (build,) = [labels for name, labels in figures if name == "cups_up_build_info"]
    assert __version__ in build
    size = figures["cups_up_disk_size_bytes", ()]
    assert 0 < figures["cups_up_disk_free_bytes", ()] <= size
    used = figures["cups_up_database_connections", ()]
    assert 1 <= used <= figures["cups_up_database_connections_max", ()]


def test_a_scrape_asks_the_database_little(
    prometheus: Client, django_assert_max_num_queries: Any
) -> None:
    scraped(prometheus)
    with django_assert_max_num_queries(10):
        scraped(prometheus)
    counted_season(3)
    with django_assert_max_num_queries(10):
        scraped(prometheus)
