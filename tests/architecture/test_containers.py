"""What an operator writes into docker/.env reaches the service, and the example names all that is
read."""

import re
from pathlib import Path
from typing import Any

import yaml

from tests.architecture.checkout import ROOT

DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yml").read_text())
EXAMPLE = set(
    re.findall(r"^(?:# )?([A-Z][A-Z_]+)=", (DOCKER / ".env.example").read_text(), re.MULTILINE)
)
OURS = ("web", "worker", "beat", "migrate")
BUILT_IN = {"STATIC_COLLECTED", "CUPS_UP_VAR", "HOST", "DEMO"}
"""What the image sets once and for all, or `manage.py up --demo` does."""
ADDRESSES = {"DATABASE_URL", "REDIS_URL", "DATABASE_OWNER_URL"}
"""What compose makes of other settings."""


def environment(service: str) -> dict[str, str]:
    return {name: str(value) for name, value in COMPOSE["services"][service]["environment"].items()}


def interpolated(text: str) -> set[str]:
    return set(re.findall(r"\$\{([A-Z_]+)", text))


def settings_read() -> set[str]:
    """The variables that the service reads."""
    files = [ROOT / "league" / "settings.py", *Path(ROOT / "league" / "up").glob("*.py")]
    code = "".join(file.read_text() for file in files)
    return set(re.findall(r"\benv(?:_flag|_list|_networks)?\(\s*\"([A-Z_]+)\"", code)) | {
        "WEB_PROCESSES"
    }


def test_compose_passes_every_setting_of_the_example() -> None:
    read = "".join(file.read_text() for file in DOCKER.glob("compose*.yml"))
    assert EXAMPLE - interpolated(read) == set()
    for service in OURS:
        passed = environment(service)
        for name in (EXAMPLE & settings_read()) - ADDRESSES - {"PORT"}:
            assert interpolated(passed[name]) == {name}, (service, name)


def test_compose_has_no_setting_that_the_example_does_not_name() -> None:
    for file in DOCKER.glob("compose*.yml"):
        assert interpolated(file.read_text()) - EXAMPLE == set(), file.name


def test_the_example_names_every_setting() -> None:
    assert settings_read() - EXAMPLE - BUILT_IN - ADDRESSES == set()


def test_an_example_left_as_it_is_says_what_the_service_would_take_anyway() -> None:
    example = dict(
        re.findall(r"^# ([A-Z_]+)=(\S*)$", (DOCKER / ".env.example").read_text(), re.MULTILINE)
    )
    passed = environment("web")
    limits = ("IMPORT_MAX_BYTES", "RATE_LIMITS")
    for name in ("LOG_LEVEL", "DEBUG", *limits, "PUSH_SERVICES", "EMAIL_PORT", "ERASURES_FILE"):
        assert passed[name] == f"${{{name}:-{example[name]}}}"


def test_every_service_ends_in_its_own_time_and_its_logs_stay_small() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["stop_grace_period"], name
        assert service["logging"]["options"]["max-size"], name


def test_the_check_of_the_container_asks_for_nothing_but_health() -> None:
    check = re.search(r"HEALTHCHECK.*?\n +CMD (.*)", (DOCKER / "Dockerfile").read_text())
    assert check
    assert "http://127.0.0.1:8000/health/web/" in check[1]


def test_who_was_erased_stays_when_containers_go() -> None:
    for name in OURS:
        folders = [volume.split(":")[1] for volume in COMPOSE["services"][name]["volumes"]]
        assert (
            str(Path(environment(name)["ERASURES_FILE"].split(":-")[1].rstrip("}")).parent)
            in folders
        )
    assert "/var/lib/cups-up" in (DOCKER / "Dockerfile").read_text(), (
        "a new volume belongs to whom the folder belongs"
    )


def test_no_secret_and_no_backup_goes_into_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {"docker/.env", "docker/secrets", "docker/backups"} <= set(ignored)


def test_backups_are_made_by_the_owners_container_alone() -> None:
    with_backups = [
        name for name in OURS if "./backups:/backups" in COMPOSE["services"][name]["volumes"]
    ]
    assert with_backups == ["migrate"]
