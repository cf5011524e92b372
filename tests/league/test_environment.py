"""What can't be used of the environment is refused at the start, by one sentence that tells no
secret."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.environment import (
    BadSetting,
    env,
    env_database,
    env_number,
    env_redis,
    env_secret,
    environment_check,
)
from league.up import embedded

GOOD_SECRET = "0123456789abcdef0123456789abcdef"
PASSWORD = "sesam"
SERVERS = {
    "DATABASE_URL": "postgresql://nowhere",
    "REDIS_URL": "redis://nowhere",
    "SECRET_KEY": GOOD_SECRET,
}


@pytest.mark.parametrize("days", ["-1", "0", "36501", "x", "1.5", "²", "१", "9" * 5000])
def test_photos_are_kept_for_a_day_at_least(monkeypatch: pytest.MonkeyPatch, days: str) -> None:
    monkeypatch.setenv("PHOTO_DAYS", days)
    with pytest.raises(BadSetting, match=r"PHOTO_DAYS is .* a whole number from 1 to 36500"):
        environment_check()


@pytest.mark.parametrize(("text", "number"), [("", 60), ("1", 1), ("60", 60), ("36500", 36_500)])
def test_a_number_within_its_limits_is_taken(
    monkeypatch: pytest.MonkeyPatch, text: str, number: int
) -> None:
    monkeypatch.setenv("PHOTO_DAYS", text)
    assert env_number("PHOTO_DAYS") == number


@pytest.mark.parametrize("name", ["EMAIL_PORT", "IMPORT_MAX_BYTES"])
def test_every_number_has_limits(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "-1")
    with pytest.raises(BadSetting, match=name):
        environment_check()


@pytest.mark.parametrize(
    "secret", ["x", "only-for-the-build", "a" * 50, "abab" * 20, GOOD_SECRET[:31]]
)
def test_a_secret_that_can_be_guessed_is_refused(
    monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv("SECRET_KEY", secret)
    with pytest.raises(BadSetting, match="SECRET_KEY can be guessed") as refused:
        environment_check()
    assert secret not in str(refused.value) or secret == "x"


def test_a_random_secret_is_taken_also_from_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{GOOD_SECRET}\n")
    monkeypatch.setenv("SECRET_KEY_FILE", str(file))
    assert env_secret("SECRET_KEY") == GOOD_SECRET
    monkeypatch.setenv("SECRET_KEY_FILE", str(tmp_path / "none"))
    with pytest.raises(BadSetting, match=r"SECRET_KEY_FILE names .*none"):
        env("SECRET_KEY")


@pytest.mark.parametrize(
    "url",
    [
        f"postgres:/cups:{PASSWORD}@host/cups",
        f"postgres//cups:{PASSWORD}@host/cups",
        f"postgresql://cups:{PASSWORD}%zz@host/cups",
        f"postgresql://cups:{PASSWORD}/{PASSWORD}@host/cups",
        f"postgresql://cups:{PASSWORD}@{PASSWORD}@host/cups",
        f"postgresql://cups:{PASSWORD}@host:{PASSWORD}/cups",
        f"mysql://cups:{PASSWORD}@host/cups",
    ],
)
@pytest.mark.parametrize("name", ["DATABASE_URL", "DATABASE_OWNER_URL"])
def test_a_wrong_address_of_the_database_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, name: str, url: str
) -> None:
    monkeypatch.setenv(name, url)
    with pytest.raises(
        BadSetting, match=f"{name} isn't the address of a PostgreSQL server"
    ) as refused:
        environment_check()
    assert PASSWORD not in str(refused.value)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nowhere",
        "postgresql://cups:a%40b%2Fc@db.example.org:5432/cups?sslmode=require",
        "postgresql://cups@one:5432,two:5433/cups",
        "host=db.example.org user=cups",
        embedded.database_url(),
    ],
)
def test_every_address_that_libpq_reads_is_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    assert env_database("DATABASE_URL", "") == url


@pytest.mark.parametrize(
    "url", [f"http://:{PASSWORD}@host", f"redis://:{PASSWORD}/x@host", f"redis://h:{PASSWORD}"]
)
def test_a_wrong_address_of_redis_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    with pytest.raises(
        BadSetting, match="REDIS_URL isn't the address of a Redis server"
    ) as refused:
        environment_check()
    assert PASSWORD not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["redis://nowhere", "rediss://:a%2Fb@host:6380/1", embedded.redis_url()]
)
def test_every_address_of_redis_is_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    assert env_redis("REDIS_URL", "") == url


@pytest.mark.parametrize("command", [["up"], ["up", "web"], ["migrate"], ["check"]], ids=" ".join)
@pytest.mark.parametrize(
    ("name", "value"),
    [("PHOTO_DAYS", "0"), ("DATABASE_URL", f"postgres:/cups:{PASSWORD}@host"), ("SECRET_KEY", "x")],
)
def test_nothing_starts_and_one_sentence_says_why(
    tmp_path: Path, command: list[str], name: str, value: str
) -> None:
    environment = {**os.environ, **SERVERS, "CUPS_UP_VAR": str(tmp_path / "var"), name: value}
    result = subprocess.run(
        [sys.executable, str(embedded.CHECKOUT / "manage.py"), *command],
        env=environment,
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
