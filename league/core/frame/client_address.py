"""Where a request comes from: the address of the client, seen through those proxies that the
operator trusts.

Logins that fail and all rate limits ask here. Anybody can write an `X-Forwarded-For`; what counts
is what the trusted proxies have added to it, on its right."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The client's address; empty where there is none."""
    return address_behind(
        request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


def client_network(request: HttpRequest) -> str:
    """The client's address, of IPv6 the network: what a limit is for."""
    return network_of(client_address(request))


def address_behind(connected: str, forwarded: str) -> str:
    """The address nearest to us that no trusted proxy (TRUSTED_PROXIES) has; empty where there is
    none.

    `connected`: who is connected with us; `forwarded`: the X-Forwarded-For.
    """
    nearest = _read(connected)
    way = forwarded.split(",")
    while way and nearest is not None and _is_trusted(nearest):
        before = _read(way.pop())
        if before is None:
            break
        nearest = before
    return "" if nearest is None else str(nearest)


def network_of(address: str) -> str:
    """An address; of IPv6 the /64 that one household or server has (RFC 6177)."""
    network = _read(address)
    return (
        str(IPv6Network((network, 64), strict=False))
        if isinstance(network, IPv6Address)
        else str(network)
    )


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_trusted(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)
