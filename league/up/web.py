"""One process of the web server: `python -m league.up.web <number of a listening socket>`."""

from __future__ import annotations

import argparse
import os
import resource
import socket
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from league.up.certificate import CertificateFiles

IDLE_SECONDS = 5  # that a connection may be without a request
GRACE_SECONDS = 20  # for requests that are being answered when the process is to end
MAC_FILES = 10_240  # OPEN_MAX of macOS, which names no limit and refuses a higher one
OTHER_FILES = 200  # that a process opens besides its connections


def raise_file_limit() -> int:
    """Let this process open as many files as the system allows, and return how many."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if sys.platform == "darwin":
        limit = min(limit, MAC_FILES) if limit > 0 else MAC_FILES
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    return limit


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket that several processes can share. Raise `OSError` or
    `OverflowError` if that isn't possible."""
    address_info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(address_info[0], address_info[1])
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address_info[4])
        listener.listen(2048)
    except BaseException:
        listener.close()
        raise
    return listener


def serve(listener: socket.socket, app: str, certificate: CertificateFiles | None = None) -> None:
    """Serve until a signal arrives; by HTTPS if there is a certificate."""
    from uvicorn import Config  # the supervisor, which opens the socket, needs none of it

    from league.up.connection import Connection, WebServer

    file_limit = raise_file_limit()
    config = Config(
        app,
        http=Connection,
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,  # its lines go through the service's own logging
        server_header=False,
        # league/core/frame/client_address.py reads them, and knows the trusted proxies.
        proxy_headers=False,
        limit_concurrency=max(file_limit - OTHER_FILES, OTHER_FILES),
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=certificate and certificate.certificate,
        ssl_keyfile=certificate and certificate.key,
    )
    WebServer(config).run(sockets=[listener])


def main() -> None:
    """Serve on a socket that the parent process has opened."""
    parser = argparse.ArgumentParser(prog="python -m league.up.web", description=__doc__)
    parser.add_argument(
        "socket", type=int, help="the number of the listening socket among the open files"
    )
    parser.add_argument("--app", default="league.asgi:application", help="the ASGI application")
    arguments = parser.parse_args()
    os.set_inheritable(arguments.socket, False)
    serve(socket.socket(fileno=arguments.socket), arguments.app)


if __name__ == "__main__":
    main()
