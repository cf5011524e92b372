"""The folder in which the processes of a host keep what they count, one file each.

prometheus_client writes and reads the files. The supervisor empties the folder when it starts, and
cleans up after processes that have died."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from league.environment.declaration import METRICS_TOKEN
from league.up import embedded
from league.up.host import this_host

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder, which prometheus_client reads when it is imported."""
IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 the folder in it is checked
"""A file system in memory, as Linux has it. Processes map the files into memory: on a full disk,
the first one that writes to a new page would be killed (SIGBUS)."""
MOST_DEAD: Final = 200
"""The most files of dead processes: they are part of the sums, but each makes a scrape slower."""


def metrics_folder_prepare(part: str | None) -> None:
    """Make an empty folder for the processes of one supervisor, and let them find it; without
    METRICS_TOKEN nobody can ask for what they count."""
    if not METRICS_TOKEN.is_given():
        return
    folder = _folder_of_host() / (part or "all")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    os.environ[FOLDER] = str(folder)


def _folder_of_host() -> Path:
    """Return a folder in memory if there can be one that nobody else can read or replace;
    otherwise one on the disk."""
    private_folder = IN_MEMORY / f"cups-up-{os.getuid()}"
    with suppress(OSError):
        private_folder.mkdir(mode=0o700, exist_ok=True)
        found = private_folder.lstat()
        is_private = found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700
        if stat.S_ISDIR(found.st_mode) and is_private:
            return private_folder / this_host(None).id
    return embedded.var_dir() / "metrics"


def metrics_folder_sweep() -> None:
    """Forget what was true only while a dead process lived, and its oldest counts."""
    name = os.environ.get(FOLDER)
    if not name:
        return
    from prometheus_client.multiprocess import mark_process_dead

    files_of_dead = []
    for file in Path(name).glob("*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not _is_alive(pid):
            mark_process_dead(pid)
            if file.exists():
                files_of_dead.append(file)
    files_of_dead.sort(key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files_of_dead[MOST_DEAD:]:
        file.unlink(missing_ok=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
