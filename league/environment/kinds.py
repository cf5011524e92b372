"""The kinds of values that an environment variable can have.

`manage.py up` checks them before it starts anything, so this module imports little."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import ClassVar, Final, Generic, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

T = TypeVar("T")
Translate = Callable[[str], str]

SECRET_LENGTH: Final = 32
SECRET_SIGNS: Final = 5
"""The minimum length of a secret, and the minimum number of different characters in it."""
P256_ORDER: Final = (
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # FIPS 186-4, D.1.2.3
)
UNITS: Final = {
    "": 1,
    "b": 1,
    "kb": 1000,
    "mb": 1000**2,
    "gb": 1000**3,
    "kib": 1024,
    "mib": 1024**2,
    "gib": 1024**3,
}
SIZE: Final = re.compile(r"([0-9]{1,12}) ?([A-Za-z]*)")
HOST_NAME: Final = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_-]+)*\.?")
MAIL_ADDRESS: Final = re.compile(r"[^\s@<>,;:()\[\]]+@[A-Za-z0-9_.-]+")


def _(text: str) -> str:
    """Mark a text for translation. Django's `gettext_noop` would need the settings for that."""
    return text


class ValueKind(ABC, Generic[T]):
    """A kind of values: how one is read, and the `words` that say what it has to be."""

    words: ClassVar[str]

    @abstractmethod
    def parse(self, text: str) -> T:
        """Return the value that a text stands for. Raise `ValueError` if there is none."""

    def describe(self, translate: Translate = str) -> str:
        """Say what a value has to be."""
        return translate(self.words).format(**vars(self))


class Flag(ValueKind[bool]):
    """A setting that is on or off."""

    words = _("`true` or `false`")

    def parse(self, text: str) -> bool:
        """Return True for true, 1, yes and on."""
        if text.lower() in {"true", "1", "yes", "on"}:
            return True
        if text.lower() in {"false", "0", "no", "off"}:
            return False
        raise ValueError


@dataclass(frozen=True)
class WholeNumber(ValueKind[int]):
    """A whole number within limits."""

    least: int
    most: int
    words = _("a whole number from {least} to {most}")

    def parse(self, text: str) -> int:
        """Return the number, which is written in digits only."""
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(self.most))
        if not (is_number and self.least <= int(text) <= self.most):
            raise ValueError
        return int(text)


PORT_NUMBER: Final = WholeNumber(1, 65_535)


@dataclass(frozen=True)
class ByteSize(ValueKind[int]):
    """A number of bytes, with or without a unit."""

    least: str
    most: str
    words = _("a size from {least} to {most}, in bytes or with a unit, such as `16MB` or `16MiB`")

    def parse(self, text: str) -> int:
        """Return the number of bytes: 16kB are 16,000, and 16KiB are 16,384."""
        size = self._bytes(text)
        if not self._bytes(self.least) <= size <= self._bytes(self.most):
            raise ValueError
        return size

    def _bytes(self, text: str) -> int:
        parts = SIZE.fullmatch(text)
        if not parts or parts[2].lower() not in UNITS:
            raise ValueError
        return int(parts[1]) * UNITS[parts[2].lower()]


class SingleLine(ValueKind[str]):
    """Any text of one line."""

    words = _("one line of text")

    def parse(self, text: str) -> str:
        """Return the text."""
        if not text.isprintable():
            raise ValueError
        return text


class LogLevel(ValueKind[str]):
    """The least important lines of the log."""

    words = _("one of `DEBUG`, `INFO`, `WARNING`, `ERROR` and `CRITICAL`")

    def parse(self, text: str) -> str:
        """Return the level as `logging` names it."""
        if text.upper() not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
            raise ValueError
        return text.upper()


class RandomSecret(ValueKind[str]):
    """A secret that nobody can guess."""

    words = _("at least 32 random characters, such as `openssl rand -hex 32` prints")

    def parse(self, text: str) -> str:
        """Return the secret."""
        if len(text) < SECRET_LENGTH or len(set(text)) < SECRET_SIGNS or not text.isprintable():
            raise ValueError
        return text


