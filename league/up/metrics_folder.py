"""The folder in which the processes of a host keep what they count, one file each.

prometheus_client writes and reads the files. The supervisor empties the folder when it starts, and
cleans up after processes that have died."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from league.environment.declaration import METRICS_TOKEN
from league.up import embedded

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder, which prometheus_client reads when it is imported."""
MOST_DEAD: Final = 200
"""The most files of dead processes: they are part of the sums, but each makes a scrape slower."""


def metrics_folder_prepare(part: str | None) -> None:
    """Make an empty folder for the processes of one supervisor, and let them find it; without
    METRICS_TOKEN nobody can ask for what they count."""
    if not METRICS_TOKEN.is_given():
        return
    folder = embedded.var_dir() / "metrics" / (part or "all")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    os.environ[FOLDER] = str(folder)


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
