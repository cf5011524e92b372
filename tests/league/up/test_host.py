"""A host has an id of its own, whatever it is called."""

import socket
from pathlib import Path

import pytest

from league.up.host import this_host
from league.up.processes import WebAddress


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path / "var"))
    return tmp_path / "var"


def test_a_host_keeps_its_id() -> None:
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


def test_web_processes_on_two_ports_have_two_names() -> None:
    first = this_host(WebAddress("127.0.0.1", 8001))
    second = this_host(WebAddress("127.0.0.1", 8002))
    assert first.name != second.name
    assert first.id == second.id


def test_whoever_comes_second_takes_the_id_of_the_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    file = folder / "host-id"

    def make_file_meanwhile(length: int) -> str:
        file.write_text("first")
        return "second"

    monkeypatch.setattr("league.up.host.secrets.token_hex", make_file_meanwhile)
    assert this_host(None).id == "first"
    assert list(folder.iterdir()) == [file]
