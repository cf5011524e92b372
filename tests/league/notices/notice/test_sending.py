"""Sending notices: a letter once, a device at least once with one tag, and an end in writing for
each."""

import json
import socket
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias
from unittest.mock import patch

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core import mail
from django.db import connections
from django.db.models import F
from django.utils import translation
from py_vapid import Vapid02

from league.core.delivery.services.letter import letter_send
from league.core.delivery.services.preference import preference_set
from league.core.delivery.services.push import push_key
from league.core.log.receipt import receipt_text
from league.events.entry.services.entry import entry_withdraw
from league.models import (
    Club,
    Entry,
    Letter,
    LogEntry,
    Notice,
    NoticeSending,
    NoticeTopic,
    PushSubscription,
    Season,
    User,
)
from league.notices.notice.queries.notice import sendings_waiting
from league.notices.notice.services.sending import ATTEMPTS, TOO_LATE, sending_mail, sending_push
from league.stages.round.services import round_take_back
from tests.factories import events, notices

pytestmark = pytest.mark.django_db
State: TypeAlias = NoticeSending.State
Channel: TypeAlias = NoticeSending.Channel


@pytest.fixture(autouse=True)
def letter_box(settings: Any) -> None:
    """Mail goes the service's own way, to the outbox at last."""
    settings.EMAIL_BACKEND = "league.core.delivery.services.letter.LetterBox"
    settings.EMAIL_CARRIER = "django.core.mail.backends.locmem.EmailBackend"
    settings.PUBLIC_ORIGIN = "https://cups.example"


class PushService(ThreadingHTTPServer):
    """Stands in for a browser's push service: keeps what it gets and answers with `status`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status, self.location = 201, ""
        self.requests: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/push/1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, PushService)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.requests.append(
            (self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        )
        self.send_response(server.status)
        if server.location:
            self.send_header("Location", server.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


@pytest.fixture
def push_service() -> Iterator[PushService]:
    with PushService() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


class Browser:
    """The keys of a browser, by which it reads what is pushed to it."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        numbers = self.key.public_key().public_numbers()
        point = b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
        self.secret = b"0123456789abcdef"
        self.p256dh, self.auth = plain(point), plain(self.secret)

    def read(self, body: bytes) -> dict[str, str]:
        text = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        pushed: dict[str, str] = json.loads(text)
        return pushed


def plain(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()


@pytest.fixture
def browser() -> Browser:
    return Browser()


@pytest.fixture
def user(club: Club) -> User:
    (player,) = notices.people(club, 1)
    assert player.user
    return player.user


@pytest.fixture
def device(user: User, browser: Browser, push_service: PushService) -> PushSubscription:
    return notices.device(user, push_service.endpoint, browser.p256dh, browser.auth)


def entered(season: Season, user: User) -> None:
    """The account's player gets a place, and the log is read."""
    events.enter(events.event(season, venue="The cellar"), list(user.players.all()), check_in=False)
    notices.read(season.club)


def sending(channel: Channel) -> NoticeSending:
    return NoticeSending.objects.select_related("notice").get(channel=channel)


def state(channel: Channel) -> tuple[str, int, str]:
    row = sending(channel)
    return row.state, row.attempts, row.error


def push() -> None:
    sending_push(sending_id=sending(Channel.PUSH).pk)


def time_passes(time: timedelta = timedelta(hours=1)) -> None:
    NoticeSending.objects.update(due_at=F("due_at") - time)


def test_a_notice_becomes_a_letter_with_an_address_that_stops_such_letters(
    season: Season, user: User
) -> None:
    entered(season, user)
    row = sending(Channel.MAIL)
    sending_mail(sending_id=row.pk)
    assert state(Channel.MAIL) == (State.SENT, 1, "")
    letter = Letter.objects.get()
    assert letter.to == user.email
    assert letter.subject == "You have a place: Night-1"
    assert "The cellar" in letter.body
    assert "https://cups.example/clubs/stern/events/night-1/" in letter.body
    assert letter.unsubscribe in letter.body
    letter_send(letter_id=letter.pk)
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe"] == f"<{letter.unsubscribe}>"
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    letter.refresh_from_db()
    assert letter.unsubscribe == ""


def test_a_letter_is_in_the_clubs_language_and_its_time_zone(season: Season, user: User) -> None:
    Club.objects.update(language="de", timezone="Asia/Tokyo")
    entered(season, user)
    with translation.override("nl"):
        sending_mail(sending_id=sending(Channel.MAIL).pk)
    letter = Letter.objects.get()
    assert letter.subject == "Du hast einen Platz: Night-1"
    assert "4. Dezember 2099 03:30" in letter.body


def test_a_letter_is_written_once_however_often_its_job_runs(season: Season, user: User) -> None:
    entered(season, user)
    for _ in range(3):
        sending_mail(sending_id=sending(Channel.MAIL).pk)
        time_passes()
    assert Letter.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_jobs_at_once_write_one_letter(season: Season, user: User) -> None:
    entered(season, user)
    row = sending(Channel.MAIL)

    def work(time: int) -> None:
        try:
            sending_mail(sending_id=row.pk)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(work, range(8)))
    assert Letter.objects.count() == 1


