"""What each kind of value takes, and what it makes of it."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from league.environment import kinds
from league.environment.derived import push_secret
from league.up import embedded

CASES: list[tuple[kinds.ValueKind[Any], str, object]] = [
    (kinds.Flag(), "Yes", True),
    (kinds.Flag(), "0", False),
    (kinds.WholeNumber(1, 36_500), "1", 1),
    (kinds.WholeNumber(1, 36_500), "36500", 36_500),
    (kinds.ByteSize("1KiB", "1GiB"), "16777216", 16_777_216),
    (kinds.ByteSize("1KiB", "1GiB"), "16MB", 16_000_000),
    (kinds.ByteSize("1KiB", "1GiB"), "16 MiB", 16_777_216),
    (kinds.ByteSize("1KiB", "1GiB"), "2kB", 2000),
    (kinds.ByteSize("1KiB", "1GiB"), "1gib", 1024**3),
    (kinds.ByteSize("1KiB", "1GiB"), "1024b", 1024),
    (kinds.LogLevel(), "warning", "WARNING"),
    (kinds.SingleLine(), "Pässe, ’,; und = sind erlaubt", "Pässe, ’,; und = sind erlaubt"),
    (kinds.HostName(), "::1", "::1"),
    (kinds.HostName(), "mail_server-1.example.org", "mail_server-1.example.org"),
    (kinds.ServedName(), ".example.org", ".example.org"),
    (kinds.ServedName(), "[::1]", "[::1]"),
    (kinds.ServedName(), "10.77.0.1", "10.77.0.1"),
    (kinds.WebOrigin(), "https://Cups.example.org:8443/", "https://cups.example.org:8443"),
    (kinds.WebOrigin(), "http://[::1]:8000", "http://[::1]:8000"),
    (kinds.TrustedOrigin(), "https://*.example.org", "https://*.example.org"),
    (kinds.WebPage(), "https://example.org/imprint?a=b#c", "https://example.org/imprint?a=b#c"),
    (kinds.ContactAddress(), "mailto:security@example.org", "mailto:security@example.org"),
    (kinds.ContactAddress(), "https://example.org/report", "https://example.org/report"),
    (kinds.Sender(), "cups@localhost", "cups@localhost"),
    (kinds.Sender(), '"Cups, up" <cups@example.org>', '"Cups, up" <cups@example.org>'),
    (kinds.Folder(), "var", embedded.CHECKOUT / "var"),
    (kinds.FilePath(), "/var/lib/none/erased.txt", Path("/var/lib/none/erased.txt")),
    (
        kinds.CommaSeparated(kinds.NetworkAddress()),
        "10.0.0.1, 172.16.0.0/12,::1,",
        [ip_network("10.0.0.1"), ip_network("172.16.0.0/12"), ip_network("::1")],
    ),
]


@pytest.mark.parametrize(("kind", "text", "value"), CASES)
def test_a_value_is_taken(kind: kinds.ValueKind[Any], text: str, value: object) -> None:
    assert kind.parse(text) == value


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nowhere",
        "postgresql://cups:a%40b%2Fc@db.example.org:5432/cups?sslmode=require",
        "postgresql://cups@one:5432,two:5433/cups",
        "host=db.example.org user=cups",
        embedded.database_url(),
    ],
)
def test_every_address_that_libpq_reads_is_taken(url: str) -> None:
    assert kinds.DatabaseAddress().parse(url) == url


@pytest.mark.parametrize(
    "url", ["redis://nowhere", "rediss://:a%2Fb@host:6380/1", embedded.redis_url()]
)
def test_every_address_of_redis_is_taken(url: str) -> None:
    assert kinds.RedisAddress().parse(url) == url


def test_a_key_for_push_services_is_taken_whichever_way_it_is_padded() -> None:
    key = push_secret("0123456789abcdef0123456789abcdef")
    assert kinds.PushKey().parse(key) == key
    assert kinds.PushKey().parse(f"{key}=") == f"{key}="
