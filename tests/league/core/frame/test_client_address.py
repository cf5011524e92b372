"""The address of a client: what anybody writes into a header is believed of trusted proxies
alone."""

from ipaddress import ip_network
from typing import Any

import pytest
from django.test import RequestFactory

from league.core.frame.client_address import client_address, client_network


@pytest.fixture(autouse=True)
def _two_proxies(settings: Any) -> None:
    settings.TRUSTED_PROXIES = [
        ip_network("10.0.0.1"),
        ip_network("172.16.0.0/12"),
        ip_network("::1"),
    ]


def seen(remote: str, forwarded: str | None = None) -> str:
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=remote, **headers))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("remote", "forwarded", "client"),
    [
        ("203.0.113.7", None, "203.0.113.7"),
        ("203.0.113.7", "1.1.1.1", "203.0.113.7"),
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "1.1.1.1, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "1.1.1.1, 203.0.113.7, 172.17.0.3", "203.0.113.7"),
        ("10.0.0.1", "172.17.0.3, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "172.17.0.3", "172.17.0.3"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "1.1.1.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.2", "1.1.1.1", "10.0.0.2"),
        ("::ffff:10.0.0.1", "2001:db8::7", "2001:db8::7"),
        ("::1", "::ffff:203.0.113.7", "203.0.113.7"),
        ("", "1.1.1.1", ""),
    ],
)
def test_it_is_the_nearest_that_no_trusted_proxy_has(
    remote: str, forwarded: str | None, client: str
) -> None:
    assert seen(remote, forwarded) == client


def test_a_household_has_one_network_of_ipv6() -> None:
    one, two, other = (
        client_network(RequestFactory().get("/", REMOTE_ADDR=address))
        for address in ("2001:db8:1:2::7", "2001:db8:1:2:ffff::9", "2001:db8:1:3::7")
    )
    assert one == two != other
