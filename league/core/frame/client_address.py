"""The client's address of a request, behind the proxies that the operator trusts.

Failed logins and rate limits use it. Anybody can write an `X-Forwarded-For`; only what trusted
proxies added, at its right end, counts."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the client's address, behind any trusted proxies; empty if there is none."""
    return address_behind(
        connected=request.META.get("REMOTE_ADDR", ""),
        forwarded=request.META.get("HTTP_X_FORWARDED_FOR", ""),
    )


def client_network(request: HttpRequest) -> str:
    """Return the client's address, or for IPv6 its network: the unit that limits count."""
    return network_of(client_address(request))


def address_behind(connected: str, forwarded: str) -> str:
    """Return the address nearest to us that isn't a trusted proxy's (TRUSTED_PROXIES); empty if
    there is none.

    `connected`: the address of the connection; `forwarded`: the value of X-Forwarded-For, to which
    each proxy appends the address that connected to it.
    """
    nearest = _parsed_address(connected)
    forwarded_addresses = forwarded.split(",")
    while forwarded_addresses and nearest is not None and _is_trusted(nearest):
        previous = _parsed_address(forwarded_addresses.pop())
        if previous is None:
            break
        nearest = previous
    if nearest is None:
        return ""
    return str(nearest)


def network_of(address: str) -> str:
    """Return an address; for IPv6, the /64 network of its household or server (RFC 6177)."""
    parsed = _parsed_address(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((parsed, 64), strict=False))
    return str(parsed)


def _parsed_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_trusted(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)
