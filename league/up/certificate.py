"""The self-signed certificate with which `HTTPS=1 make up` serves HTTPS, kept in `var/`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from league.up import embedded

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

VALID: Final = timedelta(days=397)
"""Apple's devices refuse certificates that are valid for more than 825 days; browsers' rules ask
for 398."""
RENEWED: Final = timedelta(days=30)
"""How long before its expiry a certificate is replaced."""


class CertificateFiles(NamedTuple):
    """The PEM files of a certificate and its private key; phones get the certificate,
    nobody the key."""

    certificate: Path
    key: Path


def certificate_files() -> CertificateFiles:
    """Return the paths of this service's certificate."""
    folder = embedded.var_dir()
    return CertificateFiles(folder / "https.pem", folder / "https-key.pem")


def own_certificate(hosts: Sequence[str]) -> CertificateFiles:
    """Return a certificate for all these hosts; make a new one if there is none, or it lacks a host
    or expires soon."""
    files = certificate_files()
    if not (files.certificate.exists() and files.key.exists() and _is_usable(files, hosts)):
        certificate, key = _new_certificate_and_key(hosts)
        _write_private(files.key, key)
        _write_private(files.certificate, certificate)
    return files


def _is_usable(files: CertificateFiles, hosts: Sequence[str]) -> bool:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    certificate = x509.load_pem_x509_certificate(files.certificate.read_bytes())
    key = load_pem_private_key(files.key.read_bytes(), password=None)
    certified_names = certificate.extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    ).value
    is_long_valid = certificate.not_valid_after_utc > datetime.now(UTC) + RENEWED
    # They don't belong together if a start was interrupted between writing the two files.
    has_own_key = certificate.public_key() == key.public_key()
    return (
        is_long_valid
        and has_own_key
        and all(_general_name(host) in certified_names for host in hosts)
    )


def _new_certificate_and_key(hosts: Sequence[str]) -> tuple[bytes, bytes]:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Cups Up on this machine")])
    begin = datetime.now(UTC) - timedelta(hours=1)  # phones' clocks differ
    names = [_general_name(host) for host in hosts]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + VALID)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        # A phone lets its owner trust only a certificate that may sign; this one may sign for these
        # hosts, and for nothing else.
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.NameConstraints([_as_constraint(name) for name in names], None), critical=True
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(serialization.Encoding.PEM), _key_pem(key)


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _general_name(host: str) -> x509.GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ip_address(host.strip("[]")))
    except ValueError:
        return x509.DNSName(host)


def _as_constraint(name: x509.GeneralName) -> x509.GeneralName:
    """Return the name in the form that a constraint needs: for an address, the network of this
    address alone."""
    from cryptography import x509

    if isinstance(name, x509.IPAddress):
        return x509.IPAddress(ip_network(name.value))
    return name


def _write_private(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new_file = path.with_suffix(".new")
    new_file.unlink(missing_ok=True)
    with open(os.open(new_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    new_file.replace(path)
