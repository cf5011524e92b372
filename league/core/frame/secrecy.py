"""Secrets in files and logs of the machine: unsent mails, and keys in addresses."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.mail.backends.filebased import EmailBackend

KEY_IN_ADDRESS: Final = re.compile(
    r"(/accounts/(?:password/reset/key|confirm-email)/|/calendar/|/entries/(?:by-mail|letters)/|/invitations/"
    r"|/helpers/|/claim/|/play/practice/|/play/[0-9a-z]{10}/seat/|/account/notices/stop/|/arbiter/|[?&](?:key|code)=)"
    r"(?:(?<=/arbiter/)[^&\s\"']+|[^/&\s\"']+)"
)


class PrivateFiles(EmailBackend):
    """The mail backend without a mail server: each mail becomes a file that only the service's user
    can read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        super().__init__(*args, **kwargs)

    def open(self) -> bool:
        """Open a file that only its owner may read; return False if a file is open already."""
        if self.stream is not None:
            return False
        self.stream = os.fdopen(
            os.open(self._get_filename(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab"
        )
        return True


def keys_hidden(logger: Any, method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Hide the keys in any addresses of a log line: they can set a password, take a role, or read
    an account's calendar. This is a processor of structlog, which passes `logger` and `method`,
    too."""
    hidden = {}
    for name, value in event.items():
        hidden[name] = _key_hidden(value) if isinstance(value, str) else value
    return hidden


def without_keys(value: Any) -> Any:
    """Return a copy of nested dictionaries and lists with the keys in all their texts hidden."""
    if isinstance(value, str):
        return _key_hidden(value)
    if isinstance(value, dict):
        return {name: without_keys(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [without_keys(member) for member in value]
    return value


def _key_hidden(text: str) -> str:
    return KEY_IN_ADDRESS.sub(r"\1…", text)
