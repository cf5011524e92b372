"""A child is started again when it dies, and leaves nothing behind."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import psutil
import pytest

from league.up import children
from league.up.children import Child, ChildError, stop_together, wait_until_ready


class Shell(Protocol):
    """Starts a shell script as a child."""

    def __call__(self, script: str, patience: float = 5.0) -> Child: ...


@pytest.fixture(autouse=True)
def _var(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path))


@pytest.fixture
def shell() -> Iterator[Shell]:
    """Starts a shell script as a child that is ready once it has printed "ready"."""
    started: list[Child] = []

    def start(script: str, patience: float = 5.0) -> Child:
        child = Child(
            "child", ["/bin/sh", "-c", script], lambda: "ready" in child.tail(), patience=patience
        )
        child.start()
        started.append(child)
        return child

    yield start
    for child in started:
        child.stop()


def until(condition: Callable[[], bool]) -> None:
    """Wait for it."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_waiting_ends_when_the_child_is_ready(shell: Shell) -> None:
    messages: list[str] = []
    wait_until_ready([shell("echo ready; sleep 60")], messages.append)
    assert [line.split()[0] for line in messages] == ["child"]


def test_waiting_too_long_shows_the_log(shell: Shell) -> None:
    child = shell("echo the disk is full; sleep 60")
    until(lambda: child.tail() != "")
    with pytest.raises(ChildError, match="the disk is full"):
        wait_until_ready([child], lambda line: None, patience=0)


def test_a_killed_child_is_started_again(shell: Shell) -> None:
    child = shell("echo ready; sleep 60")
    first = child.process.pid
    wait_until_ready([child], lambda line: None)
    os.kill(first, signal.SIGKILL)
    messages: list[str] = []

    def started_again() -> bool:
        messages.extend(filter(None, [child.watch()]))
        return child.process.pid != first

    until(started_again)
    assert messages == ["child died (signal 9); it is being restarted"]
    wait_until_ready([child], lambda line: None)
    assert child.process.poll() is None


def test_a_child_that_never_was_ready_is_given_up_with_its_log(shell: Shell) -> None:
    child = shell("echo no such module; exit 3")
    with pytest.raises(ChildError, match=r"does not stay up(.|\n)*no such module"):
        wait_until_ready([child], lambda line: None)
    assert child.quick_deaths == children.GIVE_UP_AFTER


def test_a_child_that_keeps_dying_is_tried_again_ever_more_rarely_and_nothing_ends(
    shell: Shell,
) -> None:
    child = shell("exit 3")
    waits = []
    for _ in range(children.GIVE_UP_AFTER + 8):
        until(lambda: child.watch() is not None)
        assert child.again_at is not None
        waits.append(round(child.again_at - time.monotonic(), 1))
        child.again_at = 0.0
    assert waits == sorted(waits)
    assert child.deaths == len(waits)
    assert waits[-1] <= children.LONGEST_WAIT


def test_a_child_without_a_heartbeat_is_killed_and_started_again(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "HUNG_SECONDS", 1.0)
    child = shell(
        'echo ready; while :; do touch "$CUPS_UP_HEARTBEATS/$CUPS_UP_PART"; sleep 0.1; done'
    )
    wait_until_ready([child], lambda line: None)
    first, messages = child.process.pid, list[str]()

    def look() -> bool:
        messages.extend(filter(None, [child.watch()]))
        time.sleep(0.05)
        return child.process.pid != first

    deadline = time.monotonic() + 2.5
    until(lambda: not look() and time.monotonic() > deadline)
    assert messages == [], "one that beats is left alone for longer than the limit"
    os.kill(first, signal.SIGSTOP)
    until(look)
    assert messages[0] == "child has given no heartbeat for 1 s; it is killed"


def test_who_was_not_looked_at_is_not_taken_for_hung(shell: Shell) -> None:
    child = shell("echo ready; sleep 60")
    wait_until_ready([child], lambda line: None)
    child.checked_at -= 10 * children.HUNG_SECONDS
    assert child.watch() is None, "the machine slept, or we did"


def test_a_child_is_ready_with_its_first_heartbeat(shell: Shell) -> None:
    child = shell("sleep 60")
    child.ready = None
    assert not child.is_ready()
    child.heartbeat.touch()
    assert child.is_ready()


def test_logs_are_for_their_owner_alone(shell: Shell) -> None:
    child = shell("echo secret; sleep 60")
    child.log.chmod(0o644)
    child.stop()
    child.start()
    assert child.log.stat().st_mode & 0o077 == 0
    assert child.log.parent.stat().st_mode & 0o077 == 0


