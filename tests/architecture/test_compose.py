"""What every container may do is as little as it needs: on one host, and on several."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from league.up.supervisor import Supervisor
from tests.architecture.checkout import ROOT

DOCKER = ROOT / "docker"
PRIVILEGES = {
    # it gives its volume to its own user, and then becomes that user
    "postgres": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"},
}
LISTENING = {
    "compose.yml": {"web": "${BIND_ADDRESS:-127.0.0.1}:${PORT:-8000}:8000"},
    "compose.hosts.yml": {
        "web": "${BIND_ADDRESS:-127.0.0.1}:${PORT:-8000}:8000",
        "postgres": "${DATA_ADDRESS:-127.0.0.1}:5432:5432",
        "valkey": "${DATA_ADDRESS:-127.0.0.1}:6379:6379",
    },
}
RESET = "reset"


class Loader(yaml.SafeLoader):
    """YAML with Compose's tag that takes a value of the first file away."""


Loader.add_constructor("!reset", lambda loader, node: RESET)

Services = dict[str, dict[str, Any]]


def services(name: str) -> Services:
    """The services of a file: `compose.hosts.yml` lies over `compose.yml`."""
    loaded: Services = yaml.load((DOCKER / name).read_text(), Loader)["services"]
    if name == "compose.yml":
        return loaded
    merged = services("compose.yml")
    for service, changes in loaded.items():
        for key, value in changes.items():
            merged[service][key] = merge(merged[service].get(key), value)
    return merged


def merge(first: Any, second: Any) -> Any:
    """One value over another as Compose does it (its reference, “Merge Compose files”), as far as
    our files need it."""
    if second == RESET:
        return None
    if isinstance(first, dict) and isinstance(second, dict):
        return first | second
    return second


each_file = pytest.mark.parametrize("name", list(LISTENING))


def test_every_file_is_tried() -> None:
    assert {file.name for file in DOCKER.glob("compose*.yml")} == set(LISTENING)


@each_file
def test_every_container_is_read_only_and_confined(name: str) -> None:
    for service, has in services(name).items():
        assert has["read_only"] is True, service
        assert has["cap_drop"] == ["ALL"], service
        assert set(has.get("cap_add", ())) == PRIVILEGES.get(service, set()), service
        assert has["security_opt"] == ["no-new-privileges:true"], service
        assert not {"privileged", "network_mode", "pid", "devices"} & has.keys(), service


@each_file
def test_every_container_has_limits(name: str) -> None:
    for service, has in services(name).items():
        assert has["mem_limit"], service
        assert has["pids_limit"], service


@each_file
def test_valkey_gives_up_cached_values_alone_and_stays_below_its_limit(name: str) -> None:
    valkey = services(name)["valkey"]
    options = dict(zip(valkey["command"][1::2], valkey["command"][2::2], strict=True))
    assert options["--maxmemory-policy"] == "volatile-lru", "calls of jobs never expire"
    assert 2 * megabytes(options["--maxmemory"]) <= megabytes(valkey["mem_limit"])


def megabytes(size: str) -> int:
    return int(size.rstrip("mb"))


@each_file
def test_only_the_web_listens_and_between_hosts_the_data(name: str) -> None:
    listening = {service: has["ports"] for service, has in services(name).items() if "ports" in has}
    assert listening == {service: [port] for service, port in LISTENING[name].items()}


@each_file
def test_only_known_folders_of_the_host_are_seen(name: str) -> None:
    folders = {
        volume.split(":")[0]
        for has in services(name).values()
        for volume in has["volumes"]
        if volume.startswith((".", "/"))
    }
    assert folders == {"./secrets", "./backups", "./postgres-role.sh"}


@each_file
def test_every_container_that_stays_says_whether_it_is_well(name: str) -> None:
    image_has_one = {"web"}
    for service, has in services(name).items():
        if has["restart"] != "no" and service not in image_has_one:
            assert has["healthcheck"]["test"], service


def test_one_host_starts_every_part_once() -> None:
    started = {service for service, has in services("compose.yml").items() if "profiles" not in has}
    assert started == {"migrate", "web", "worker", "beat", "postgres", "valkey"}


def test_each_of_several_hosts_starts_what_its_profile_says() -> None:
    profiles = {service: has["profiles"] for service, has in services("compose.hosts.yml").items()}
    data = {"migrate", "postgres", "valkey"}
    assert {service for service, names in profiles.items() if names == ["data"]} == data
    assert all(profiles[service] == [service] for service in profiles.keys() - data)


def test_a_host_without_the_data_waits_for_no_container_and_finds_the_data() -> None:
    for service, has in services("compose.hosts.yml").items():
        if has["profiles"] != ["data"]:
            assert has["depends_on"] is None, service
            for address in ("DATABASE_URL", "REDIS_URL"):
                assert "@${DATA_ADDRESS:-}:" in has["environment"][address], service


def test_beat_remembers_what_it_called_when_its_container_goes() -> None:
    beat = services("compose.yml")["beat"]
    kept = [volume.split(":")[1] for volume in beat["volumes"]]
    assert any(beat["environment"]["CUPS_UP_VAR"].startswith(f"{folder}/") for folder in kept)


@each_file
def test_the_image_starts_what_each_container_runs(name: str, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o700)
    for service, has in services(name).items():
        if "build" in has:
            command = has.get("command", ["web"])
            result = subprocess.run(
                [DOCKER / "entrypoint", *command],
                env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
                capture_output=True,
                text=True,
            )
            part = ["up", *command] if command[0] in Supervisor.PARTS else command
            assert result.stdout.split() == ["manage.py", *part], service
