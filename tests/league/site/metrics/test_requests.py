"""Requests are counted by their route, and logged without their address."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver
from structlog.testing import capture_logs

from league.site.metrics.domain import OWN
from tests.factories.counted import counted_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def counted_client(settings: Any) -> Client:
    settings.METRICS_TOKEN = "the-token-of-prometheus"
    return Client()


@pytest.fixture
def logged_client(settings: Any) -> Client:
    settings.ACCESS_LOG = True
    return Client()


def count(route: str, status: str) -> float:
    labels = {"route": route, "status": status}
    return OWN.get_sample_value("cups_up_requests_total", labels) or 0.0


def timed(route: str) -> float:
    return OWN.get_sample_value("cups_up_request_seconds_count", {"route": route}) or 0.0


@pytest.mark.parametrize(
    ("address", "route", "status"),
    [
        ("/", "home", "2xx"),
        ("/clubs/nobody/", "club", "4xx"),
        ("/nowhere/at/all/", "other", "4xx"),
        ("/static/league/nothing.css", "static", "4xx"),
        ("/admin/", "admin:index", "3xx"),
        ("/api/v1/clubs/", "api:list_clubs", "2xx"),
        ("/api/v1/nothing/", "other", "4xx"),
    ],
)
def test_a_request_is_counted_by_its_route(
    counted_client: Client, address: str, route: str, status: str
) -> None:
    before = count(route, status), timed(route)
    counted_client.get(address)
    assert (count(route, status), timed(route)) == (before[0] + 1, before[1] + 1)


def test_a_page_that_is_served_as_it_was_kept_has_its_route(counted_client: Client) -> None:
    season = counted_season(1)
    address = f"/clubs/{season.club.slug}/{season.slug}/"
    before = count("season", "2xx")
    for _ in range(3):
        counted_client.get(address)
    assert count("season", "2xx") == before + 3


def test_every_label_is_the_name_of_a_route() -> None:
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    routes = {
        labels["route"]
        for family in OWN.collect()
        for labels in (sample.labels for sample in family.samples)
        if "route" in labels
    }
    named = {route for route in routes if ":" not in route}
    assert named <= names | {"other", "static"}


def test_checks_of_health_and_scrapes_are_neither_counted_nor_logged(settings: Any) -> None:
    settings.METRICS_TOKEN = "the-token-of-prometheus"
    settings.ACCESS_LOG = True
    client = Client(headers={"authorization": "Bearer the-token-of-prometheus"})
    client.get("/")
    before = sum(sample.value for family in OWN.collect() for sample in family.samples)
    with capture_logs() as lines:
        for address in ("/health/", "/health/web/", "/metrics"):
            client.get(address)
    assert [line for line in lines if line["event"] == "request"] == []
    assert sum(sample.value for family in OWN.collect() for sample in family.samples) == before


def test_without_the_settings_nothing_is_counted_or_logged(client: Client) -> None:
    before = count("home", "2xx")
    with capture_logs() as lines:
        client.get("/")
    assert lines == []
    assert count("home", "2xx") == before


def test_a_line_tells_the_route_and_never_the_address(logged_client: Client) -> None:
    with capture_logs() as lines:
        answer = logged_client.get("/claim/the-secret-code/?key=another-secret")
    (line,) = [line for line in lines if line["event"] == "request"]
    assert line["route"] == "claim-player"
    assert (line["method"], line["status"]) == ("GET", answer.status_code)
    assert line["bytes"] == len(answer.content)
    assert line["ms"] > 0
    assert "secret" not in repr(line)


def test_a_line_has_the_id_that_the_reader_was_told(
    logged_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    answer = logged_client.get("/")
    (line,) = [record.msg for record in caplog.records if record.name == "league.access"]
    assert isinstance(line, dict)
    assert line["request_id"] == answer["X-Request-Id"]


def test_a_download_has_no_length_beforehand(logged_client: Client) -> None:
    season = counted_season(1)
    season_address = f"/clubs/{season.club.slug}/seasons/{season.slug}"
    with capture_logs() as lines:
        answer = logged_client.get(f"/api/v1{season_address}/games.ndjson")
    assert answer.status_code == 200
    (line,) = [line for line in lines if line["event"] == "request"]
    assert line["bytes"] is None
    assert line["route"] == "api:get_season_records"
