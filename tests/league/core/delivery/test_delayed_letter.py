"""After an outage of the mail server the emails that wait go out at once, and while it lasts only
one of them asks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any, Self
from unittest.mock import patch

import pytest
from django.db import connections
from django.db.models import F
from django.utils import timezone

from league.core.delivery.queries.letter import letters_waiting
from league.core.delivery.services import letter as letter_services
from league.core.delivery.services.letter import (
    ATTEMPTS,
    HELD,
    WAITS,
    delayed_letter_send,
    letter_send,
)
from league.core.delivery.tasks import send_delayed_letter
from league.models import Letter
from league.queues import QUEUED, SCHEDULE


class Dialogue(StreamRequestHandler):
    """One connection to the mail server, command by command (RFC 5321)."""

    server: MailServer

    def handle(self) -> None:
        self.server.connections += 1
        if self.server.fails:
            return
        self.say("220 ready")
        for line in self.rfile:
            self.answer(line.decode().strip())

    def answer(self, command: str) -> None:
        if command.startswith("rcpt") and "unknown" in command:
            self.say("550 no such user")
        elif command == "data":
            self.say("354 go on")
            self.server.taken.append(self.read_message())
            self.say("250 taken")
        else:
            self.say("250 fine")

    def read_message(self) -> str:
        """Return the address that a message is for."""
        lines = [line.decode().strip() for line in iter(self.rfile.readline, b".\r\n")]
        return next(line.removeprefix("To: ") for line in lines if line.startswith("To: "))

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class MailServer(ThreadingTCPServer):
    """A mail server. `fails`: it hangs up on everybody, as it does while it can't work."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Dialogue)
        self.fails = False
        self.connections = 0
        self.taken: list[str] = []

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Self]:
        with cls() as server:
            thread = threading.Thread(target=server.serve_forever, args=[0.01])
            thread.start()
            yield server
            server.shutdown()
            thread.join()


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    """The service's mail server, which takes all emails but those to unknown users."""
    settings.EMAIL_CARRIER = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_USE_TLS = False
    with MailServer.running() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address[:2]
        yield server


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Let no worker hear of calls; return how many wait."""
    waiting: list[str] = []
    monkeypatch.setattr(letter_services, "call", waiting.append)
    return lambda: len(waiting)


@pytest.fixture
def _workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call is worked on at once."""
    monkeypatch.setattr(letter_services, "call", lambda job: send_delayed_letter())


def new_letters(count: int, name: str = "anna") -> list[Letter]:
    return Letter.objects.bulk_create(
        Letter(to=f"{name}-{number}@example.org", subject="Cups", body="up")
        for number in range(count)
    )


def tried_letters(server: MailServer, count: int, attempts: int = 3) -> list[Letter]:
    """Letters whose last attempts met a mail server that failed: they are due in an hour."""
    server.fails = True
    letters = new_letters(count)
    for attempt in range(attempts):
        for letter in letters:
            letter_send(letter_id=letter.pk)
        if attempt < attempts - 1:
            Letter.objects.update(due_at=F("due_at") - WAITS[attempt])
    server.connections = 0
    return letters


def rows() -> list[tuple[str, int, str, datetime]]:
    return list(Letter.objects.order_by("pk").values_list("state", "attempts", "error", "due_at"))


@pytest.mark.django_db
def test_while_the_server_fails_one_email_asks_and_none_comes_closer_to_its_end(
    server: MailServer, calls: Callable[[], int]
) -> None:
    tried_letters(server, 10)
    before = rows()
    for minute in range(1, 30):
        delayed_letter_send()
        assert server.connections == minute
    assert rows() == before
    assert before[0][3] > timezone.now() + timedelta(minutes=59)
    assert calls() == 0


@pytest.mark.django_db
@pytest.mark.usefixtures("_workers")
def test_once_it_works_all_that_waited_are_sent_once(server: MailServer) -> None:
    letters = tried_letters(server, 10)
    server.fails = False
    send_delayed_letter()
    assert sorted(server.taken) == sorted(letter.to for letter in letters)
    assert set(Letter.objects.values_list("state", "error")) == {(Letter.State.SENT, "")}


@pytest.mark.django_db
@pytest.mark.usefixtures("_workers")
def test_a_new_email_that_is_sent_shows_that_the_server_works(server: MailServer) -> None:
    tried_letters(server, 2, attempts=ATTEMPTS - 1)
    server.fails = False
    (letter,) = new_letters(1, "ben")
    letter_send(letter_id=letter.pk)
    assert len(server.taken) == 3


@pytest.mark.django_db
def test_while_nothing_was_delayed_an_email_calls_for_no_other(
    server: MailServer, calls: Callable[[], int]
) -> None:
    for letter in new_letters(2):
        letter_send(letter_id=letter.pk)
    delayed_letter_send()
    assert calls() == 0
    assert server.connections == 2


@pytest.mark.django_db
@pytest.mark.usefixtures("_workers")
def test_an_email_that_was_refused_itself_waits_for_its_time(server: MailServer) -> None:
    (refused,) = new_letters(1, "unknown")
    letter_send(letter_id=refused.pk)
    (letter,) = new_letters(1)
    letter_send(letter_id=letter.pk)
    send_delayed_letter()
    assert server.connections == 2
    refused.refresh_from_db()
    assert (refused.attempts, refused.error) == (1, "SMTPRecipientsRefused")


@pytest.mark.django_db
@pytest.mark.usefixtures("_workers")
def test_one_email_that_always_fails_holds_up_no_other(server: MailServer) -> None:
    letters = tried_letters(server, 5)
    server.fails = False
    fails = letters[0].pk
    send = letter_services._send

    def send_or_fail(letter: Letter) -> str:
        return "SMTPServerDisconnected" if letter.pk == fails else send(letter)

    with patch.object(letter_services, "_send", send_or_fail):
        for _ in range(100):  # minutes
            send_delayed_letter()
    assert len(server.taken) == 4
    assert Letter.objects.get(state=Letter.State.WAITING).pk == fails


@pytest.mark.django_db(transaction=True)
def test_jobs_at_the_same_time_send_each_email_once(
    server: MailServer, calls: Callable[[], int]
) -> None:
    letters = tried_letters(server, 4)
    Letter.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    server.fails = False

    def work(number: int) -> None:
        try:
            if number % 2:
                delayed_letter_send()
            else:
                letter_send(letter_id=letters[number // 2 % 4].pk)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(work, range(40)))
    assert sorted(server.taken) == sorted(letter.to for letter in letters)


class Killed(BaseException):
    """The end of a worker, which no code catches."""


@pytest.mark.django_db
def test_a_worker_that_dies_leaves_the_email_to_the_next_attempt(
    server: MailServer, calls: Callable[[], int]
) -> None:
    (letter,) = tried_letters(server, 1, attempts=ATTEMPTS - 1)
    server.fails = False
    with patch.object(letter_services, "_send", side_effect=Killed), pytest.raises(Killed):
        delayed_letter_send()
    delayed_letter_send()
    letter_send(letter_id=letter.pk)
    assert server.taken == [], "the worker may still have it"
    Letter.objects.update(due_at=F("due_at") - HELD - timedelta(minutes=1))
    assert letters_waiting() == [letter.pk]
    letter_send(letter_id=letter.pk)
    assert server.taken == [letter.to]


def test_it_is_called_each_minute_where_emails_are_sent() -> None:
    assert QUEUED[send_delayed_letter.name] == "mail"
    assert SCHEDULE["send-delayed-letter"]["schedule"] == 60.0
