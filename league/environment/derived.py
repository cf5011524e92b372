"""What the settings derive from variables, or from files of the checkout."""

import os
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha512
from typing import Any

from league.environment.kinds import P256_ORDER
from league.up import embedded


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
        "OPTIONS": {
            **{key: value for key, value in info.items() if value is not None},
            # PostgreSQL keeps the plan of a statement that a connection has sent five times.
            "server_side_binding": True,
            "prepare_threshold": 5,
        },
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
    }


def local_secret() -> str:
    """Return the secret of a checkout, which is made on the first call and kept in its `var/`."""
    path = embedded.var_dir() / "secret-key"
    if not path.exists():
        embedded.var_dir_make()
        try:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
        except FileExistsError:
            pass
    return path.read_text()


def push_secret(secret: str) -> str:
    """Derive the private key for push services (P-256, 32 bytes in base64url) from the service's
    secret: so all processes have the same key from the first start on, and there is no second
    secret to keep."""
    digest = int.from_bytes(sha512(b"cups-up/vapid/1\n" + secret.encode()).digest(), "big")
    key = 1 + digest % (P256_ORDER - 1)
    return urlsafe_b64encode(key.to_bytes(32, "big")).rstrip(b"=").decode()
