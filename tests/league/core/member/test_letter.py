"""Letters: each is sent once, by a job, and its links are forgotten then."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core import mail
from django.core.mail import EmailMessage, send_mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connections, transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.celery_app import app
from league.core.delivery.queries.letter import MOST, letters_waiting, unsent
from league.core.delivery.services.letter import (
    ATTEMPTS,
    HELD,
    KEPT,
    WAITS,
    letter_send,
    letters_forget,
)
from league.core.delivery.tasks import send_letter, sweep_letters
from league.models import Letter
from tests.factories.league import OperatorFactory, UserFactory

LINK = "https://cups.example/accounts/password/reset/key/1-secret/"
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture(autouse=True)
def letter_box(settings: Any) -> None:
    """Mail goes the service's own way, to the outbox at last."""
    settings.EMAIL_BACKEND = "league.core.delivery.services.letter.LetterBox"
    settings.EMAIL_CARRIER = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def letter(db: None) -> Letter:
    send_mail("A new password", LINK, None, ["anna@example.org"])
    return Letter.objects.get()


@pytest.fixture
def silent_server(settings: Any) -> Iterator[None]:
    """A mail server that takes connections and never says a word."""
    settings.EMAIL_CARRIER, settings.EMAIL_TIMEOUT = SMTP, 0.2
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        yield


def time_passes(time: timedelta = timedelta(minutes=1)) -> None:
    Letter.objects.update(due_at=F("due_at") - time)


def refused(error: type[BaseException]) -> Any:
    """For the block, the carrier meets this error."""
    return patch.object(EmailBackend, "send_messages", side_effect=error(LINK))


def test_a_letter_waits_until_its_job_sends_it(letter: Letter) -> None:
    assert (letter.to, letter.subject, letter.body, letter.state) == (
        "anna@example.org",
        "A new password",
        LINK,
        Letter.State.WAITING,
    )
    assert not mail.outbox
    letter_send(letter_id=letter.pk)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject, sent.body) == (["anna@example.org"], "A new password", LINK)
    letter.refresh_from_db()
    assert (letter.state, letter.attempts, letter.ended_at is None) == (Letter.State.SENT, 1, False)
    assert (letter.subject, letter.body) == ("", ""), "what it said is forgotten"


@pytest.mark.django_db
def test_each_address_gets_a_letter_of_its_own() -> None:
    message = EmailMessage(
        "Cups", "up", to=["anna@example.org"], cc=["ben@example.org"], bcc=["zoe@example.org"]
    )
    message.send()
    assert list(Letter.objects.order_by("pk").values_list("to", flat=True)) == message.recipients()


@pytest.mark.django_db
@pytest.mark.parametrize("message", [("Two\nlines", "text"), ("One", b"bytes")])
def test_what_no_server_could_send_is_refused_where_it_is_written(message: tuple[str, Any]) -> None:
    subject, body = message
    email = EmailMessage(subject, "text", to=["anna@example.org"])
    if isinstance(body, bytes):
        email.attach("file", body, "application/octet-stream")
    with pytest.raises(ValueError, match=r"newlines|plain text"):
        email.send()
    assert not Letter.objects.exists()


@pytest.mark.django_db
def test_the_job_is_called_once_the_letter_is_committed(
    django_capture_on_commit_callbacks: Any,
) -> None:
    with patch("league.core.jobs.call") as call, django_capture_on_commit_callbacks(execute=True):
        send_mail("Cups", "up", None, ["anna@example.org"])
        call.assert_not_called()
    call.assert_called_once_with("core.delivery.tasks.send_letter", Letter.objects.get().pk)


@pytest.mark.django_db
def test_a_change_that_fails_sends_no_letter() -> None:
    with transaction.atomic():
        send_mail("Cups", "up", None, ["anna@example.org"])
        transaction.set_rollback(True)
    assert not Letter.objects.exists()


def test_a_page_answers_though_the_mail_server_hangs(
    db: None, client: Client, silent_server: None
) -> None:
    UserFactory.create(email="anna@example.org")
    with patch("smtplib.SMTP.connect") as connect:
        client.post(reverse("account_reset_password"), {"email": "anna@example.org"})
    connect.assert_not_called()
    assert "/accounts/password/reset/key/" in Letter.objects.get().body


@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_delivered_often_sends_once(settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_CARRIER, settings.EMAIL_FILE_PATH = (
        "league.core.frame.secrecy.PrivateFiles",
        tmp_path / "mail",
    )
    send_mail("A new password", LINK, None, ["anna@example.org"])
    letter_id = Letter.objects.get().pk

    def deliver(time: int) -> None:
        try:
            letter_send(letter_id=letter_id)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(deliver, range(8)))
    assert sum(file.read_text().count(LINK) for file in (tmp_path / "mail").iterdir()) == 1