class PushKey(ValueKind[str]):
    """A private key for push services (VAPID, RFC 8292)."""

    words = _("a private key of the curve P-256, its 32 bytes in base64url")

    def parse(self, text: str) -> str:
        """Return the key."""
        if not re.fullmatch(r"[A-Za-z0-9_-]{43}=?", text):
            raise ValueError
        key = urlsafe_b64decode(text.rstrip("=") + "=")
        if not 1 <= int.from_bytes(key, "big") < P256_ORDER:
            raise ValueError
        return text


class DatabaseAddress(ValueKind[str]):
    """The address of a database, in a form that libpq reads."""

    words = _(
        "the address of a PostgreSQL server, such as `postgresql://user:password@host:5432/name`; in "
        "the password, write `%40` for @, `%2F` for /, `%3A` for : and `%25` for %"
    )

    def parse(self, text: str) -> str:
        """Return the address."""
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        try:
            info = conninfo_to_dict(text)
        except ProgrammingError:
            raise ValueError from None
        host_and_name = f"{info.get('host', '')} {info.get('dbname', '')}"
        # An @ or a colon that isn't encoded in the password ends up in the host or the port.
        if "@" in host_and_name:
            raise ValueError
        for port in str(info.get("port", "")).split(","):
            if port:
                PORT_NUMBER.parse(port)
        return text


class RedisAddress(ValueKind[str]):
    """The address of a Redis server, in a form that redis-py reads."""

    words = _(
        "the address of a Redis server, such as `redis://:password@host:6379/0`; in the password, "
        "write `%40` for @, `%2F` for /, `%3A` for : and `%25` for %"
    )

    def parse(self, text: str) -> str:
        """Return the address."""
        parts = urlsplit(text)
        if parts.scheme == "unix":
            is_address = bool(parts.path) and "@" not in parts.path
        else:
            is_address = parts.scheme in {"redis", "rediss"} and _has_host(parts)
            is_address = is_address and bool(re.fullmatch(r"/?[0-9]*", parts.path))
        if not is_address or not self._has_known_options(text):
            raise ValueError
        return text

    def _has_known_options(self, text: str) -> bool:
        from redis import ConnectionPool, RedisError

        try:
            ConnectionPool.from_url(text).make_connection()  # it doesn't connect yet
        except (TypeError, RedisError):
            return False
        return True


class HostName(ValueKind[str]):
    """The name or address of a machine."""

    words = _("a host name or an IP address, without scheme and port")

    def parse(self, text: str) -> str:
        """Return the name."""
        if not is_host(text):
            raise ValueError
        return text


class ServedName(ValueKind[str]):
    """A name at which people reach the service, as Django's `ALLOWED_HOSTS` has it."""

    words = _("a host name without scheme and port, such as `cups.example.org`, and not `*`")

    def parse(self, text: str) -> str:
        """Return the name; one that begins with a dot stands for its subdomains, too."""
        if text.startswith("[") and text.endswith("]"):
            IPv6Address(text[1:-1])
        elif not HOST_NAME.fullmatch(text.removeprefix(".")):
            raise ValueError
        return text


class NetworkAddress(ValueKind[IPv4Network | IPv6Network]):
    """An address, or all addresses of a network."""

    words = _("an IP address, or a network such as `10.0.0.0/8`")

    def parse(self, text: str) -> IPv4Network | IPv6Network:
        """Return the network; a single address is the smallest one."""
        return ip_network(text)


class WebOrigin(ValueKind[str]):
    """Scheme, host and port of a website."""

    words = _("an origin such as `https://cups.example.org`, with its scheme and without a path")

    def parse(self, text: str) -> str:
        """Return the origin as browsers write it."""
        parts = urlsplit(text.rstrip("/"))
        has_more = parts.path or parts.query or parts.fragment or "@" in parts.netloc
        if has_more or parts.scheme not in {"http", "https"} or not self._has_origin_host(parts):
            raise ValueError
        return f"{parts.scheme}://{parts.netloc.lower()}"

    def _has_origin_host(self, parts: SplitResult) -> bool:
        return _has_host(parts)