def test_a_letter_that_cannot_be_written_is_tried_again_and_given_up_at_last(
    season: Season, user: User
) -> None:
    entered(season, user)
    with patch(
        "league.notices.notice.services.sending._letter", side_effect=ValueError("secret words")
    ):
        for _ in range(ATTEMPTS):
            sending_mail(sending_id=sending(Channel.MAIL).pk)
            time_passes()
    assert state(Channel.MAIL) == (State.FAILED, ATTEMPTS, "ValueError")
    assert not Letter.objects.exists()


def test_what_is_not_wanted_is_not_sent(
    season: Season, user: User, device: PushSubscription
) -> None:
    preference_set(user=user, mail=[], push=[NoticeTopic.TABLE])
    entered(season, user)
    assert {row.state for row in NoticeSending.objects.all()} == {State.UNWANTED}


def test_who_stops_letters_before_the_job_comes_gets_none(season: Season, user: User) -> None:
    entered(season, user)
    preference_set(user=user, mail=[], push=[])
    sending_mail(sending_id=sending(Channel.MAIL).pk)
    assert state(Channel.MAIL)[0] == State.UNWANTED
    assert not Letter.objects.exists()


def test_a_device_reads_what_the_push_service_cannot(
    season: Season,
    user: User,
    device: PushSubscription,
    browser: Browser,
    push_service: PushService,
) -> None:
    entered(season, user)
    push()
    assert state(Channel.PUSH) == (State.SENT, 1, "")
    ((path, headers, body),) = push_service.requests
    tag = sending(Channel.PUSH).notice.public_id
    assert path == "/push/1"
    assert (headers["topic"], headers["content-encoding"]) == (tag, "aes128gcm")
    assert int(headers["ttl"]) > 0
    assert b"cellar" not in body
    pushed = browser.read(body)
    assert pushed["title"] == "You have a place: Night-1"
    assert pushed["url"] == "/clubs/stern/events/night-1/"
    assert (pushed["tag"], pushed["lang"]) == (tag, "en")


def test_the_push_service_can_tell_that_it_is_us(
    season: Season, user: User, device: PushSubscription, push_service: PushService
) -> None:
    entered(season, user)
    push()
    header = push_service.requests[0][1]["authorization"]
    assert header.endswith(f",k={push_key()}")
    assert len(urlsafe_b64decode(push_key() + "==")) == 65
    assert Vapid02.verify(header)


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_dropped(
    season: Season, user: User, device: PushSubscription, push_service: PushService, status: int
) -> None:
    push_service.status = status
    entered(season, user)
    push()
    assert state(Channel.PUSH) == (State.GONE, 1, str(status))
    assert not PushSubscription.objects.exists()


def test_a_device_removed_before_the_job_came_gets_nothing(
    season: Season, user: User, device: PushSubscription, push_service: PushService
) -> None:
    entered(season, user)
    device.delete()
    push()
    assert state(Channel.PUSH)[0] == State.GONE
    assert push_service.requests == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_push_service_in_trouble_is_asked_again_and_given_up_at_last(
    season: Season, user: User, device: PushSubscription, push_service: PushService, status: int
) -> None:
    push_service.status = status
    entered(season, user)
    push()
    assert state(Channel.PUSH) == (State.WAITING, 1, str(status))
    push()
    assert len(push_service.requests) == 1, "not due yet"
    for _ in range(ATTEMPTS):
        time_passes()
        push()
    assert state(Channel.PUSH) == (State.FAILED, ATTEMPTS, str(status))
    assert len(push_service.requests) == ATTEMPTS


@pytest.mark.parametrize("status", [400, 403, 413])
def test_what_a_push_service_refuses_is_not_asked_again(
    season: Season, user: User, device: PushSubscription, push_service: PushService, status: int
) -> None:
    push_service.status = status
    entered(season, user)
    push()
    assert state(Channel.PUSH) == (State.FAILED, 1, str(status))


@pytest.mark.parametrize("status", [302, 307])
def test_nothing_follows_a_redirect(
    season: Season, user: User, device: PushSubscription, push_service: PushService, status: int
) -> None:
    push_service.status, push_service.location = status, "/inside"
    entered(season, user)
    push()
    assert [path for path, _, _ in push_service.requests] == ["/push/1"]
    assert state(Channel.PUSH) == (State.FAILED, 1, str(status))


