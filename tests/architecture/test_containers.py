"""What an operator writes into docker/.env reaches the service, and the example names all that is
read."""

import re
from pathlib import Path
from typing import Any

import yaml

from league.environment.declaration import VARIABLES
from league.environment.variable import Variable
from tests.architecture.checkout import ROOT

DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yml").read_text())
EXAMPLE_TEXT = (DOCKER / ".env.example").read_text()
EXAMPLE = set(re.findall(r"^(?:# )?([A-Z][A-Z_]+)=", EXAMPLE_TEXT, re.MULTILINE))
OURS = ("web", "worker", "beat", "migrate")
BUILT_IN = {"STATIC_COLLECTED", "CUPS_UP_VAR", "HOST", "DEMO"}
"""What the image sets once and for all, or `manage.py up --demo` does."""
OF_COMPOSE = {
    "ALLOWED_HOSTS": "${ALLOWED_HOSTS:-localhost}",
    "DATABASE_OWNER_URL": "${DATABASE_OWNER_URL-postgresql://cupsup_owner:${POSTGRES_OWNER_PASSWORD:-}@postgres:5432/cupsup}",
    "DATABASE_URL": "${DATABASE_URL-postgresql://cupsup:${POSTGRES_PASSWORD:-}@postgres:5432/cupsup}",
    "ERASURES_FILE": "${ERASURES_FILE:-/var/lib/cups-up/erased.txt}",
    "HTTPS": "${HTTPS:-true}",
    "METRICS_PORT": "${METRICS_PORT:-9100}",
    "REDIS_URL": "redis://valkey:6379/0",
}
"""The settings with another default in containers: servers and files lie elsewhere there, and a
proxy with TLS is in front."""
DECLARED = {variable.name: variable for variable in VARIABLES}


def environment(service: str) -> dict[str, str]:
    return {name: str(value) for name, value in COMPOSE["services"][service]["environment"].items()}


def interpolated(text: str) -> set[str]:
    return set(re.findall(r"\$\{([A-Z_]+)", text))


def test_compose_passes_every_setting_as_it_is() -> None:
    for service in OURS:
        passed = environment(service)
        names = DECLARED.keys() - BUILT_IN - {"PORT", "DATABASE_OWNER_URL"}
        assert {name: passed.get(name) for name in names} == {
            name: OF_COMPOSE.get(name, f"${{{name}:-}}") for name in names
        }
    assert environment("migrate")["DATABASE_OWNER_URL"] == OF_COMPOSE["DATABASE_OWNER_URL"]


def test_only_migrations_have_the_owners_credentials() -> None:
    with_owner = {name for name in OURS if "DATABASE_OWNER_URL" in environment(name)}
    assert with_owner == {"migrate"}


def test_compose_and_the_example_name_the_same_settings() -> None:
    read = "".join(file.read_text() for file in DOCKER.glob("compose*.yml"))
    assert interpolated(read) == EXAMPLE


def test_the_example_names_every_setting() -> None:
    assert DECLARED.keys() - EXAMPLE - BUILT_IN - {"REDIS_URL"} == set()


def test_a_secret_can_be_a_file_in_a_container() -> None:
    secrets = {variable.file_name for variable in VARIABLES if variable.secret}
    assert secrets - EXAMPLE == {"REDIS_URL_FILE"}, "Redis has no password there"


def test_the_example_says_the_defaults_of_the_declaration() -> None:
    written = dict(re.findall(r"^# ([A-Z_]+)=(.*?)(?: {2,}.*)?$", EXAMPLE_TEXT, re.MULTILINE))
    defaults = {
        name: variable.default
        for name, variable in DECLARED.items()
        if isinstance(variable, Variable) and name in written
    }
    examples = {"DEFAULT_FROM_EMAIL": "Cups Up <cups@example.org>"}
    assert len(defaults) > 7
    assert {name: written[name] for name in defaults} == defaults | examples


def test_every_value_of_the_example_can_be_used() -> None:
    written = dict(re.findall(r"^(?:# )?([A-Z_]+)=(.*?)(?: {2,}.*)?$", EXAMPLE_TEXT, re.MULTILINE))
    for name, variable in DECLARED.items():
        variable.check({name: written.get(name, "")})


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
