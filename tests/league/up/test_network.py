"""Whom the service answers, and which address it hands on, by the address on which it listens."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from league.up.embedded import CHECKOUT
from league.up.network import (
    is_loopback,
    is_loopback_origin,
    network_addresses,
    served_hosts,
    terminal_code,
)

TELL = """
import json
from django.conf import settings
names = ("ALLOWED_HOSTS", "PUBLIC_ORIGIN", "ONLY_HERE", "OWN_CERTIFICATE", "SESSION_COOKIE_SECURE",
         "SECURE_HSTS_SECONDS", "SECURE_SSL_REDIRECT")
print(json.dumps({name: getattr(settings, name) for name in names}))
"""
OWN = {
    "HOST",
    "PORT",
    "HTTPS",
    "ALLOWED_HOSTS",
    "PUBLIC_ORIGIN",
    "CSRF_TRUSTED_ORIGINS",
    "DATABASE_URL",
    "REDIS_URL",
}
OTHER_SERVERS = {"DATABASE_URL": "postgresql://nowhere", "REDIS_URL": "redis://nowhere"}


def settings_with(**environment: str) -> dict[str, object]:
    """Return what the settings come to in an environment."""
    kept = {name: value for name, value in os.environ.items() if name not in OWN}
    run = subprocess.run(
        [sys.executable, "-c", TELL],
        cwd=CHECKOUT,
        env={**kept, "DJANGO_SETTINGS_MODULE": "league.settings", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    read: dict[str, object] = json.loads(run.stdout)
    return read


@pytest.mark.parametrize(
    "host", ["localhost", "cups.localhost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"]
)
def test_only_this_machine_reaches_a_loopback_host(host: str) -> None:
    assert is_loopback(host)
    assert served_hosts(host) == ["localhost", "127.0.0.1", "[::1]"]


@pytest.mark.parametrize(
    "host", ["", "0.0.0.0", "10.77.0.1", "cups.example", "localhost.example", "fd00::1"]
)
def test_others_reach_any_other_host(host: str) -> None:
    assert not is_loopback(host)


def test_an_origin_is_looked_at_by_its_host() -> None:
    assert is_loopback_origin("http://localhost:8000/claim/")
    assert is_loopback_origin("https://[::1]:8000")
    assert not is_loopback_origin("https://cups.example/localhost")
    assert not is_loopback_origin("cups_a_key_that_is_no_address")


def test_one_address_to_listen_on_is_the_one_to_hand_on() -> None:
    assert served_hosts("10.77.0.1")[0] == "10.77.0.1"
    assert served_hosts("fd00::1")[0] == "[fd00::1]"


def test_no_address_in_a_network_is_a_loopback_one() -> None:
    assert not any(map(is_loopback, network_addresses()))


def test_a_code_for_the_terminal_is_drawn_in_blocks() -> None:
    drawing = terminal_code("http://10.77.0.1:8000/")
    assert set(drawing) <= set("█▀▄ \n")


def test_by_itself_the_service_is_for_this_machine() -> None:
    settings = settings_with(PORT="8017")
    assert settings["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert settings["PUBLIC_ORIGIN"] == "http://localhost:8017"
    assert settings["ONLY_HERE"]


def test_on_a_network_hosts_and_public_address_follow_from_where_it_listens() -> None:
    settings = settings_with(HOST="10.77.0.1", PORT="8017", **OTHER_SERVERS)
    assert settings["ALLOWED_HOSTS"] == ["10.77.0.1", "localhost", "127.0.0.1", "[::1]"]
    assert settings["PUBLIC_ORIGIN"] == "http://10.77.0.1:8017"
    assert not settings["ONLY_HERE"]


def test_hosts_that_are_named_stay_as_they_are() -> None:
    settings = settings_with(
        HOST="0.0.0.0", ALLOWED_HOSTS="cups.example", HTTPS="true", **OTHER_SERVERS
    )
    assert settings["ALLOWED_HOSTS"] == ["cups.example"]
    assert settings["PUBLIC_ORIGIN"] == "https://cups.example"
    assert not settings["OWN_CERTIFICATE"]
    assert settings["SESSION_COOKIE_SECURE"]
    assert settings["SECURE_HSTS_SECONDS"]


def test_links_begin_with_an_origin_that_one_can_open() -> None:
    settings = settings_with(
        ALLOWED_HOSTS=".cups.example",
        CSRF_TRUSTED_ORIGINS="https://*.cups.example",
        HTTPS="true",
        **OTHER_SERVERS,
    )
    assert settings["PUBLIC_ORIGIN"] == "https://cups.example"


def test_its_own_https_locks_nobody_out_of_plain_http_the_next_evening() -> None:
    settings = settings_with(HOST="10.77.0.1", PORT="8017", HTTPS="1")
    assert settings["PUBLIC_ORIGIN"] == "https://10.77.0.1:8017"
    assert settings["OWN_CERTIFICATE"]
    assert not settings["SESSION_COOKIE_SECURE"]
    assert not settings["SECURE_HSTS_SECONDS"]
    assert not settings["SECURE_SSL_REDIRECT"]
