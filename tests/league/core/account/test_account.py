"""What is forgotten of who signed in."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.account.models import User
from league.core.account.tasks import forget_sign_ins
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db


def test_sessions_that_ended_and_old_wrong_passwords_are_forgotten() -> None:
    for _ in range(2):
        Client().force_login(UserFactory.create())
    ended = Session.objects.earliest("session_key")
    Session.objects.filter(pk=ended.pk).update(expire_date=timezone.now() - timedelta(minutes=1))
    Client().post(reverse("account_login"), {"login": "anna@example.org", "password": "wrong"})
    AccessLog.objects.create(
        user_agent="", ip_address="203.0.113.1", username="anna", http_accept="", path_info="/"
    )
    forget_sign_ins()
    assert Session.objects.count() == 1
    assert (AccessAttempt.objects.count(), AccessLog.objects.count()) == (1, 0)
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(days=2))
    forget_sign_ins()
    assert not AccessAttempt.objects.exists()


def test_who_signs_in_leaves_no_trace_of_when_and_where() -> None:
    user = UserFactory.create(email="anna@example.org")
    user.set_password("seven-cups-and-a-star")
    user.save()
    signed_in = Client().post(
        reverse("account_login"), {"login": "anna@example.org", "password": "seven-cups-and-a-star"}
    )
    assert signed_in.status_code == 302
    assert not AccessLog.objects.exists()


def test_nobody_stays_signed_in_for_more_than_ninety_days() -> None:
    user = UserFactory.create(email="anna@example.org")
    user.set_password("seven-cups-and-a-star")
    user.save()
    fields = {"login": "anna@example.org", "password": "seven-cups-and-a-star"}
    old, new = Client(), Client()
    for browser in (old, new):
        browser.post(reverse("account_login"), fields)
    early = timezone.now() - timedelta(days=91)
    UserSession.objects.filter(session_key=old.session.session_key).update(created_at=early)
    forget_sign_ins()
    assert [browser.get(reverse("account_email")).status_code for browser in (old, new)] == [
        302,
        200,
    ]
    assert UserSession.objects.count() == 1


def test_when_somebody_signed_in_last_is_forgotten_after_ninety_days() -> None:
    for days in (89, 91):
        UserFactory.create(username=f"{days}", last_login=timezone.now() - timedelta(days=days))
    forget_sign_ins()
    assert User.objects.get(username="89").last_login
    assert User.objects.get(username="91").last_login is None


def test_what_is_kept_of_a_session_goes_with_it() -> None:
    user = UserFactory.create()
    UserSession.objects.create(user=user, ip="203.0.113.1", user_agent="x", session_key="gone")
    forget_sign_ins()
    assert not UserSession.objects.exists()
