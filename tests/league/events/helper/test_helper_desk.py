"""Helpers come to one event by a link, a code or their account, and go with it, or by one tap
before."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.core.member.services.member import member_change
from league.disputes.correction import permissions  # noqa: F401 — says who may correct a game
from league.events.helper.actions import HelperAction
from league.events.helper.services import (
    helper_add,
    helper_invitation_accept,
    helper_invitations_forget,
    helper_invite,
)
from league.models import Event, Helper, HelperInvitation, Role, Season, Table, User
from league.stages.course.services.event import event_move
from tests.factories import events
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.logged import without_rows

pytestmark = pytest.mark.django_db

PASSWORD = "three stars and a lie"
ACCOUNT = {"username": "neu", "password": PASSWORD, "password_again": PASSWORD}
HELPERS = "/clubs/stern/desk/events/night-1/helpers/"
COCKPIT = "/clubs/stern/desk/events/night-1/"


@pytest.fixture
def night(season: Season) -> Event:
    return events.event(season, status="running")


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def give(desk: Client, who: str, role: Role = Role.SCORER) -> Any:
    return desk.post(HELPERS, {"who": who, "role": role}, follow=True)


def link_in(html: str) -> str:
    found = re.search(r"http://localhost:8000(/helpers/[\w-]+/)", html)
    assert found
    return found[1]


def roles(event: Event, *, ended: bool = False) -> set[tuple[str, str]]:
    rows = Helper.objects.filter(event=event, ended_at__isnull=not ended)
    return set(rows.values_list("user__username", "role"))


def last_actions(count: int) -> list[str]:
    return list(
        reversed(LogEntry.objects.order_by("-position").values_list("action", flat=True)[:count])
    )


def test_who_has_an_account_helps_at_once(desk: Client, night: Event) -> None:
    UserFactory.create(username="anna")
    assert "anna now has the role Scorer for this event." in text(give(desk, "ANNA@example.org"))
    assert roles(night) == {("anna", "scorer")}
    entry = LogEntry.objects.latest("position")
    assert entry.action == HelperAction.ADDED
    assert without_rows(entry.payload) == {"event": night.public_id, "role": "scorer"}


def test_a_helper_sees_the_tables_of_the_round_that_is_played(desk: Client, night: Event) -> None:
    helper_add(
        event=night, user=UserFactory.create(username="karla"), role=Role.SCORER, actor=events.ACTOR
    )
    events.crowd(night, 4)
    stage = events.stage(night)
    karla = Client()
    karla.force_login(User.objects.get(username="karla"))
    assert "No tables in play" in text(karla.get(COCKPIT))
    events.drawn(stage)
    table = Table.objects.get()
    assert reverse("table-result", args=[table.public_id]) in text(karla.get(COCKPIT))


def test_an_address_gets_a_link_and_who_has_no_account_makes_one_and_lands_in_the_cockpit(
    desk: Client, night: Event, settings: Any
) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    link = link_in(text(give(desk, "neu@example.org", Role.ORGANISER)))
    assert link in mail.outbox[0].body
    helper = Client()
    assert "Your role for this event: Organiser." in text(helper.get(link))
    answer = helper.post(link, ACCOUNT, follow=True)
    assert answer.redirect_chain[-1][0] == COCKPIT
    assert "Welcome to Night-1. Your role for this event: Organiser." in text(answer)
    assert roles(night) == {("neu", "organiser")}
    assert User.objects.get(username="neu").memberships.count() == 0
    assert helper.get(link).status_code == 404, "it works once"
    assert "neu@example.org" not in str(list(LogEntry.objects.values_list("payload", "names")))


def test_a_link_is_for_its_address_alone(desk: Client, night: Event) -> None:
    link = link_in(text(give(desk, "other@example.org")))
    stranger = Client()
    stranger.force_login(UserFactory.create())
    assert "This invitation is for other@example.org" in text(stranger.post(link))
    assert not roles(night)


def code_of(desk: Client) -> str:
    html = text(give(desk, ""))
    code = HelperInvitation.objects.latest("pk").code
    assert code
    assert f"{code[:4]} {code[4:]}" in html
    assert 'class="qr"' in html
    return code


def test_a_code_gives_the_role_to_who_brings_it_first(desk: Client, night: Event) -> None:
    code = code_of(desk)
    helper, late = Client(), Client()
    helper.force_login(UserFactory.create(username="anna"))
    late.force_login(UserFactory.create())
    written = f" {code[:4].lower()}-{code[4:]} "
    answer = helper.post(reverse("helper-code"), {"word": written}, follow=True)
    assert answer.redirect_chain[-1][0] == COCKPIT
    assert "This code is wrong or has already been used." in text(
        late.post(reverse("helper-code"), {"word": code})
    )
    assert roles(night) == {("anna", "scorer")}
    assert code not in str(list(LogEntry.objects.values_list("payload", "names")))


def test_who_brings_a_code_and_has_no_account_proves_the_address_first(
    desk: Client, night: Event, settings: Any
) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    code, helper = code_of(desk), Client()
    assert f'value="{code}"' in text(helper.get(reverse("helper-code"), {"code": code}))
    answer = helper.post(reverse("helper-code"), {"word": code, "email": "neu@example.org"})
    assert "An email is on its way to neu@example.org." in text(answer)
    assert "/helpers/" not in text(answer).partition("<main")[2].partition("</main")[0], (
        "only the letter has the link"
    )
    assert not User.objects.filter(email="neu@example.org").exists()
    helper.post(link_in(str(mail.outbox[0].body)), ACCOUNT)
    assert roles(night) == {("neu", "scorer")}


def test_where_no_letter_can_be_sent_a_code_leads_on_at_once(
    desk: Client, night: Event, settings: Any
) -> None:
    settings.EMAIL_HOST = ""
    helper = Client()
    answer = helper.post(
        reverse("helper-code"), {"word": code_of(desk), "email": "neu@example.org"}
    )
    assert helper.post(answer["Location"], ACCOUNT, follow=True).redirect_chain[-1][0] == COCKPIT
    assert roles(night) == {("neu", "scorer")}


def test_codes_can_not_be_tried_out(night: Event, settings: Any) -> None:
    settings.RATE_LIMITS = {"codes": (3, 600)}
    answers = [
        Client().post(reverse("helper-code"), {"word": "AAAA2222", "email": "a@b.de"})
        for _ in range(4)
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def test_a_role_ends_by_one_tap_and_an_invitation_is_withdrawn_by_one(
    desk: Client, night: Event
) -> None:
    user = UserFactory.create(username="anna")
    give(desk, user.username)
    link = link_in(text(give(desk, "neu@example.org")))
    address = reverse("desk-helper-end", args=["stern", "night-1", user.public_id, "scorer"])
    assert "anna no longer has the role Scorer for this event." in text(
        desk.post(address, follow=True)
    )
    invitation = HelperInvitation.objects.get()
    desk.post(reverse("desk-helper-uninvite", args=["stern", "night-1", invitation.public_id]))
    assert Client().get(link).status_code == 404
    assert (roles(night), roles(night, ended=True)) == (set(), {("anna", "scorer")})
    assert last_actions(2) == [HelperAction.REMOVED, HelperAction.INVITATION_WITHDRAWN]


def test_with_the_event_roles_and_invitations_end_and_the_log_tells(
    desk: Client, night: Event
) -> None:
    user = UserFactory.create(username="anna")
    give(desk, "anna")
    link, code = link_in(text(give(desk, "neu@example.org"))), code_of(desk)
    event_move(event=night, status="cancelled", actor=events.ACTOR)
    assert last_actions(3) == [HelperAction.REMOVED, *[HelperAction.INVITATION_WITHDRAWN] * 2]
    assert Client().get(link).status_code == 404
    helper = Client()
    helper.force_login(user)
    assert helper.get(COCKPIT).status_code == 404
    assert "This code is wrong" in text(helper.post(reverse("helper-code"), {"word": code}))
    assert "This event is over." in text(give(desk, "anna"))
    with pytest.raises(ValidationError, match="over"):
        helper_add(event=night, user=user, role=Role.SCORER, actor=events.ACTOR)


def test_an_organiser_for_one_event_ends_it_and_with_it_the_own_role(night: Event) -> None:
    user = UserFactory.create()
    helper_add(event=night, user=user, role=Role.ORGANISER, actor=events.ACTOR)
    client = Client()
    client.force_login(user)
    answer = client.post(
        reverse("desk-event-step", args=["stern", "night-1", "cancel"]), {"reason": ""}, follow=True
    )
    assert answer.redirect_chain[-1][0] == reverse("event", args=["stern", "night-1"])
    night.refresh_from_db()
    assert (night.status, client.get(COCKPIT).status_code) == ("cancelled", 404)
    moved = LogEntry.objects.filter(action="event.changed").latest("position")
    assert json.loads(moved.payload)["role"] == "event_organiser"


def test_what_a_helper_may_do_ends_with_the_club_too(night: Event, organiser: User) -> None:
    second = MembershipFactory.create(club=night.club).user
    user = MembershipFactory.create(club=night.club, role=Role.PLAYER).user
    helper_add(event=night, user=user, role=Role.SCORER, actor=events.ACTOR)
    helper_add(event=night, user=second, role=Role.ARBITER, actor=events.ACTOR)
    invited, token = helper_invite(
        event=night, role=Role.SCORER, invited_by=second, email="neu@example.org"
    )
    actor = Actor(organiser.pk)
    member_change(club=night.club, user=second, roles=[], actor=actor)
    assert Client().get(reverse("helper-invitation", args=[token])).status_code == 404
    member_change(club=night.club, user=user, roles=[], actor=actor)
    assert not roles(night)
    with pytest.raises(HelperInvitation.DoesNotExist):
        helper_invitation_accept(invitation=invited, user=user)


def test_a_role_given_again_is_one_row(night: Event) -> None:
    user = UserFactory.create()
    for _ in range(2):
        helper_add(event=night, user=user, role=Role.SCORER, actor=events.ACTOR)
    assert LogEntry.objects.filter(action=HelperAction.ADDED).count() == Helper.objects.count() == 1
    with pytest.raises(ValidationError, match="given for a single event"):
        helper_add(event=night, user=user, role=Role.PLAYER, actor=events.ACTOR)


def test_an_organiser_for_one_event_changes_no_other_date_of_a_series(
    night: Event, desk: Client
) -> None:
    user = UserFactory.create()
    helper_add(event=night, user=user, role=Role.ORGANISER, actor=events.ACTOR)
    client = Client()
    client.force_login(user)
    html = text(client.get(reverse("desk-event-settings", args=["stern", "night-1"])))
    assert 'name="later"' not in html
    assert client.get(HELPERS).status_code == 404, "who helps is for the club's organisers"


def test_old_invitations_are_forgotten(night: Event, organiser: User) -> None:
    helper_invite(event=night, role=Role.SCORER, invited_by=organiser)
    HelperInvitation.objects.update(created_at=timezone.now() - timedelta(days=15))
    helper_invitations_forget()
    assert not HelperInvitation.objects.exists()
