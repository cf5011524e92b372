"""The pages on which somebody chooses what to be told."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from league.core.delivery.queries.preference import preference_of
from league.core.delivery.services.preference import stop_token
from league.core.delivery.services.push import push_key
from league.models import NoticeTopic, PushSubscription, User
from tests.factories.league import UserFactory
from tests.league.core.delivery.test_subscription import ENDPOINT, keys

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(client: Client) -> User:
    user: User = UserFactory.create()
    client.force_login(user)
    return user


def test_topics_are_chosen_by_way(client: Client, user: User) -> None:
    client.post(reverse("notices"), {"mail": ["table"], "push": ["place", "table"]})
    assert preference_of(user).mail == ["table"]
    assert preference_of(user).push == ["place", "table"]
    client.post(reverse("notices"), {})
    assert preference_of(user).mail == []
    assert client.post(reverse("notices"), {"mail": ["bogus"]}).status_code == 200
    assert "checked" not in client.get(reverse("notices")).content.decode().split("My devices")[0]


def test_the_page_offers_the_button_hidden_for_who_has_no_javascript(
    client: Client, user: User
) -> None:
    html = client.get(reverse("notices")).content.decode()
    form = re.search(r"<form[^>]*data-push=[^>]*>", html)
    assert form
    assert "hidden" in form[0]
    assert push_key() in form[0]
    assert "<noscript>" in html


def test_a_browser_is_added_shown_and_removed(client: Client, user: User) -> None:
    assert (
        client.post(reverse("push-subscribe"), {"endpoint": ENDPOINT, **keys()}).status_code == 204
    )
    assert "fcm.googleapis.com" in client.get(reverse("notices")).content.decode()
    device = PushSubscription.objects.get(user=user)
    client.post(reverse("device-remove", args=[device.public_id]))
    assert not PushSubscription.objects.exists()


def test_a_browser_removes_itself(client: Client, user: User) -> None:
    client.post(reverse("push-subscribe"), {"endpoint": ENDPOINT, **keys()})
    assert client.post(reverse("push-unsubscribe"), {"endpoint": ENDPOINT}).status_code == 204
    assert not PushSubscription.objects.exists()


def test_an_address_elsewhere_is_refused_with_the_reason(client: Client, user: User) -> None:
    answer = client.post(reverse("push-subscribe"), {"endpoint": "https://127.0.0.1/", **keys()})
    assert answer.status_code == 400
    assert "push service" in answer.content.decode()


def test_nobody_touches_anothers_device(client: Client, user: User) -> None:
    client.post(reverse("push-subscribe"), {"endpoint": ENDPOINT, **keys()})
    device = PushSubscription.objects.get()
    client.force_login(UserFactory.create())
    assert client.post(reverse("device-remove", args=[device.public_id])).status_code == 404
    client.post(reverse("push-unsubscribe"), {"endpoint": ENDPOINT})
    assert PushSubscription.objects.exists()


@pytest.mark.parametrize("name", ["notices", "push-subscribe", "push-unsubscribe", "my-notices"])
def test_who_is_not_signed_in_signs_in_first(client: Client, name: str) -> None:
    answer = client.post(reverse(name))
    assert answer.status_code == 302
    assert "login" in answer["Location"]


def test_devices_are_added_and_letters_stopped_so_many_times_a_minute() -> None:
    for name in ("push-subscribe", "push-unsubscribe", "notices-stop"):
        assert settings.LIMITED_PAGES[f"POST {name}"] == "subscribe"


def test_opening_the_address_of_a_letter_changes_nothing_and_one_click_stops_it(user: User) -> None:
    stranger = Client(enforce_csrf_checks=True)  # a mail program has no cookie of ours
    address = reverse("notices-stop", args=[stop_token(user.public_id, NoticeTopic.PLACE)])
    assert stranger.get(address).status_code == 200
    assert NoticeTopic.PLACE in preference_of(user).mail
    assert stranger.post(address, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert NoticeTopic.PLACE not in preference_of(user).mail
    assert stranger.get(reverse("notices-stop", args=["made-up"])).status_code == 404


def test_the_service_worker_is_served_at_the_root_under_the_policy_of_all_pages(
    client: Client,
) -> None:
    answer = client.get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert b"showNotification" in answer.content
