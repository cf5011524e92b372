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
"""An address of RFC 5737: nothing is sent to it, but the system says which interface it would
use."""

WHITE_ON_BLACK: Final = "\x1b[97;40m"
PLAIN: Final = "\x1b[0m"
"""Terminal codes (ECMA-48): a light terminal would invert the QR code, and some phones can't read
it then."""


def is_loopback(host: str) -> bool:
    """Return True for a host that only this machine can reach."""
    name = host.strip("[]")
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def is_loopback_origin(origin: str) -> bool:
    """Return True for an origin that only this machine can reach, such as
    `http://localhost:8000`."""
    return is_loopback(urlsplit(origin).hostname or "")


def served_hosts(host: str) -> list[str]:
    """Return the hosts of a service that listens on `host`; the one to tell people comes first."""
    if host in ANY:
        name = socket.gethostname().lower()
        return [*network_addresses(), *LOCAL_NAMES, name, f"{name}.local"]
    if is_loopback(host):
        return LOCAL_NAMES
    return [f"[{host}]" if ":" in host else host, *LOCAL_NAMES]


def network_addresses() -> list[str]:
    """Return this machine's IPv4 addresses in networks; the outgoing one comes first."""
    import psutil

    states = psutil.net_if_stats()
    interfaces: dict[str, str] = {}
    for name, rows in psutil.net_if_addrs().items():
        for row in rows:
            is_used = row.family == socket.AF_INET and states[name].isup
            if is_used and _is_reachable(row.address):
                interfaces[row.address] = name
    outgoing = _outgoing_address()
    return sorted(
        interfaces,
        key=lambda address: (address != outgoing, interfaces[address].startswith(VIRTUAL)),
    )


def terminal_code(address: str) -> str:
    """Return the QR code of an address, in the block characters of a terminal."""
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
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(OUTSIDE)
        except OSError:
            return None
        return str(out.getsockname()[0])
