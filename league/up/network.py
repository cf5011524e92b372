"""The addresses at which phones in this machine's network reach the service.

It imports no Django: the settings ask it for the service's hosts."""

from __future__ import annotations

import io
import socket
import sys
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

ANY: Final = {"0.0.0.0", "::"}  # noqa: S104 compared, not bound
LOCAL_NAMES: Final = ["localhost", "127.0.0.1", "[::1]"]
VIRTUAL: Final = ("docker", "br-", "virbr", "vmnet", "vboxnet")
"""The prefixes of interfaces of containers and virtual machines: no phone is behind them."""
OUTSIDE: Final = ("192.0.2.1", 9)
"""An address reserved for documentation (RFC 5737). Nothing is sent to it, but the system says which
interface it would use."""

WHITE_ON_BLACK: Final = "\x1b[97;40m"
PLAIN: Final = "\x1b[0m"
"""Terminal codes (ECMA-48): in a light terminal the QR code would be inverted, and some phones
can't read that."""


def is_loopback(host: str) -> bool:
    """Return True if only this machine can reach the host."""
    name = host.strip("[]")
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def is_loopback_origin(origin: str) -> bool:
    """Return True if only this machine can reach the origin, such as `http://localhost:8000`."""
    return is_loopback(urlsplit(origin).hostname or "")


def served_hosts(host: str) -> list[str]:
    """Return the host names of a service that listens on `host`, the one to tell people first."""
    if host in ANY:
        name = socket.gethostname().lower()
        return [*network_addresses(), *LOCAL_NAMES, name, f"{name}.local"]
    if is_loopback(host):
        return LOCAL_NAMES
    return [f"[{host}]" if ":" in host else host, *LOCAL_NAMES]


def network_addresses() -> list[str]:
    """Return the IPv4 addresses that other machines can reach this one at: first the address of
    outgoing traffic, last those of virtual networks."""
    import psutil

    states = psutil.net_if_stats()
    interface_names: dict[str, str] = {}
    for name, rows in psutil.net_if_addrs().items():
        for row in rows:
            is_used = row.family == socket.AF_INET and states[name].isup
            if is_used and _is_reachable(row.address):
                interface_names[row.address] = name
    outgoing = _outgoing_address()

    def rank(address: str) -> tuple[bool, bool]:
        return address != outgoing, interface_names[address].startswith(VIRTUAL)

    return sorted(interface_names, key=rank)


def terminal_code(address: str) -> str:
    """Return the QR code of an address, drawn with the block characters of a terminal."""
    import segno

    drawing = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(drawing, compact=True)
    if not sys.stdout.isatty():
        return drawing.getvalue()
    return "\n".join(f"{WHITE_ON_BLACK}{line}{PLAIN}" for line in drawing.getvalue().splitlines())


def _is_reachable(address: str) -> bool:
    parsed = ip_address(address)
    return not (parsed.is_loopback or parsed.is_link_local)


def _outgoing_address() -> str | None:
    """Return the address from which this machine would send to other networks; None without a
    network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(OUTSIDE)
        except OSError:
            return None
        return str(out.getsockname()[0])
