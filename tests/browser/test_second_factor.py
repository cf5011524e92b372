"""A second factor in a real browser: an operator sets up an app, then a passkey, and signs in with
it alone."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_hex
from time import time
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, complaints_of, is_sound
from tests.browser.service import Site

PASSWORD = "hoch-die-becher"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}
MAKE = """
from league.models import User
User.objects.create_user({name!r}, {name!r} + "@example.org", {password!r}, is_staff=True, is_superuser=True)
"""
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def name() -> str:
    """Who runs the service: another one in each test."""
    return f"wirtin-{token_hex(4)}"


@pytest.fixture(params=["phone", "desk"])
def operator(
    request: pytest.FixtureRequest, browser: Browser, site: Site, name: str
) -> Iterator[Page]:
    """An operator who has just signed in for the first time, at localhost, where browsers have
    passkeys."""
    site.run(MAKE.format(name=name, password=PASSWORD))
    home = f"http://localhost:{urlsplit(site.url).port}"
    screen = {"phone": PHONE, "desk": DESK}[request.param]
    context = browser.new_context(base_url=home, locale="en-GB", reduced_motion="reduce", **screen)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints = complaints_of(page)
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill(f"{name}@example.org")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/")
    yield page
    context.close()
    assert not complaints


def press(page: Page, name: str) -> None:
    main = page.get_by_role("main")
    main.get_by_role("button", name=name, exact=True).or_(
        main.get_by_role("link", name=name, exact=True)
    ).first.click()


def set_up_an_app(page: Page) -> str:
    """Set up an app, on the way to a page for operators; the app's secret."""
    page.goto("/service/")
    expect(page.get_by_text("Set one up to continue.")).to_be_visible()
    is_sound(page)
    press(page, "Set up an app")
    page.locator("[name=password]").fill(PASSWORD)
    is_sound(page)
    press(page, "Confirm")
    page.get_by_text("I can’t scan it").click()
    secret = page.locator("#secret").inner_text().strip()
    is_sound(page)
    page.locator("[name=code]").fill(code(secret))
    press(page, "Set up the app")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    is_sound(page)
    return secret


def code(secret: str, ahead: int = 0) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time()) // 30 + ahead)))


def test_an_operator_is_led_to_a_second_factor_and_signs_in_with_it(
    operator: Page, name: str
) -> None:
    secret = set_up_an_app(operator)
    operator.goto("/service/")
    expect(operator.get_by_role("heading", level=1)).to_have_text("The service")
    for path in (
        "/admin/",
        "/admin/league/user/",
        "/admin/league/user/add/",
        "/admin/league/club/",
    ):
        operator.goto(path)
        expect(operator.locator("body")).to_contain_text("Cups Up")
    operator.context.clear_cookies()
    operator.goto("/accounts/login/")
    operator.locator("[name=login]").fill(f"{name}@example.org")
    operator.locator("[name=password]").fill(PASSWORD)
    press(operator, "Sign in")
    operator.wait_for_url("**/2fa/authenticate/")
    is_sound(operator)
    operator.locator("[name=code]").fill(code(secret, 1))
    press(operator, "Sign in")
    operator.wait_for_url("**/")
    operator.goto("/accounts/sessions/")
    expect(operator.get_by_text("Chrome, Linux").first).to_be_visible()
    is_sound(operator)


def test_a_passkey_signs_in_alone(operator: Page) -> None:
    devices = operator.context.new_cdp_session(operator)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    operator.goto("/accounts/2fa/")
    press(operator, "Add a passkey")
    operator.locator("[name=password]").fill(PASSWORD)
    press(operator, "Confirm")
    operator.locator("[name=name]").fill("Laptop")
    is_sound(operator)
    press(operator, "Add a passkey")
    expect(operator.get_by_role("heading", name="Recovery codes")).to_be_visible()
    for path in ("/accounts/2fa/passkeys/", "/accounts/2fa/passkeys/reauthenticate/"):
        operator.goto(path)
        is_sound(operator)
    operator.goto("/accounts/2fa/passkeys/")
    expect(operator.get_by_text("Laptop")).to_be_visible()
    press(operator, "Rename Laptop")
    is_sound(operator)
    operator.locator("[name=name]").fill("Old laptop")
    press(operator, "Save")

    operator.context.clear_cookies()
    operator.goto("/accounts/login/?next=/service/")
    is_sound(operator)
    press(operator, "Sign in with a passkey")
    expect(operator.get_by_role("heading", level=1)).to_have_text("The service")

    operator.goto("/accounts/2fa/passkeys/")
    press(operator, "Remove Old laptop")
    operator.locator("[name=password]").fill(PASSWORD)
    press(operator, "Confirm")
    is_sound(operator)
    press(operator, "Remove")
    expect(operator.get_by_text("You have no passkey yet.")).to_be_visible()


def test_where_there_are_no_passkeys_the_page_says_so(browser: Browser, site: Site) -> None:
    """A number is no name: over plain HTTP in a network browsers have no passkeys."""
    page = browser.new_page(base_url=site.url, locale="en-GB")
    page.goto("/accounts/login/")
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
    page.context.close()