def test_deaths_after_a_good_time_are_not_counted(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "QUICK_DEATH", 0.0)
    child = shell("exit 1")
    for _ in range(children.GIVE_UP_AFTER + 1):
        until(lambda: child.watch() is not None)
    assert child.quick_deaths == 1


def test_what_a_killed_child_had_started_is_killed_too(shell: Shell) -> None:
    child = shell("sleep 60 & echo $!; echo ready; wait")
    wait_until_ready([child], lambda line: None)
    grandchild = int(child.tail().split()[0])
    os.kill(child.process.pid, signal.SIGKILL)
    until(lambda: child.watch() is not None)
    until(lambda: not alive(grandchild))
    assert alive(os.getpid())


def test_a_copy_works_in_its_own_log_and_ends_with_a_code() -> None:
    child = Child(
        "copy", work=lambda: print(os.environ["CUPS_UP_PART"], os.getsid(0) == os.getpid())
    )
    child.start()
    assert child.process.wait(10) == 0
    assert child.tail() == "copy True"
    broken = Child("copy", work=lambda: [][0])
    broken.start()
    assert broken.process.wait(10) == 1
    assert "IndexError" in broken.tail()


def test_a_copy_has_no_file_of_ours_but_those_it_is_given(tmp_path: Path) -> None:
    with (tmp_path / "ours").open("w") as ours, (tmp_path / "given").open("w") as given:
        files = (ours.fileno(), given.fileno())
        child = Child(
            "copy",
            work=lambda: print(*(is_a_file(file) for file in files)),
            sockets=(given.fileno(),),
        )
        child.start()
        assert child.process.wait(10) == 0
    assert child.tail() == "False True"


def is_a_file(number: int) -> bool:
    """False for a number that leads nowhere."""
    return stat.S_ISREG(os.fstat(number).st_mode)


def test_children_are_stopped_together(shell: Shell) -> None:
    slow = [
        shell("trap 'sleep 1; exit' TERM; echo ready; while :; do sleep 0.1; done")
        for _ in range(3)
    ]
    wait_until_ready(slow, lambda line: None)
    started = time.monotonic()
    stop_together(slow)
    assert time.monotonic() - started < 2.5
    assert all(child.process.poll() is not None for child in slow)


def test_a_stubborn_child_is_killed(shell: Shell) -> None:
    child = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done", patience=0.2)
    wait_until_ready([child], lambda line: None)
    child.stop()
    assert child.process.returncode == -signal.SIGKILL


def test_the_password_of_the_owner_is_withheld(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgresql://cupsup_owner:secret@")
    monkeypatch.setenv("DATABASE_OWNER_URL_FILE", "secret")
    child = shell("echo owner: $DATABASE_OWNER_URL$DATABASE_OWNER_URL_FILE, ready; sleep 60")
    wait_until_ready([child], lambda line: None)
    assert child.tail() == "owner: , ready"


def test_a_long_log_is_put_aside_at_the_next_start(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "LOG_LIMIT", 5)
    child = shell("echo ready")
    child.process.wait()
    child.start()
    child.process.wait()
    assert child.log.read_text() == Path(f"{child.log}.1").read_text() == "ready\n"


def test_a_long_log_is_laid_aside_while_it_is_written(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = shell("echo ready; echo long; read line; echo more; sleep 60")
    wait_until_ready([child], lambda line: None)
    monkeypatch.setattr(children, "LOG_LIMIT", 5)
    child.rotate()
    assert child.log.read_text() == ""
    assert Path(f"{child.log}.1").read_text().startswith("ready\n")
    with child.log.open("a") as log:
        log.write("more\n")
    assert child.tail() == "more"


SHELL = """["/bin/sh", "-c", "echo ready; exec sleep 60"]"""
WORK = """work=lambda: (print("ready", flush=True), time.sleep(60))"""


@pytest.mark.parametrize(
    "lifeline", ["children.LIFELINE", "os.pipe()[0]"], ids=["as the system has it", "by a pipe"]
)
@pytest.mark.parametrize("what", [SHELL, WORK], ids=["a program", "a copy"])
@pytest.mark.parametrize(
    "wait", ["wait_until_ready([child], print)", "pass  # killed before the child has begun"]
)
def test_a_child_dies_with_its_parent(wait: str, what: str, lifeline: str) -> None:
    program = f"""
import os, time
from league.up import children
from league.up.children import Child, wait_until_ready
children.LIFELINE = {lifeline}
child = Child("orphan", {what}, ready=lambda: "ready" in child.tail())
child.start()
{wait}
print(child.process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    parent = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    orphan = int(parent.stdout.split()[-1])
    until(lambda: not alive(orphan))
    assert parent.returncode == -signal.SIGKILL
