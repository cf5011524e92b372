"""The demo's published password opens nothing once other machines reach the service."""

from typing import Any

import pytest

from league.demo.accounts import ACCOUNTS, PASSWORD, demo_password, demo_passwords_set
from league.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def accounts(settings: Any) -> None:
    """Accounts as `make demo` makes them on one machine."""
    settings.ONLY_HERE = True
    for name, email, _ in ACCOUNTS:
        User.objects.create_user(name, email, demo_password(name))


def opens(name: str, password: str) -> bool:
    return User.objects.get(username=name).check_password(password)


def test_on_one_machine_the_password_is_the_published_one() -> None:
    assert all(opens(name, PASSWORD) for name, _, _ in ACCOUNTS)


def test_on_a_network_each_account_gets_its_own(settings: Any) -> None:
    settings.ONLY_HERE = False
    demo_passwords_set()
    passwords = {name: demo_password(name) for name, _, _ in ACCOUNTS}
    assert len(set(passwords.values())) == len(ACCOUNTS)
    for name, password in passwords.items():
        assert not opens(name, PASSWORD)
        assert opens(name, password)


def test_back_on_one_machine_it_is_the_published_one_again(settings: Any) -> None:
    settings.ONLY_HERE = False
    demo_passwords_set()
    settings.ONLY_HERE = True
    demo_passwords_set()
    assert opens("organiser", PASSWORD)


def test_a_password_that_somebody_chose_stays(settings: Any) -> None:
    user = User.objects.get(username="organiser")
    user.set_password("three stars and a lie")
    user.save()
    settings.ONLY_HERE = False
    demo_passwords_set()
    assert opens("organiser", "three stars and a lie")