class TrustedOrigin(WebOrigin):
    """An origin, or those of all subdomains, as Django's `CSRF_TRUSTED_ORIGINS` has it."""

    def _has_origin_host(self, parts: SplitResult) -> bool:
        return _has_host(parts._replace(netloc=parts.netloc.removeprefix("*.")))


class WebPage(ValueKind[str]):
    """The address of a page on the web."""

    words = _("the address of a page, which begins with `https://` or `http://`")

    def parse(self, text: str) -> str:
        """Return the address."""
        parts = urlsplit(text)
        is_printable = text.isprintable() and " " not in text
        if not is_printable or parts.scheme not in {"http", "https"} or not _has_host(parts):
            raise ValueError
        return text


class ContactAddress(ValueKind[str]):
    """How to reach somebody, as security.txt has it (RFC 9116, 2.5.3)."""

    words = _(
        "`mailto:` with an email address, or the address of a page, which begins with `https://`"
    )

    def parse(self, text: str) -> str:
        """Return the address."""
        parts = urlsplit(text)
        if parts.scheme == "mailto":
            is_address = bool(MAIL_ADDRESS.fullmatch(unquote(parts.path)))
        else:
            is_address = parts.scheme == "https" and _has_host(parts)
        if not is_address or not text.isprintable() or " " in text:
            raise ValueError
        return text


class ProjectAddress(ValueKind[str]):
    """The DSN of a project, to which errors are reported."""

    words = _("the DSN of a project at Sentry, such as `https://key@sentry.example.org/1`")

    def parse(self, text: str) -> str:
        """Return the DSN."""
        parts = urlsplit(text)
        is_printable = text.isprintable() and " " not in text
        is_project = re.fullmatch(r"(/[\w-]+)*/[0-9]+", parts.path) and parts.username
        if not is_printable or parts.scheme not in {"http", "https"} or not is_project:
            raise ValueError
        if not _has_host(parts):
            raise ValueError
        return text


class Sender(ValueKind[str]):
    """The sender of emails, with or without a name."""

    words = _("an email address, alone or with a name, such as `Cups Up <cups@example.org>`")

    def parse(self, text: str) -> str:
        """Return name and address as they are written."""
        _name, address = parseaddr(text)
        if not MAIL_ADDRESS.fullmatch(address) or not text.isprintable():
            raise ValueError
        return text


class Folder(ValueKind[Path]):
    """A folder, which need not exist yet."""

    words = _("a folder")

    def parse(self, text: str) -> Path:
        """Return the path, which is relative to the checkout."""
        path = Path(__file__).parents[2] / text
        existing = next(place for place in (path, *path.parents) if place.exists())
        if not existing.is_dir():
            raise ValueError
        return path.resolve()


class FilePath(ValueKind[Path]):
    """A file, which need not exist yet."""

    words = _("the absolute path of a file")

    def parse(self, text: str) -> Path:
        """Return the path."""
        path = Path(text)
        if not path.is_absolute() or path.is_dir():
            raise ValueError
        return path


@dataclass(frozen=True)
class CommaSeparated(ValueKind[list[T]]):
    """Several values of one kind, separated by commas."""

    each: ValueKind[T]
    words = _("one or more, separated by commas, each {each}")

    def parse(self, text: str) -> list[T]:
        """Return the values in their order; there is at least one."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if not parts:
            raise ValueError
        return [self.each.parse(part) for part in parts]

    def describe(self, translate: Translate = str) -> str:
        """Say what each value has to be."""
        return translate(self.words).format(each=self.each.describe(translate))


def is_host(text: str) -> bool:
    """Return True for a host name, and for an IP address without brackets."""
    try:
        ip_address(text)
    except ValueError:
        return bool(HOST_NAME.fullmatch(text))
    return True


def _has_host(parts: SplitResult) -> bool:
    """Return True if an address has a host, and no port or a valid one. Raise `ValueError` if the
    port is none."""
    return is_host(parts.hostname or "") and parts.port != 0
