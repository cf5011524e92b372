"""The host: a machine or container that runs parts of the service."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from league.up import embedded

if TYPE_CHECKING:
    from league.up.processes import WebAddress

MACHINE_ID: Final = Path("/etc/machine-id")
"""A random id that systemd gives each installation; containers and other systems have none."""


@dataclass(frozen=True)
class Host:
    """A host. Two hosts can have the same `name`, but not the same `id`."""

    id: str
    name: str


def this_host(address: WebAddress | None) -> Host:
    """Return the host of this process. Web processes, which may run twice on a machine, are told
    apart by their `address`."""
    name = f"{socket.gethostname()}:{address.port}" if address else socket.gethostname()
    return Host(_host_id(name), name)


def _host_id(name: str) -> str:
    """Return an id that stays the same when the host starts again, even after a kill. It follows
    from the machine, the name, which is unique for containers, and the folder of CUPS_UP_VAR."""
    machine = ""
    with suppress(OSError):
        machine = MACHINE_ID.read_text().strip()
    return sha256(f"{machine}\n{name}\n{embedded.var_dir()}".encode()).hexdigest()[:16]
