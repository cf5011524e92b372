"""Settings from the environment. Each variable NAME can also be given as NAME_FILE, the path of a
file with the value (a secret of Docker or systemd).

Invalid values are refused with a sentence that names the variable, and never shows a secret.
`manage.py up` reads this module before it starts anything, so it imports little."""

import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha512
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from league.up import embedded

SECRET_LENGTH: Final = 32
SECRET_SIGNS: Final = 5
"""The minimum length of a secret, and the minimum number of different characters in it."""
ENCODED: Final = "in the password, write %40 for @, %2F for /, %3A for : and %25 for %"


class BadSetting(ImproperlyConfigured):
    """An invalid environment variable; the message says what to do."""


class NumberSetting(NamedTuple):
    """A whole number to set, with its default and limits."""

    default: int
    least: int
    most: int


NUMBERS: Final = {
    "PORT": NumberSetting(8000, 1, 65_535),
    "WEB_PROCESSES": NumberSetting(1, 1, 1000),
    "METRICS_PORT": NumberSetting(0, 0, 65_535),
    "PHOTO_DAYS": NumberSetting(60, 1, 36_500),
    "EMAIL_PORT": NumberSetting(587, 1, 65_535),
    "IMPORT_MAX_BYTES": NumberSetting(16 * 1024 * 1024, 1024, 1024**3),
}


def env(name: str, default: str | None = None) -> str:
    """Return the value of an environment variable, or of the file that `<name>_FILE` names. Raise
    `BadSetting` if it is missing and has no default."""
    path = os.environ.get(f"{name}_FILE")
    if path:
        try:
            return Path(path).read_text().strip()
        except (OSError, UnicodeDecodeError):
            raise BadSetting(f"{name}_FILE names {path}, which can't be read.") from None
    value = os.environ.get(name, default)
    if value is None or (default is None and not value):
        raise BadSetting(f"Set the environment variable {name} (or {name}_FILE).")
    return value


def is_given(name: str) -> bool:
    """Return True if the environment has the variable, or names its file."""
    return name in os.environ or f"{name}_FILE" in os.environ


def env_secret(name: str) -> str:
    """Return a secret. Raise `BadSetting` if it is short enough to be guessed."""
    value = env(name)
    if len(value) < SECRET_LENGTH or len(set(value)) < SECRET_SIGNS:
        raise BadSetting(
            f"{name} can be guessed: set one of at least {SECRET_LENGTH} random characters, "
            "such as `openssl rand -hex 32` prints."
        )
    return value


def env_number(name: str) -> int:
    """Return the number with a name in `NUMBERS`, or its default. Raise `BadSetting` if it is
    outside its limits."""
    default, least, most = NUMBERS[name]
    text = env(name, "") or str(default)
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not (is_number and least <= int(text) <= most):
        raise BadSetting(f"{name} is {text!r}; it has to be a whole number from {least} to {most}.")
    return int(text)


def env_database(name: str, default: str) -> str:
    """Return the address of a database, in a form that libpq reads. Raise `BadSetting` for anything
    else."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    url = env(name, default)
    try:
        info = conninfo_to_dict(url)
    except ProgrammingError:
        info = {"port": "none"}  # is refused below
    ports = str(info.get("port", "")).split(",")
    host_and_name = f"{info.get('host', '')} {info.get('dbname', '')}"
    has_bad_port = not all(port.isdigit() or not port for port in ports)
    # An @ or a colon that isn't encoded in the password ends up in the host or the port.
    if has_bad_port or "@" in host_and_name:
        raise BadSetting(
            f"{name} isn't the address of a PostgreSQL server, such as "
            f"postgresql://user:password@host:5432/name; {ENCODED}."
        )
    return url


def env_redis(name: str, default: str) -> str:
    """Return the address of a Redis server. Raise `BadSetting` for anything else."""
    url = env(name, default)
    parts = urlsplit(url)
    try:
        # Reading the port raises `ValueError` if it isn't a number.
        is_address = parts.scheme in ("redis", "rediss", "unix") and (parts.port or True)
    except ValueError:
        is_address = False
    if not is_address or "@" in parts.path:
        raise BadSetting(
            f"{name} isn't the address of a Redis server, such as "
            f"redis://:password@host:6379/0; {ENCODED}."
        )
    return url


def environment_check() -> None:
    """Raise `BadSetting` if a variable is invalid, before anything starts."""
    for name in NUMBERS:
        env_number(name)
    if is_given("SECRET_KEY"):
        env_secret("SECRET_KEY")
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        if is_given(name):
            env_database(name, "")
    if is_given("REDIS_URL"):
        env_redis("REDIS_URL", "")


def env_flag(name: str, default: bool) -> bool:
    """Return the value of a switch: true, 1, yes or on; false, 0, no or off."""
    value = env(name, str(default)).lower()
    if value in {"true", "1", "yes", "on"}:
        return True
    if value in {"false", "0", "no", "off"}:
        return False
    raise BadSetting(f"{name} is {value!r}; it can be true or false.")


def env_list(name: str, default: str) -> list[str]:
    """Return values separated by commas."""
    return [part.strip() for part in env(name, default).split(",") if part.strip()]


def env_networks(name: str, default: str) -> list[IPv4Network | IPv6Network]:
    """Return addresses and networks separated by commas."""
    try:
        return [ip_network(part) for part in env_list(name, default)]
    except ValueError as error:
        raise BadSetting(
            f"{name}: {error}; it holds addresses, and networks such as 10.0.0.0/8."
        ) from None


def database(url: str) -> dict[str, Any]:
    """Return Django's settings for a connection URI of libpq
    (`postgresql://user:password@host:port/name?option=…`)."""
    from psycopg.conninfo import conninfo_to_dict

    info = conninfo_to_dict(url)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": info.pop("dbname", "cupsup"),
        "USER": info.pop("user", ""),
        "PASSWORD": info.pop("password", ""),
        "HOST": info.pop("host", ""),
        "PORT": info.pop("port", ""),
        "OPTIONS": {key: value for key, value in info.items() if value is not None},
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
    }


def local_secret() -> str:
    """Return the secret of a checkout, which is made on the first call and kept in its `var/`."""
    path = embedded.var_dir() / "secret-key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
        except FileExistsError:
            pass
    return path.read_text()


P256_ORDER = (
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # FIPS 186-4, D.1.2.3
)


def push_secret(secret: str) -> str:
    """Derive the private key for push services (P-256, 32 bytes in base64url) from the service's
    secret: so all processes have the same key from the first start on, and there is no second
    secret to keep."""
    digest = int.from_bytes(sha512(b"cups-up/vapid/1\n" + secret.encode()).digest(), "big")
    key = 1 + digest % (P256_ORDER - 1)
    return urlsafe_b64encode(key.to_bytes(32, "big")).rstrip(b"=").decode()
