"""A laptop and a phone in one network: namespaces of their own with a cable between them, as Linux
makes them.

Browsers trust every address of the loopback network; what a phone in a pub may do is seen by
another address alone."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType

from tests.browser.conftest import FLAGS, program

LAPTOP, PHONE = "10.77.0.1", "10.77.0.2"


@dataclass
class Namespaces:
    """The names of both namespaces."""

    laptop: str
    phone: str

    @staticmethod
    def within(name: str) -> list[str]:
        """Return the beginning of a command that runs in a namespace."""
        return ["ip", "netns", "exec", name]

    def browser(self, kind: BrowserType, name: str, folder: Path) -> Browser:
        """Open a browser in a namespace; it is spoken to by a pipe, so it needs no address."""
        chromium = program()
        assert chromium
        command = folder / f"chromium-{name}"
        command.write_text(f'#!/bin/sh\nexec {shlex.join([*self.within(name), chromium])} "$@"\n')
        command.chmod(0o755)
        return kind.launch(executable_path=command, args=FLAGS)

    def cut(self, *, cut: bool = True) -> None:
        """Take the phone out of the network, or let it in again."""
        run("ip", "-n", self.phone, "link", "set", "cable", "down" if cut else "up")


@contextmanager
def namespaces() -> Iterator[Namespaces]:
    """Make both namespaces and the cable; where that isn't permitted, skip the test and say why."""
    if not shutil.which("ip"):
        pytest.skip("there is no `ip` on this machine (Debian: apt-get install iproute2)")
    both = Namespaces(f"cups-laptop-{os.getpid()}", f"cups-phone-{os.getpid()}")
    try:
        try:
            _connect(both)
        except subprocess.CalledProcessError as refused:
            pytest.skip(f"network namespaces aren't permitted here: {refused.stderr.strip()}")
        yield both
    finally:
        for name in (both.laptop, both.phone):
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def _connect(both: Namespaces) -> None:
    for name in (both.laptop, both.phone):
        run("ip", "netns", "add", name)
        run("ip", "-n", name, "link", "set", "lo", "up")
    peer = ("peer", "name", "cable", "netns", both.phone)
    run("ip", "-n", both.laptop, "link", "add", "cable", "type", "veth", *peer)
    for name, address in ((both.laptop, LAPTOP), (both.phone, PHONE)):
        run("ip", "-n", name, "address", "add", f"{address}/24", "dev", "cable")
        run("ip", "-n", name, "link", "set", "cable", "up")
    run(*Namespaces.within(both.phone), "true")


def run(*command: str) -> Sequence[str]:
    """Run a command; subprocess.CalledProcessError if it fails."""
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()
