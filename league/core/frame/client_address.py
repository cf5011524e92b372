"""The client's address of a request, behind the proxies that the operator trusts.

Failed logins and rate limits use it. Anybody can write an `X-Forwarded-For`; only what trusted
proxies added, at its right end, counts."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the client's address; empty if there is none."""
    return address_behind(
        request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


def client_network(request: HttpRequest) -> str:
    """Return the client's address, or for IPv6 its network: what a limit counts."""
    return network_of(client_address(request))


def address_behind(connected: str, forwarded: str) -> str:
    """Return the nearest address that isn't a trusted proxy's (TRUSTED_PROXIES); empty if there is
    none.

    `connected`: the address of the connection; `forwarded`: the X-Forwarded-For."""
    nearest = _read(connected)
    way = forwarded.split(",")
    while way and nearest is not None and _is_trusted(nearest):
        before = _read(way.pop())
        if before is None:
            break
        nearest = before
    if nearest is None:
        return ""
    return str(nearest)


def network_of(address: str) -> str:
    """Return an address; for IPv6 the /64 of a household or server (RFC 6177)."""
    network = _read(address)
    if isinstance(network, IPv6Address):
        return str(IPv6Network((network, 64), strict=False))
    return str(network)


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_trusted(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)
