"""What is forgotten of who signed in."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.clubs.tasks import forget_sign_ins
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db


def test_sessions_that_ended_and_old_wrong_passwords_are_forgotten() -> None:
    for _ in range(2):
        Client().force_login(UserFactory.create())
    ended = Session.objects.earliest("session_key")
    Session.objects.filter(pk=ended.pk).update(expire_date=timezone.now() - timedelta(minutes=1))
    Client().post(reverse("account_login"), {"login": "anna@example.org", "password": "wrong"})
    AccessLog.objects.create(user_agent="", ip_address="203.0.113.1", username="anna", http_accept="", path_info="/")
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
