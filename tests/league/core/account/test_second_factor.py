"""A second factor: signing in with it, guessing at it, losing it, and that operators have one."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from league.core.account.queries.account import has_second_factor
from league.core.account.tasks import keep_second_factors
from league.core.account.web.second_factor import SecondFactorAdapter
from league.core.frame import limits
from league.models import User
from tests.factories.league import OperatorFactory, UserFactory

pytestmark = pytest.mark.django_db

PASSWORD = "seven-cups-and-a-star"
FOR_OPERATORS = [
    "/admin/",
    "/admin/league/user/",
    "/service/",
    "/service/password/",
    "/service/club/",
]


@pytest.fixture
def user() -> User:
    made: User = UserFactory.create(username="Karla", email="karla@example.org")
    made.set_password(PASSWORD)
    made.save()
    return made


@pytest.fixture
def secret(client: Client, user: User) -> str:
    """The secret of an app that Karla has set up in her browser."""
    sign_in(client)
    page = client.get(reverse("mfa_activate_totp"))
    assert page["Location"].startswith(reverse("account_reauthenticate")), (
        "first the password again"
    )
    page = client.post(page["Location"], {"password": PASSWORD}, follow=True)
    found: str = page.context["form"].secret
    assert found in page.content.decode()
    done = client.post(reverse("mfa_activate_totp"), {"code": code(found)}, follow=True)
    assert done.redirect_chain[-1][0] == reverse("mfa_view_recovery_codes")
    return found


def sign_in(client: Client, password: str = PASSWORD) -> Any:
    return client.post(
        reverse("account_login"), {"login": "karla@example.org", "password": password}
    )


def code(secret: str, ahead: int = 0) -> str:
    """What an app shows, `ahead` half minutes from now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + ahead)))


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_the_password_alone_signs_nobody_in(user: User, secret: str) -> None:
    browser = Client()
    assert sign_in(browser)["Location"] == reverse("mfa_authenticate")
    assert not is_signed_in(browser)
    refused = browser.post(reverse("mfa_authenticate"), {"code": "12"})
    assert "This code is wrong" in refused.content.decode()
    assert not is_signed_in(browser)
    browser.post(reverse("mfa_authenticate"), {"code": code(secret, 1)})
    assert is_signed_in(browser)


def test_a_code_signs_in_once(user: User, secret: str) -> None:
    seen = code(secret, 1)
    for is_first in (True, False):
        browser = Client()
        sign_in(browser)
        browser.post(reverse("mfa_authenticate"), {"code": seen})
        assert is_signed_in(browser) is is_first


def test_a_recovery_code_signs_in_once_and_is_one_less(
    client: Client, user: User, secret: str
) -> None:
    codes = re.findall(
        r"<code>(\d{8})</code>", client.get(reverse("mfa_view_recovery_codes")).content.decode()
    )
    assert len(codes) == 10
    for is_first in (True, False):
        browser = Client()
        sign_in(browser)
        browser.post(reverse("mfa_authenticate"), {"code": codes[0]})
        assert is_signed_in(browser) is is_first
    assert "9 codes are left" in client.get(reverse("mfa_index")).content.decode()
    assert codes[1] in client.get(reverse("mfa_download_recovery_codes")).content.decode()


def test_codes_are_guessed_a_few_times_from_wherever(
    user: User, secret: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS = {"second_factor": (3, 3600)}
    monkeypatch.setattr(limits, "time", lambda: 3600 * 500_000)
    for number in range(3):
        browser = Client(REMOTE_ADDR=f"203.0.113.{number}")
        sign_in(browser)
        browser.post(reverse("mfa_authenticate"), {"code": f"{number:06}"})
    browser = Client(REMOTE_ADDR="203.0.113.9")
    sign_in(browser)
    refused = browser.post(reverse("mfa_authenticate"), {"code": code(secret, 1)})
    assert "Too many wrong codes. Try again in 60 minutes." in refused.content.decode()
    assert not is_signed_in(browser)


def test_sessions_from_before_end_with_the_second_factor(
    client: Client, user: User, django_capture_on_commit_callbacks: Any
) -> None:
    thief = Client()
    sign_in(thief)
    sign_in(client)
    page = client.get(reverse("mfa_activate_totp"))
    page = client.post(page["Location"], {"password": PASSWORD}, follow=True)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("mfa_activate_totp"), {"code": code(page.context["form"].secret)})
    assert client.get(reverse("account_email")).status_code == 200
    assert thief.get(reverse("account_email")).status_code == 302
    assert UserSession.objects.count() == 1