def test_a_push_service_that_hangs_holds_up_no_job_for_long(
    season: Season, user: User, device: PushSubscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.core.delivery.services.push.SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        PushSubscription.objects.update(endpoint=f"http://127.0.0.1:{silent.getsockname()[1]}/")
        entered(season, user)
        push()
    assert state(Channel.PUSH) == (State.WAITING, 1, "ReadTimeout")


def test_every_job_of_pushing_is_on_a_queue_of_its_own() -> None:
    assert settings.QUEUED["league.notices.notice.tasks.push_notice"] == "push"
    assert [job for job, queue in settings.QUEUED.items() if queue == "push"] == [
        "league.notices.notice.tasks.push_notice"
    ]


def test_a_worker_killed_in_the_middle_pushes_once_more_with_the_same_tag(
    season: Season, user: User, device: PushSubscription, push_service: PushService
) -> None:
    entered(season, user)
    with (
        patch("league.notices.notice.services.sending._end", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        push()
    time_passes()
    push()
    first, second = (headers["topic"] for _, headers, _ in push_service.requests)
    assert first == second
    assert state(Channel.PUSH) == (State.SENT, 2, "")


def test_a_worker_that_is_always_killed_is_not_asked_for_ever(
    season: Season, user: User, device: PushSubscription, push_service: PushService
) -> None:
    entered(season, user)
    NoticeSending.objects.update(attempts=ATTEMPTS)
    push()
    assert state(Channel.PUSH) == (State.FAILED, ATTEMPTS, "Killed")
    assert push_service.requests == []


def test_old_news_is_not_pushed(
    season: Season, user: User, device: PushSubscription, push_service: PushService
) -> None:
    entered(season, user)
    row = sending(Channel.PUSH).notice
    row.created_at -= TOO_LATE * 2
    row.save()
    push()
    assert state(Channel.PUSH) == (State.FAILED, 0, "Late")
    assert push_service.requests == []


def test_sendings_whose_call_was_lost_are_found(
    season: Season, user: User, device: PushSubscription
) -> None:
    entered(season, user)
    assert sendings_waiting() == [], "their calls are on their way"
    time_passes(timedelta(minutes=1))
    assert {channel for _, channel in sendings_waiting()} == {"mail", "push"}


def test_a_letter_of_a_place_that_was_given_up_is_not_written(season: Season, user: User) -> None:
    entered(season, user)
    entry_withdraw(entry=Entry.objects.get(), actor=events.ACTOR, by_owner=True)
    sending_mail(sending_id=sending(Channel.MAIL).pk)
    assert state(Channel.MAIL) == (State.UNWANTED, 0, "Outdated")
    assert not Letter.objects.exists()


@pytest.mark.usefixtures("device")
def test_a_table_of_a_round_that_was_taken_back_is_told_to_nobody(
    season: Season, user: User
) -> None:
    night = events.event(season, status="running")
    events.enter(night, [*user.players.all(), *events.players(season.club, 3)])
    stage_round = events.drawn(events.stage(night))
    notices.read(season.club)
    row = NoticeSending.objects.get(channel=Channel.PUSH, notice__occasion=Notice.Occasion.TABLE)
    round_take_back(stage_round=stage_round, actor=events.ACTOR)
    sending_push(sending_id=row.pk)
    row.refresh_from_db()
    assert (row.state, row.error) == (State.UNWANTED, "Outdated")


@pytest.mark.usefixtures("device")
def test_a_letter_and_a_device_get_the_receipt_of_a_draw(
    season: Season, user: User, browser: Browser, push_service: PushService
) -> None:
    preference_set(user=user, mail=[NoticeTopic.TABLE], push=[NoticeTopic.TABLE])
    night = events.event(season, status="running")
    events.enter(night, [*user.players.all(), *events.players(season.club, 3)])
    events.drawn(events.stage(night))
    notices.read(season.club)
    notice = Notice.objects.get(occasion=Notice.Occasion.TABLE)
    receipt = receipt_text(LogEntry.objects.get(club=season.club, position=notice.position))
    assert "draw published" in receipt
    mail_row, push_row = notice.sendings.order_by("channel")
    sending_mail(sending_id=mail_row.pk)
    letter = Letter.objects.get()
    assert f"\n{receipt}\n" in letter.body
    assert "https://cups.example/docs/log#receipt" in letter.body
    sending_push(sending_id=push_row.pk)
    ((_, _, body),) = push_service.requests
    assert browser.read(body)["body"].splitlines()[-1] == receipt
