"""Start a program that dies with its parent, as a user that PostgreSQL accepts.

Linux sends a signal when the parent dies. Elsewhere a guard reads from a pipe, the lifeline, that
only the parent can write to: it ends with the parent.

This is a script of its own, so that nothing has to run between fork and exec in a process with
threads: `python -I -S launch.py <death signal> <parent's pid> <lifeline> <user> <folder> <program>
<argument> …`"""

import ctypes
import os
import pwd
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

NO_LIFELINE = -1
SAME = "same"
NOBODY = "nobody"
NAMESPACE = "namespace"
PR_SET_PDEATHSIG = 1  # linux/prctl.h
CLONE_NEWUSER = 0x10000000  # linux/sched.h


def launch_command(
    command: Sequence[str | Path],
    *,
    folder: Path,
    user: str = SAME,
    death_signal: int = signal.SIGKILL,
    lifeline: int | None = None,
) -> list[str]:
    """Return the command line that runs `command` in `folder` as `user`, and that ends when this
    process ends.

    Start it from the main thread: Linux sends the death signal when the thread that started the
    child ends. `lifeline` is the reading end of a pipe.
    """
    launcher = [sys.executable, "-I", "-S", __file__, str(int(death_signal)), str(os.getpid())]
    return [
        *launcher,
        str(NO_LIFELINE if lifeline is None else lifeline),
        user,
        str(folder),
        *map(str, command),
    ]


def become_nobody() -> None:
    """Change this process from root to the user `nobody`, for good."""
    nobody = pwd.getpwnam(NOBODY)
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)


def enter_namespace() -> None:
    """Enter a private user namespace in which root's own files and this process belong to `nobody`.

    For root in a folder that `nobody` can't reach (a checkout below /root)."""
    nobody = pwd.getpwnam(NOBODY)
    libc = ctypes.CDLL(None, use_errno=True)
    uid = os.geteuid()
    gid = os.getegid()
    if libc.unshare(CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), "no private user namespace here")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/gid_map").write_text(f"{nobody.pw_gid} {gid} 1")
    Path("/proc/self/uid_map").write_text(f"{nobody.pw_uid} {uid} 1")


def die_with(parent: int, death_signal: int, lifeline: int | None) -> None:
    """Make sure that this process gets the signal when its parent ends; end at once if the parent
    already has."""
    if lifeline is not None:
        guard(lifeline, death_signal)
    elif sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, death_signal)
    if os.getppid() != parent:
        raise SystemExit("the parent has ended")


def guard(lifeline: int, death_signal: int) -> None:
    """Leave a second process behind, which waits for the end of the lifeline and then sends this
    process the signal."""
    guarded_pid = os.getpid()
    if os.fork() == 0:
        os.read(lifeline, 1)
        try:
            os.kill(guarded_pid, death_signal)
        finally:
            os._exit(0)
    os.close(lifeline)


def main(
    death_signal: str, parent: str, lifeline: str, user: str, folder: str, *command: str
) -> None:
    """Turn this process into the program of `command`."""
    if user == NOBODY:
        become_nobody()
    elif user == NAMESPACE:
        enter_namespace()
    os.chdir(folder)
    for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, signal.SIG_DFL)
    lifeline_number = None if int(lifeline) == NO_LIFELINE else int(lifeline)
    die_with(
        int(parent), int(death_signal), lifeline_number
    )  # last, since a change of user would undo it
    os.execv(command[0], command)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, KeyError) as error:
        sys.exit(f"{sys.argv[6]} cannot be started as {sys.argv[4]}: {error}")
