"""A client for the web server: as many connections as it is told, each kept open, one request after
the other.

Standard library only, and hardly any work a request, for it shares the machine with the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from statistics import median
from time import perf_counter

from bench.measure import percentile

HEAD = "GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n{more}\r\n"


@dataclass(frozen=True)
class Traffic:
    """Requests a second, and the milliseconds that half of them, and all but one in a hundred, took
    at most."""

    rate: float
    p50: float
    p99: float


def load(
    port: int,
    path: str,
    *,
    connections: int,
    requests: int,
    headers: Mapping[str, str] | None = None,
    status: int = 200,
) -> Traffic:
    """Ask for an address so often, over so many connections at once, with further headers. Raises
    ValueError if an answer has another status."""
    more = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    return asyncio.run(
        _load(port, HEAD.format(path=path, more=more), connections, requests, status)
    )


async def _load(port: int, head: str, connections: int, requests: int, status: int) -> Traffic:
    began = perf_counter()
    each = [_ask(port, head, requests // connections, status) for _ in range(connections)]
    times = [1000 * seconds for some in await asyncio.gather(*each) for seconds in some]
    return Traffic(len(times) / (perf_counter() - began), median(times), percentile(times, 0.99))


async def _ask(port: int, request: str, requests: int, status: int) -> list[float]:
    """The seconds that each of so many requests took, one after the other."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    times = []
    for _ in range(requests):
        began = perf_counter()
        writer.write(request.encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if not head.startswith(f"http/1.1 {status}"):
            raise ValueError(f"{request.splitlines()[0]}: {head.splitlines()[0]}")
        if status == HTTPStatus.NOT_MODIFIED:
            times.append(perf_counter() - began)
            continue
        length = next(line for line in head.splitlines() if line.startswith("content-length:"))
        await reader.readexactly(int(length.partition(":")[2]))
        times.append(perf_counter() - began)
    writer.close()
    return times
