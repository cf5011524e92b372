"""Reading settings from the environment. Each variable NAME can also be given as NAME_FILE, the path of a file that
holds the value (a secret of Docker or systemd)."""

import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha512
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from league.up import embedded


def env(name: str, default: str | None = None) -> str:
    """The value of an environment variable, or of the file that `<name>_FILE` names; without a default it has to say
    something."""
    if path := os.environ.get(f"{name}_FILE"):
        return Path(path).read_text().strip()
    value = os.environ.get(name, default)
    if value is None or (default is None and not value):
        raise ImproperlyConfigured(f"Set the environment variable {name} (or {name}_FILE).")
    return value


def env_flag(name: str, default: bool) -> bool:
    """A switch: true, 1, yes or on; false, 0, no or off."""
    value = env(name, str(default)).lower()
    if value in {"true", "1", "yes", "on"}:
        return True
    if value in {"false", "0", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}; it can be true or false.")


def env_list(name: str, default: str) -> list[str]:
    """Values with commas between them."""
    return [part.strip() for part in env(name, default).split(",") if part.strip()]


def env_networks(name: str, default: str) -> list[IPv4Network | IPv6Network]:
    """Addresses and networks with commas between them."""
    try:
        return [ip_network(part) for part in env_list(name, default)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}; it holds addresses, and networks such as 10.0.0.0/8.") from None


def database(url: str) -> dict[str, Any]:
    """Django's settings for a connection URI of libpq (`postgresql://user:password@host:port/name?option=…`)."""
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
    """The secret of a checkout, made once and kept in its `var/`."""
    path = embedded.var_dir() / "secret-key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
        except FileExistsError:
            pass
    return path.read_text()


P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # FIPS 186-4, D.1.2.3


def push_secret(secret: str) -> str:
    """The private key (P-256, 32 bytes in base64url) by which push services know us, made from the service's secret:
    all our processes have the same, from the first start on, and nobody has to keep one more secret."""
    digest = int.from_bytes(sha512(b"cups-up/vapid/1\n" + secret.encode()).digest(), "big")
    return urlsafe_b64encode((1 + digest % (P256_ORDER - 1)).to_bytes(32, "big")).rstrip(b"=").decode()
