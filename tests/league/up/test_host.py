"""A host has an id of its own, whatever it is called."""

import socket
from pathlib import Path

import pytest

from league.up import host
from league.up.host import this_host
from league.up.processes import WebAddress


@pytest.fixture(autouse=True)
def machine_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "machine-id"
    file.write_text("0123\n")
    monkeypatch.setattr(host, "MACHINE_ID", file)
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path / "var"))
    return file


def test_a_host_keeps_its_id_even_if_its_folder_is_emptied() -> None:
    assert this_host(None) == this_host(None)
    assert this_host(None).name == socket.gethostname()


def test_two_folders_are_two_hosts_though_they_are_called_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = this_host(None)
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path / "other"))
    second = this_host(None)
    assert first.name == second.name
    assert first.id != second.id


def test_two_machines_are_two_hosts_though_they_are_called_the_same(machine_id: Path) -> None:
    first = this_host(None)
    machine_id.write_text("4567\n")
    second = this_host(None)
    assert first.name == second.name
    assert first.id != second.id


def test_containers_without_a_machine_id_are_told_apart_by_their_names(
    machine_id: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine_id.unlink()
    first = this_host(None)
    monkeypatch.setattr(socket, "gethostname", lambda: "5f0c2d9a1b7e")
    assert this_host(None).id != first.id


def test_web_processes_on_two_ports_are_two_hosts() -> None:
    first = this_host(WebAddress("127.0.0.1", 8001))
    second = this_host(WebAddress("127.0.0.1", 8002))
    assert first.name != second.name
    assert first.id != second.id
