"""Notices on a device, as far as a browser goes that no push service serves: that service is
played."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import CHROMIUM, PATIENCE, sign_in
from tests.browser.service import Site

PROGRAMS = CHROMIUM
SERVICE = "https://fcm.googleapis.com/fcm/send/browser-test"
PLAYED = """
const keys = {
  p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
  auth: "tBHItJI5svbpez7KI4CCXg",
};
const given = (key) => ({
  endpoint: "SERVICE",
  options: { applicationServerKey: key },
  toJSON: () => ({ endpoint: "SERVICE", keys }),
  unsubscribe: async () => { localStorage.removeItem("key"); return true; },
});
const stored = () => localStorage.key && JSON.parse(localStorage.getItem("key"));
PushManager.prototype.getSubscription = async () => stored() && given(Uint8Array.from(stored()).buffer);
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
  if (!userVisibleOnly || Notification.permission !== "granted") throw new DOMException("", "NotAllowedError");
  localStorage.setItem("key", JSON.stringify([...applicationServerKey]));
  return given(applicationServerKey.buffer);
};
""".replace("SERVICE", SERVICE)
"""A browser with a push service (the keys are the example of RFC 8291, 5); without it Chromium
can't subscribe."""
DEVICES = """
from league.models import PushSubscription
print(PushSubscription.objects.filter(endpoint__endswith="browser-test", user__email="scorer@example.org").count())
"""


@pytest.fixture
def notices(page: Page, context: BrowserContext, site: Site) -> Page:
    """The page of somebody's notices, in a browser that allows them."""
    context.grant_permissions(["notifications"], origin=site.url)
    sign_in(page, "scorer@example.org")
    return page


def devices(site: Site) -> int:
    """How many devices the service knows of."""
    return int(site.run(DEVICES))


def test_a_device_shows_notices_until_it_is_switched_off(notices: Page, site: Site) -> None:
    notices.add_init_script(PLAYED)
    notices.goto("/account/notices/")
    notices.get_by_role("button", name="Show notifications on this device").click()
    expect(notices.get_by_text("fcm.googleapis.com")).to_be_visible()
    assert devices(site) == 1
    notices.get_by_role("button", name="Stop notifications on this device").click()
    expect(notices.get_by_role("button", name="Show notifications on this device")).to_be_visible()
    expect(notices.get_by_text("None of your devices shows notifications yet.")).to_be_visible()
    assert devices(site) == 0


def test_what_is_pushed_is_shown_with_the_page_that_it_is_about(
    notices: Page, context: BrowserContext
) -> None:
    cdp = context.new_cdp_session(notices)
    versions: list[dict[str, Any]] = []
    cdp.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda update: versions.extend(update["registrations"]),
    )
    cdp.send("ServiceWorker.enable")
    notices.goto("/account/notices/")
    expect(notices.get_by_role("button", name="Show notifications on this device")).to_be_visible()
    scope = notices.evaluate("navigator.serviceWorker.ready.then(it => it.scope)")
    assert scope == f"{notices.url.split('/account')[0]}/", "the whole service"
    text = (
        '{"title": "Table 3", "body": "Round 2", "url": "/me/tables/", "lang": "en", "tag": "t1"}'
    )
    id = next(it["registrationId"] for it in versions if it["scopeURL"] == scope)
    for _ in range(2):
        cdp.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": scope.rstrip("/"), "registrationId": id, "data": text},
        )
    shown = notices.wait_for_function(
        """async () => {
          const registration = await navigator.serviceWorker.ready;
          const all = await registration.getNotifications();
          return all.length && all.map(({ title, body, data, lang }) => ({ title, body, data, lang }));
        }""",
        timeout=PATIENCE,
    ).json_value()
    assert shown == [
        {"title": "Table 3", "body": "Round 2", "data": "/me/tables/", "lang": "en"}
    ], "twice is once"


def test_a_browser_without_a_push_service_says_that_it_did_not_work(
    context: BrowserContext, site: Site
) -> None:
    context.grant_permissions(["notifications"], origin=site.url)
    notices = (
        context.new_page()
    )  # on whose console Chromium itself says that it has no such service here
    sign_in(notices, "scorer@example.org")
    notices.goto("/account/notices/")
    notices.get_by_role("button", name="Show notifications on this device").click()
    expect(notices.locator("[data-push-state]")).to_contain_text(
        "Nothing has changed", timeout=60_000
    )
    assert devices(site) == 0
