"""Forking: a process that begins as a copy of this one, with all its imports.

Several processes that need the same thousand modules share their memory, and none waits until it
has read them. The process that is copied has a single thread: a lock held by another thread would
be held in the copy for ever."""

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
STANDARD_INPUT = 0
STANDARD_OUTPUT = 1
STANDARD_ERROR = 2
FIRST_FILE = 3  # after the three standard files


@dataclass
class Copy:
    """A copy of this process, with the interface of `subprocess.Popen`."""

    pid: int
    returncode: int | None = None

    def poll(self) -> int | None:
        """Return the copy's exit code, which is negative after a signal; None while it runs."""
        if self.returncode is None:
            with suppress(ChildProcessError):
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the copy has ended, and return its exit code. Raise
        `subprocess.TimeoutExpired` after the timeout."""
        deadline = None if timeout is None else time.monotonic() + timeout
        code = self.poll()
        while code is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("a copy", timeout or 0.0)
            time.sleep(0.01)
            code = self.poll()
        return code

    def send_signal(self, number: int) -> None:
        """Send the copy a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the copy."""
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
    """Start a copy of this process that does the work and then ends. Of our open files it keeps
    only these `files`.

    `output`: the file for its output; None means our own output. `lifeline`: the pipe by which it
    notices our end (league/up/launch.py).
    """
    from django.db import connections

    connections.close_all()
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return Copy(pid)
    try:
        _become_own_process(
            parent,
            name=name,
            environment=environment,
            output=output,
            files=files,
            lifeline=lifeline,
        )
        work()
        exit_code = 0
    except SystemExit as end:
        exit_code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException:
        traceback.print_exc()
        exit_code = 1
    return _end(exit_code)


def _become_own_process(
    parent: int,
    *,
    name: str,
    environment: Mapping[str, str],
    output: int | None,
    files: Sequence[int],
    lifeline: int | None,
) -> None:
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    null_file = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null_file, STANDARD_INPUT)
    if output is not None:
        os.dup2(output, STANDARD_OUTPUT)
        os.dup2(output, STANDARD_ERROR)
    # Both are written line by line.
    sys.stdout = os.fdopen(STANDARD_OUTPUT, "w", buffering=1, closefd=False)
    sys.stderr = os.fdopen(STANDARD_ERROR, "w", buffering=1, closefd=False)
    _close_files_except({*files, null_file})
    os.close(null_file)
    die_with(parent, signal.SIGKILL, lifeline)  # after the lifeline's other end is closed
    os.environ.clear()
    os.environ.update(environment)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode())


def _close_files_except(kept: Collection[int]) -> None:
    """Lead the numbers of all files but the standard ones and `kept` to /dev/null. Objects copied
    from the parent will close “their” number at some time, and that must not be a file that this
    process has opened since."""
    with open(os.devnull, "rb") as null_file:
        for file in map(int, os.listdir("/dev/fd")):
            is_kept = file < FIRST_FILE or file == null_file.fileno() or file in kept
            if not is_kept and _is_open(file):
                os.dup2(null_file.fileno(), file, inheritable=False)


def _is_open(file: int) -> bool:
    try:
        os.fstat(file)
    except OSError:
        return False
    return True


def _end(code: int) -> NoReturn:
    """End without Python's own exit handlers, which belong to the process that was copied."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
