"""A network of this process that a test cuts: a browser's own offline switch doesn't reach service
workers."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.browser.service import Site


class Network:
    """A network that can be cut: it passes what comes on to the service."""

    def __init__(self, url: str) -> None:
        self.target = int(url.rsplit(":", 1)[1])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.is_cut = False
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            if self.is_cut:
                return
            with socket.create_connection(("127.0.0.1", self.target)) as server:
                ways = {client: server, server: client}
                while not self.is_cut:
                    for source in select.select(list(ways), [], [], 0.1)[0]:
                        if not (data := source.recv(65536)):
                            return
                        ways[source].sendall(data)

    def close(self) -> None:
        """Take no more connections."""
        self.is_cut = True
        self.listener.close()


@pytest.fixture
def network(site: Site) -> Iterator[Network]:
    network = Network(site.url)
    yield network
    network.close()