def test_the_database_doesnt_tell_the_secret(user: User, secret: str) -> None:
    app = Authenticator.objects.get(type=Authenticator.Type.TOTP)
    assert secret not in str(app.data)


def test_secrets_outlive_a_change_of_the_services_key(settings: Any) -> None:
    settings.SECRET_KEY = "one"
    kept = SecondFactorAdapter().encrypt("ABC")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", ["one"]
    assert SecondFactorAdapter().decrypt(kept) == "ABC"
    settings.SECRET_KEY_FALLBACKS = []
    assert SecondFactorAdapter().decrypt(kept) != "ABC", "it fits no code, and no page breaks"


def test_a_former_key_can_be_let_go_after_a_day(user: User, secret: str, settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    keep_second_factors()
    stored = Authenticator.objects.get(type=Authenticator.Type.TOTP).data
    keep_second_factors()
    assert Authenticator.objects.get(type=Authenticator.Type.TOTP).data == stored, (
        "twice changes nothing"
    )
    settings.SECRET_KEY_FALLBACKS = []
    assert SecondFactorAdapter().decrypt(stored["secret"]) == secret


@pytest.mark.parametrize("page", FOR_OPERATORS)
@pytest.mark.parametrize("kind", [{"is_staff": True}, {"is_superuser": True, "is_staff": True}])
def test_an_operator_without_a_second_factor_is_led_to_one(
    client: Client, page: str, kind: dict[str, bool]
) -> None:
    client.force_login(UserFactory.create(**kind))
    answer = client.get(page, follow=True)
    assert answer.redirect_chain[0][0] == reverse("mfa_index")
    assert "Set one up to continue." in answer.content.decode()


@pytest.mark.parametrize("page", FOR_OPERATORS)
def test_with_one_the_pages_open(client: Client, page: str) -> None:
    client.force_login(OperatorFactory.create())
    assert client.get(page).status_code == 200


def test_recovery_codes_alone_are_none(client: Client) -> None:
    operator = OperatorFactory.create()
    Authenticator.objects.update(type=Authenticator.Type.RECOVERY_CODES)
    assert not has_second_factor(operator)


def test_who_is_no_operator_learns_nothing_of_their_pages(client: Client, user: User) -> None:
    client.force_login(user)
    assert client.get("/service/").status_code == 404


def test_who_has_lost_everything_is_let_in_by_a_command(
    client: Client, user: User, secret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("second_factor", "drop", "karla@example.org")
    assert "has no second factor any more" in capsys.readouterr().out
    assert not is_signed_in(client)
    browser = Client()
    sign_in(browser)
    assert is_signed_in(browser)
    with pytest.raises(CommandError, match="There is no account nobody"):
        call_command("second_factor", "drop", "nobody")


def test_an_app_is_removed_after_the_password(client: Client, user: User, secret: str) -> None:
    client.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.exists(), "the recovery codes went, too"


def test_the_page_of_a_new_passkey_asks_the_browser_in_its_own_name(
    client: Client, user: User, secret: str
) -> None:
    page = client.get(reverse("mfa_add_webauthn"))
    options = page.context["js_data"]["creation_options"]["publicKey"]
    assert options["rp"]["id"] == "testserver"
    html = page.content.decode()
    assert 'data-passkey="add"' in html
    assert "Passkey 1" in html


@pytest.mark.parametrize("sent", ["", "{}", "x", '{"id": 1}', "[]", "null"])
def test_what_is_no_passkey_signs_nobody_in(client: Client, sent: str) -> None:
    answer = client.post(reverse("mfa_login_webauthn"), {"credential": sent}, follow=True)
    assert answer.status_code == 200
    assert not is_signed_in(client)
