"""A copy of this process holds none of its files, and what copied objects close one day is no file
of the copy."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

from league.up.fork import fork


def outcome(work: Callable[[], None], *files: int) -> int:
    """The code with which a copy ends that does the work."""
    copy = fork(work, name="copy", environment={}, output=None, files=files, lifeline=None)
    return copy.wait(timeout=30)


def test_a_copied_socket_that_is_closed_closes_nothing_of_the_copy() -> None:
    """As when a pool of connections to Redis notices that it was copied, and drops those that it
    had."""
    ours = [socket.socketpair() for _ in range(4)]

    def work() -> None:
        pipes = [os.pipe() for _ in range(8)]
        for one, other in ours:
            one.close()
            other.close()
        for read, write in pipes:
            os.write(write, b"heard")
            assert os.read(read, 5) == b"heard"

    assert outcome(work) == 0
    for one, other in ours:
        one.send(b"still here")
        assert other.recv(10) == b"still here"
        one.close()
        other.close()


def test_a_copy_holds_no_file_but_those_it_is_given(tmp_path: Path) -> None:
    kept, dropped = (
        os.open(tmp_path / name, os.O_RDWR | os.O_CREAT) for name in ("kept", "dropped")
    )

    def work() -> None:
        os.write(kept, b"mine")
        assert os.fstat(dropped).st_rdev == Path(os.devnull).stat().st_rdev

    assert outcome(work, kept) == 0
    assert (tmp_path / "kept").read_text() == "mine"
    os.close(kept)
    os.close(dropped)


def test_the_other_end_of_a_pipe_is_let_go_of() -> None:
    """So that who reads it hears of the end of the process that was copied."""
    read, write = os.pipe()

    def work() -> None:
        os.close(write)  # what the copied object would do

    assert outcome(work) == 0
    os.close(write)
    assert os.read(read, 1) == b""
    os.close(read)
