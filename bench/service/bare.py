"""The least that passes a notice of the database on: one connection that listens, and a write to each socket.

`python -m bench.service.bare <number of a listening socket> <channel> <bytes>`: each line that it sends has so many.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys

import psycopg


async def pass_on(listener: socket.socket, channel: str, size: int) -> None:
    """Write a line to all who are connected, whenever there is a notice."""
    writers: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda reader, writer: writers.append(writer), sock=listener, backlog=2048)
    line = b"x" * (size - 1) + b"\n"
    connection = await psycopg.AsyncConnection.connect(os.environ["BARE_DATABASE"], autocommit=True)
    await connection.execute(f"LISTEN {channel}".encode())
    print("ready", flush=True)
    async with server, connection:
        async for _ in connection.notifies():
            for writer in writers:
                writer.write(line)


if __name__ == "__main__":
    asyncio.run(pass_on(socket.socket(fileno=int(sys.argv[1])), sys.argv[2], int(sys.argv[3])))
