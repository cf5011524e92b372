"""What can't be used of the environment is refused before anything starts, by one sentence that
tells no secret."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks.registry import registry

from league.environment.check import environment_check, slips
from league.environment.declaration import SECRET_KEY
from league.environment.system_check import slips_check
from league.environment.variable import FILE_LIMIT, BadSetting
from league.up import embedded

GOOD_SECRET = "0123456789abcdef0123456789abcdef"
PASSWORD = "sesam"
UNWRITABLE = "/proc/cups-up"
SERVERS = {
    "DATABASE_URL": "postgresql://nowhere",
    "REDIS_URL": "redis://nowhere",
    "SECRET_KEY": GOOD_SECRET,
    "ALLOWED_HOSTS": "cups.example.org",
}


def test_a_random_secret_is_taken_also_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{GOOD_SECRET}\n")
    assert SECRET_KEY.read({"SECRET_KEY": GOOD_SECRET}) == GOOD_SECRET
    assert SECRET_KEY.read({"SECRET_KEY_FILE": str(file)}) == GOOD_SECRET


@pytest.mark.parametrize("path", ["/nope", "/", f"/{PASSWORD}", "\x00", "/dev/zero", "/dev/null"])
def test_a_file_that_cannot_be_read_is_refused_and_not_shown(path: str) -> None:
    with pytest.raises(BadSetting, match="SECRET_KEY") as refused:
        environment_check({"SECRET_KEY_FILE": path})
    assert PASSWORD not in str(refused.value)


@pytest.mark.parametrize("name", ["EMAIL_HOST", "PUBLIC_ORIGIN", "ALLOWED_HOSTS", "IMPRINT_URL"])
def test_a_password_in_the_wrong_place_is_not_shown(name: str) -> None:
    with pytest.raises(BadSetting, match=f"^{name} can't be used") as refused:
        environment_check({name: f"smtp://cups:{PASSWORD}@mail.example.org"})
    assert PASSWORD not in str(refused.value)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("0123456789abcdef" * (FILE_LIMIT // 16) + "0")
    with pytest.raises(BadSetting, match="SECRET_KEY_FILE names a file that is too large"):
        environment_check({"SECRET_KEY_FILE": str(file)})


def test_a_slip_of_the_pen_is_told() -> None:
    environment = dict.fromkeys(("PHOTO_DAY", "DATABASE_URI", "SECRET_KEY_FIL"), "1")
    assert slips(environment) == [
        "DATABASE_URI is no setting; did you mean DATABASE_URL?",
        "PHOTO_DAY is no setting; did you mean PHOTO_DAYS?",
        "SECRET_KEY_FIL is no setting; did you mean SECRET_KEY_FILE?",
    ]


@pytest.mark.parametrize(
    "name",
    """
    HOSTNAME HOSTTYPE PATH HOME LANG DEBUGINFOD_URLS HTTPS_PROXY https_proxy NO_PROXY TMPDIR
    EMAIL MAIL PORTAGE POSTGRES_PASSWORD POSTGRES_PASSWORD_FILE DATABASE_USER REDIS_PORT REDIS_HOST
    WEB_CONCURRENCY NOTIFY_SOCKET DJANGO_SETTINGS_MODULE CUPS_UP_PART CUPS_UP_HEARTBEATS CUPS_SERVER
    KUBERNETES_PORT XDG_SESSION_TYPE LOGNAME
    """.split(),  # noqa: SIM905 – a table of words
)
def test_names_of_others_are_no_slips(name: str) -> None:
    assert slips({name: "1"}) == []


MANAGE = [sys.executable, "manage.py"]
WEB = [sys.executable, "-m", "uvicorn", "league.asgi:application", "--port", "0"]


@pytest.mark.parametrize(
    ("command", "name", "value"),
    [
        ([*MANAGE, "up"], "PHOTO_DAYS", "0"),
        ([*MANAGE, "up", "web"], "DATABASE_URL", f"postgres:/cups:{PASSWORD}@host"),
        ([*MANAGE, "migrate"], "SECRET_KEY_FILE", "/nope"),
        ([*MANAGE, "check"], "ALLOWED_HOSTS", ""),
        (WEB, "REDIS_URL", ""),
    ],
    ids=["up", "up web", "migrate", "check", "uvicorn"],
)
def test_nothing_starts_and_one_sentence_says_why(
    tmp_path: Path, command: list[str], name: str, value: str
) -> None:
    service = SERVERS | {"STATIC_COLLECTED": "true", "CUPS_UP_VAR": str(tmp_path / "var")}
    result = subprocess.run(
        command,
        env=os.environ | service | {name: value},
        cwd=embedded.CHECKOUT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 1
    said = (result.stdout + result.stderr).strip()
    assert name in said
    assert "\n" not in said
    assert PASSWORD not in said
    assert not (tmp_path / "var").exists(), "nothing was started"


@pytest.mark.parametrize("command", ["up", "check", "migrate"])
def test_a_folder_in_which_nothing_can_be_written_is_refused(command: str) -> None:
    result = subprocess.run(
        [*MANAGE, command],
        env=os.environ | {"CUPS_UP_VAR": UNWRITABLE, "SECRET_KEY": ""},
        cwd=embedded.CHECKOUT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 1
    said = (result.stdout + result.stderr).strip()
    assert f"Nothing can be written in {UNWRITABLE}; set CUPS_UP_VAR" in said
    assert "\n" not in said


def test_a_slip_is_told_by_a_check_of_django(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOTO_DAY", "7")
    warnings = [str(message.msg) for message in slips_check()]
    assert "PHOTO_DAY is no setting; did you mean PHOTO_DAYS?" in warnings
    assert slips_check in registry.registered_checks
