"""The certificate that the service makes itself: kept, for its hosts alone, readable by its owner
alone."""

from __future__ import annotations

import socket
import ssl
import stat
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509

from league.up import certificate
from league.up.certificate import CertificateFiles, certificate_files, own_certificate

HOSTS = ["127.0.0.1", "[::1]", "localhost", "laptop.local"]


@pytest.fixture(autouse=True)
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUPS_UP_VAR", str(tmp_path))


def greet(files: CertificateFiles, name: str) -> None:
    """Shake hands with a server that has the certificate, as a client that trusts it and calls it
    by a name."""
    server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_context.load_cert_chain(*files)
    client, server = socket.socketpair()
    done = threading.Thread(
        target=lambda: server_context.wrap_socket(server, server_side=True).close()
    )
    done.start()
    with ssl.create_default_context(cafile=files.certificate).wrap_socket(
        client, server_hostname=name
    ):
        pass
    done.join()


@pytest.mark.parametrize("name", ["127.0.0.1", "::1", "localhost", "laptop.local"])
def test_a_browser_that_trusts_it_reaches_each_host(name: str) -> None:
    greet(own_certificate(HOSTS), name)


def test_only_its_owner_reads_it_and_it_stays_at_the_next_start() -> None:
    files = own_certificate(HOSTS)
    before = files.certificate.read_bytes()
    assert files == certificate_files()
    assert stat.S_IMODE(files.key.stat().st_mode) == 0o600
    assert own_certificate(HOSTS[1:]).certificate.read_bytes() == before


def test_what_phones_get_holds_no_key() -> None:
    assert b"PRIVATE" not in own_certificate(HOSTS).certificate.read_bytes()


def test_it_is_made_anew_for_another_address_and_before_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = own_certificate(HOSTS).certificate.read_bytes()
    moved = own_certificate([*HOSTS, "10.77.0.1"]).certificate.read_bytes()
    assert moved != before
    monkeypatch.setattr(certificate, "RENEWED", certificate.VALID + timedelta(days=1))
    assert own_certificate(HOSTS).certificate.read_bytes() != moved


def test_a_start_that_was_broken_off_between_both_files_is_mended() -> None:
    files = own_certificate(HOSTS)
    other_certificate = files.certificate.read_bytes()
    files.certificate.unlink()
    own_certificate(HOSTS)
    files.certificate.write_bytes(other_certificate)
    greet(own_certificate(HOSTS), "localhost")


def test_who_trusts_it_trusts_it_for_nothing_else() -> None:
    read = x509.load_pem_x509_certificate(own_certificate(HOSTS).certificate.read_bytes())
    constraints = read.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    assert {str(name.value) for name in constraints.value.permitted_subtrees or ()} == {
        "127.0.0.1/32",
        "::1/128",
        "localhost",
        "laptop.local",
    }
