"""The backup that systemd makes every night can be restored from restic's repository, old ones are
forgotten, and a failure is told."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from league.up.dump import backup_read
from tests.database import address
from tests.league.up.test_rolling import installed

pytestmark = pytest.mark.django_db(transaction=True)

FOLDER = "/var/lib/cups-up"
SYSTEMD = Path(__file__).parents[3] / "docker" / "systemd"
UNIT = SYSTEMD / "cups-up-backup.service"
RESTIC = shutil.which("restic")


def steps(folder: Path) -> list[list[str]]:
    """The unit's commands, in a folder of our own."""
    text = installed(UNIT).replace(FOLDER, str(folder))
    return [shlex.split(line) for line in re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)]


def run(folder: Path) -> int:
    """Run the unit as systemd does: until a command fails."""
    given = {
        "DATABASE_URL": address(settings.DATABASE_URL, connection.settings_dict["NAME"]),
        "DATABASE_OWNER_URL": address(
            settings.DATABASE_OWNER_URL, connection.settings_dict["NAME"]
        ),
        "REDIS_URL": settings.REDIS_URL,
        "SECRET_KEY": settings.SECRET_KEY,
        "CUPS_UP_VAR": str(folder),
    }
    return first_failure(steps(folder), os.environ | given | repository(folder))


def first_failure(commands: list[list[str]], environment: dict[str, str]) -> int:
    for command in commands:
        result = subprocess.run(command, env=environment, capture_output=True, text=True)
        if result.returncode:
            return result.returncode
    return 0


def repository(folder: Path) -> dict[str, str]:
    return {
        "RESTIC_REPOSITORY": str(folder / "repository"),
        "RESTIC_PASSWORD": "of this test",
        "RESTIC_CACHE_DIR": str(folder / "cache"),
    }


def restic(folder: Path, *arguments: str) -> str:
    assert RESTIC
    environment = os.environ | repository(folder)
    return subprocess.run(
        [RESTIC, *arguments], env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.skipif(RESTIC != "/usr/bin/restic", reason="restic isn't installed")
def test_what_it_stores_can_be_restored(tmp_path: Path) -> None:
    restic(tmp_path, "init")
    (tmp_path / "erased.txt").write_text("k3xw9tq7vb\n")
    assert run(tmp_path) == 0
    restored = tmp_path / "restored"
    restic(tmp_path, "restore", "latest", "--tag", "cups-up", "--target", str(restored))
    kept = restored / tmp_path.relative_to("/")
    assert backup_read(kept / "backup" / "latest").version
    assert (kept / "erased.txt").read_text() == "k3xw9tq7vb\n"


@pytest.mark.skipif(RESTIC != "/usr/bin/restic", reason="restic isn't installed")
def test_it_fails_if_it_cannot_store(tmp_path: Path) -> None:
    assert run(tmp_path) != 0, "there is no repository yet"


def test_it_keeps_a_week_a_month_and_a_year() -> None:
    (forget,) = [step for step in steps(Path(FOLDER)) if step[1] == "forget"]
    assert forget == steps(Path(FOLDER))[-1], "nothing is forgotten unless something was stored"
    kept = dict(zip(forget[2:-1:2], forget[3:-1:2], strict=True))
    assert kept == {
        "--tag": "cups-up",
        "--keep-daily": "7",
        "--keep-weekly": "4",
        "--keep-monthly": "12",
    }


def test_a_failure_is_told() -> None:
    assert re.search(r"^OnFailure=cups-up-alert@%n\.service$", UNIT.read_text(), re.MULTILINE)
    assert (SYSTEMD / "cups-up-alert@.service").exists()
