"""Devices and preferences: whose browser shows what, and where the service lets itself be sent."""

from base64 import urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ValidationError

from league.core.delivery.queries.preference import preference_of, preferences_of
from league.core.delivery.services.preference import (
    preference_set,
    stop_token,
    stop_token_read,
    topic_stop,
)
from league.core.delivery.services.subscription import MOST, subscription_drop, subscription_save
from league.environment.derived import push_secret
from league.models import NoticeTopic, PushSubscription, User
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db
ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc:def"


def keys() -> dict[str, str]:
    numbers = ec.generate_private_key(ec.SECP256R1()).public_key().public_numbers()
    point = b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    return {"p256dh": plain(point), "auth": plain(b"0123456789abcdef")}


def plain(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()


@pytest.fixture
def user() -> User:
    user: User = UserFactory.create()
    return user


@pytest.mark.parametrize(
    "endpoint",
    [
        ENDPOINT,
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://web.push.apple.com/QGuQyavXutnMH",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d",
        "https://fcm.googleapis.com:443/fcm/send/abc",
    ],
)
def test_the_push_services_of_browsers_are_accepted(endpoint: str, user: User) -> None:
    subscription_save(user=user, endpoint=endpoint, **keys())
    assert PushSubscription.objects.get().endpoint == endpoint


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://fcm.googleapis.com/fcm/send/abc",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://[::1]/",
        "https://[::1",
        "https://169.254.169.254/latest/meta-data",
        "https://postgres:5432/",
        "https://fcm.googleapis.com.evil.example/",
        "https://evilfcm.googleapis.com/",
        "https://evil-notify.windows.com/",
        "https://fcm.googleapis.com@127.0.0.1/",
        "https://user@fcm.googleapis.com/",
        "https://fcm.googleapis.com:8443/",
        "https://fcm.googleapis.com:port/",
        "https://10.0.0.5\\.fcm.googleapis.com/",
        "https://10.0.0.5\\@fcm.googleapis.com/",
        "https://10.0.0.5#.fcm.googleapis.com/",
        "https://10.0.0.5%2f.fcm.googleapis.com/",
        "https://10.0.0.5;.fcm.googleapis.com/",
        "https://fcm.googleapis.com/\r\nHost: inside",
        "https://fcm.googleapis.com/ü",
        "https://fcm.googleapis.com/" + "a" * 1000,
        "file:///etc/passwd",
        "//fcm.googleapis.com/",
    ],
)
def test_no_other_address_is_ever_asked(endpoint: str, user: User) -> None:
    with pytest.raises(ValidationError):
        subscription_save(user=user, endpoint=endpoint, **keys())
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "broken",
    [
        {"p256dh": ""},
        {"p256dh": "no key"},
        {"p256dh": plain(b"\x04" + b"\x01" * 64)},
        {"p256dh": "A" * 200},
        {"auth": ""},
        {"auth": "A" * 100},
    ],
)
def test_keys_by_which_nothing_can_be_encrypted_are_refused(
    user: User, broken: dict[str, str]
) -> None:
    with pytest.raises(ValidationError):
        subscription_save(user=user, endpoint=ENDPOINT, **(keys() | broken))


def test_a_browser_belongs_to_whoever_added_it_last(user: User) -> None:
    subscription_save(user=user, endpoint=ENDPOINT, **keys())
    other: User = UserFactory.create()
    subscription_save(user=other, endpoint=ENDPOINT, **keys())
    assert PushSubscription.objects.get().user == other
    assert not subscription_drop(user=user, endpoint=ENDPOINT), "it is another's"
    assert subscription_drop(user=other, endpoint=ENDPOINT)


def test_one_device_too_many_takes_the_place_of_the_oldest(user: User) -> None:
    for number in range(MOST + 2):
        subscription_save(user=user, endpoint=f"{ENDPOINT}{number}", **keys())
    left = list(PushSubscription.objects.values_list("endpoint", flat=True))
    assert left == [f"{ENDPOINT}{number}" for number in range(2, MOST + 2)]


def test_who_hasnt_chosen_gets_letters_but_none_for_each_round(user: User) -> None:
    preference = preference_of(user)
    assert NoticeTopic.PLACE in preference.mail
    assert NoticeTopic.TABLE not in preference.mail
    assert set(preference.push) == set(NoticeTopic.values)
    assert preferences_of([user.pk])[user.pk].mail == preference.mail


def test_a_choice_is_kept_without_topics_that_there_are_not(user: User) -> None:
    preference_set(user=user, mail=["table", "bogus"], push=[])
    preference_set(user=user, mail=["table", "bogus"], push=[])
    assert (preference_of(user).mail, preference_of(user).push) == (["table"], [])


def test_a_stopped_topic_comes_no_longer_and_all_else_stays(user: User) -> None:
    topic_stop(user=user, topic=NoticeTopic.PLACE)
    topic_stop(user=user, topic=NoticeTopic.PLACE)
    assert preference_of(user).mail == [NoticeTopic.DATE, NoticeTopic.MESSAGE, NoticeTopic.TURN]
    assert set(preference_of(user).push) == set(NoticeTopic.values)


def test_the_address_in_a_letter_names_its_reader_and_topic_and_nobody_can_make_one(
    user: User,
) -> None:
    token = stop_token(user.public_id, NoticeTopic.DATE)
    assert stop_token_read(token) == (user, NoticeTopic.DATE)
    with pytest.raises(User.DoesNotExist):
        stop_token_read(token[:-1] + ("a" if token[-1] != "a" else "b"))


def test_the_key_of_pushes_follows_from_the_services_secret() -> None:
    assert push_secret("one") == push_secret("one") != push_secret("two")
    assert len(push_secret("one")) == 43
