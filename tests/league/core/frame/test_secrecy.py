"""What only the service's user may read: mails that no server sends, and keys in addresses."""

from pathlib import Path
from typing import Any

import pytest
from django.core.mail import get_connection, send_mail
from django.test import Client
from django.urls import get_resolver, reverse

from league.core.frame.secrecy import keys_hidden
from tests.factories.league import UserFactory


def test_without_a_mail_server_a_mail_is_a_private_file(settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    with get_connection("league.core.frame.secrecy.PrivateFiles") as connection:
        send_mail("Cups", "the link", None, ["anna@example.org"], connection=connection)
    (mail,) = (tmp_path / "mail").iterdir()
    assert "the link" in mail.read_text()
    assert mail.stat().st_mode & 0o077 == 0
    assert mail.parent.stat().st_mode & 0o077 == 0


@pytest.mark.django_db
def test_a_link_for_a_new_password_is_in_no_log(
    client: Client, settings: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    settings.EMAIL_BACKEND = "league.core.frame.secrecy.PrivateFiles"
    UserFactory.create(email="anna@example.org")
    client.post("/accounts/password/reset/", {"email": "anna@example.org"})
    (mail,) = (tmp_path / "mail").iterdir()
    assert "/accounts/password/reset/key/" in mail.read_text()
    assert "/reset/key/" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    "line",
    [
        "Not Found: /accounts/password/reset/key/1-abc-def/",
        "Forbidden: /accounts/confirm-email/MQ:1wZ:abc/",
        "GET '/accounts/password/reset/key/1-abc-def' failed",
        "Not Found: /clubs/stern/winter/?page=2&key=abc",
        "Forbidden (CSRF cookie not set.): /claim/abc/",
        "Not Found: /claim/?code=abc",
    ],
)
def test_keys_in_addresses_are_hidden(line: str) -> None:
    hidden = keys_hidden(None, "info", {"event": line, "status": 404})
    assert "abc" not in hidden["event"]
    assert hidden["status"] == 404


def parts_of(name: str) -> list[str]:
    """What the address of a page asks for."""
    parts: list[str] = get_resolver().reverse_dict.getlist(name)[0][0][0][1]
    return parts


def test_every_token_of_an_address_is_hidden() -> None:
    with_tokens = [
        name
        for name in (key for key in get_resolver().reverse_dict if isinstance(key, str))
        if "token" in parts_of(name)
    ]
    assert {"invitation", "entry-by-mail", "event-letters-stop", "notices-stop"} <= set(with_tokens)
    for name in with_tokens:
        address = reverse(name, kwargs=dict.fromkeys(parts_of(name), "abc"))
        assert (
            "abc"
            not in keys_hidden(
                None, "warning", {"event": f"Forbidden (CSRF cookie not set.): {address}"}
            )["event"]
        )


def test_every_line_of_the_log_goes_through_it(settings: Any) -> None:
    assert keys_hidden in settings.LOG_CHAIN
    assert settings.LOGGING["formatters"]["line"]["foreign_pre_chain"] is settings.LOG_CHAIN