def test_a_letter_whose_call_was_lost_is_found(
    letter: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send_letter, "apply_async", lambda args, **options: send_letter(*args))
    sweep_letters()
    assert not mail.outbox, "its call is on its way"
    time_passes()
    sweep_letters()
    sweep_letters()
    assert len(mail.outbox) == 1


def test_a_sweep_calls_for_a_limited_number(db: None) -> None:
    due = timezone.now() - timedelta(hours=1)
    Letter.objects.bulk_create(Letter(to="a@example.org", due_at=due) for _ in range(MOST + 1))
    assert len(letters_waiting()) == MOST


def test_a_server_that_hangs_ends_an_attempt_and_not_the_letter(
    letter: Letter, silent_server: None
) -> None:
    letter_send(letter_id=letter.pk)
    letter.refresh_from_db()
    assert (letter.state, letter.attempts, letter.body) == (Letter.State.WAITING, 1, LINK)
    assert letter.error in {"TimeoutError", "SMTPServerDisconnected"}
    letter_send(letter_id=letter.pk)
    letter.refresh_from_db()
    assert letter.attempts == 1, "not due yet"


@pytest.mark.parametrize("error", [SoftTimeLimitExceeded, ConnectionRefusedError, ValueError])
def test_a_letter_is_given_up_after_so_many_attempts(
    letter: Letter, error: type[Exception]
) -> None:
    with refused(error):
        for wait in WAITS:
            letter_send(letter_id=letter.pk)
            assert letters_waiting() == []
            time_passes(wait)
        letter.refresh_from_db()
        assert (letter.state, letter.body) == (Letter.State.WAITING, LINK)
        letter_send(letter_id=letter.pk)
    letter.refresh_from_db()
    assert (letter.state, letter.attempts, letter.error) == (
        Letter.State.FAILED,
        ATTEMPTS,
        error.__name__,
    )
    time_passes(timedelta(days=1))
    letter_send(letter_id=letter.pk)
    assert not mail.outbox
    assert letters_waiting() == []


def test_it_is_sent_by_the_next_attempt(letter: Letter) -> None:
    with refused(ConnectionResetError):
        letter_send(letter_id=letter.pk)
    time_passes(WAITS[0])
    letter_send(letter_id=letter.pk)
    letter.refresh_from_db()
    assert (letter.state, letter.attempts, letter.error) == (Letter.State.SENT, 2, "")


class Killed(BaseException):
    """The end of a worker, which no code catches."""


def test_a_letter_that_kills_every_worker_is_given_up(letter: Letter) -> None:
    with refused(Killed):
        for _ in range(ATTEMPTS):
            with pytest.raises(Killed):
                letter_send(letter_id=letter.pk)
            time_passes(HELD)
        letter_send(letter_id=letter.pk)
    letter.refresh_from_db()
    assert (letter.state, letter.body, letter.error) == (Letter.State.FAILED, "", "Killed")


def test_a_letter_is_left_alone_until_its_worker_must_be_dead(settings: Any) -> None:
    job = app.tasks["league.core.delivery.tasks.send_letter"]
    assert job.soft_time_limit > settings.EMAIL_TIMEOUT
    assert timedelta(seconds=job.time_limit) < HELD


@pytest.mark.parametrize("error", [None, ConnectionRefusedError])
def test_the_link_is_nowhere_afterwards(
    letter: Letter,
    error: type[Exception] | None,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    if error is None:
        letter_send(letter_id=letter.pk)
    else:
        Letter.objects.update(attempts=ATTEMPTS - 1)
        with refused(error):
            letter_send(letter_id=letter.pk)
    assert "secret" not in str(list(Letter.objects.values()))
    assert "secret" not in caplog.text + "".join(capfd.readouterr())


def test_addresses_are_forgotten_some_time_after_the_end(letter: Letter) -> None:
    Letter.objects.update(written_at=timezone.now() - KEPT * 2)
    letters_forget()
    assert Letter.objects.exists(), "it waits"
    letter_send(letter_id=letter.pk)
    letters_forget()
    assert Letter.objects.exists(), "it is new"
    Letter.objects.update(ended_at=timezone.now() - KEPT - timedelta(minutes=1))
    letters_forget()
    assert not Letter.objects.exists()


@pytest.mark.usefixtures("mail_server")
def test_operators_see_what_waits_and_what_was_given_up(letter: Letter, client: Client) -> None:
    client.force_login(OperatorFactory.create())
    state = [Letter.State.SENT, Letter.State.FAILED, Letter.State.FAILED]
    Letter.objects.bulk_create(
        Letter(to="a@example.org", state=one, error="TimeoutError") for one in state
    )
    assert [(group.state, group.count, group.errors) for group in unsent()] == [
        (Letter.State.WAITING, 1, []),
        (Letter.State.FAILED, 2, ["TimeoutError"]),
    ]
    html = client.get("/service/").content.decode()
    assert "TimeoutError" in html
    assert "secret" not in html
    Letter.objects.all().delete()
    assert "all emails have been sent" in client.get("/service/").content.decode()
