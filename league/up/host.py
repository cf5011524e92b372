"""The host: a machine or container that runs parts of the service, with a folder of its own."""

from __future__ import annotations

import os
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.up import embedded

if TYPE_CHECKING:
    from league.up.processes import WebAddress


@dataclass(frozen=True)
class Host:
    """A host. `id` is random and stays the same as long as its CUPS_UP_VAR; two hosts can have the
    same `name`."""

    id: str
    name: str


def this_host(address: WebAddress | None) -> Host:
    """Return the host of this process. Web processes, which may run twice on a machine, are told
    apart by their `address`."""
    name = f"{socket.gethostname()}:{address.port}" if address else socket.gethostname()
    return Host(_host_id(), name)


def _host_id() -> str:
    """Return the id of this host, which is made on the first call.

    Supervisors that start together get the same id, since only the first can link the file.
    """
    file = embedded.var_dir() / "host-id"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        new_file = file.with_name(f"host-id.{os.getpid()}")
        new_file.write_text(secrets.token_hex(8))
        with suppress(FileExistsError):
            os.link(new_file, file)
        new_file.unlink()
    return file.read_text().strip()
