"""A process that begins as a copy of this one, with everything that this one has imported.

Several processes that need the same thousand modules share their memory, and none waits until it
has read them. The one that is copied has a single thread: a lock that another thread holds would be
held in the copy for ever."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from league.up.launch import die_with

PR_SET_NAME = 15  # linux/prctl.h
FIRST_FILE = 3  # after the standard input, output and error


@dataclass
class Copy:
    """A copy of this process, watched and ended as `subprocess.Popen` does it."""

    pid: int
    returncode: int | None = None

    def poll(self) -> int | None:
        """The code with which it has ended, less than 0 for a signal; None while it runs."""
        if self.returncode is None:
            with suppress(ChildProcessError):
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. `subprocess.TimeoutExpired` if that takes longer."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("a copy", timeout or 0.0)
            time.sleep(0.01)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


def fork(
    work: Callable[[], None],
    *,
    name: str,
    environment: Mapping[str, str],
    output: int | None,
    files: Sequence[int],
    lifeline: int | None,
) -> Copy:
    """Start a copy of this process that does the work and ends; of our open files it keeps only
    those that are named.

    `output`: the file for what it prints; None: where ours goes. `lifeline`: league/up/launch.py.
    """
    from django.db import connections

    connections.close_all()
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    if pid := os.fork():
        return Copy(pid)
    try:
        _settle(parent, name, environment, output, files, lifeline)
        work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException:
        traceback.print_exc()
        code = 1
    return _end(code)


def _settle(
    parent: int,
    name: str,
    environment: Mapping[str, str],
    output: int | None,
    files: Sequence[int],
    lifeline: int | None,
) -> None:
    """Become a process of one's own: session, signals, files, environment, name."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if output is not None:
        os.dup2(output, 1)
        os.dup2(output, 2)
    sys.stdout, sys.stderr = (
        os.fdopen(file, "w", buffering=1, closefd=False) for file in (1, 2)
    )  # line by line
    _let_go({*files, nothing})
    os.close(nothing)
    die_with(parent, signal.SIGKILL, lifeline)  # after the lifeline's other end is closed
    os.environ.clear()
    os.environ.update(environment)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode())


def _let_go(kept: Collection[int]) -> None:
    """Let go of all open files but those that are kept. Their numbers stay taken, by nothing:
    objects that were copied still hold them, and what such an object closes one day must not be a
    file that was opened here since."""
    with open(os.devnull, "rb") as nothing:
        for file in map(int, os.listdir("/dev/fd")):
            if (
                file >= FIRST_FILE
                and file != nothing.fileno()
                and file not in kept
                and _is_open(file)
            ):
                os.dup2(nothing.fileno(), file, inheritable=False)


def _is_open(file: int) -> bool:
    try:
        os.fstat(file)
    except OSError:
        return False
    return True


def _end(code: int) -> NoReturn:
    """End without what Python does at its end: that would be done for the process that was
    copied."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
