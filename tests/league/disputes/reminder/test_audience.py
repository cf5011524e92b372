"""Who is told that a case waits: a second arbiter for a draft, whom the seats agreed on, or who can
invite somebody."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game
from league.core.log.services import Actor
from league.disputes.appeal.services import appeal_draft_discard
from league.disputes.arbiter.services import arbiter_accept, arbiter_assent, arbiter_invite
from league.disputes.reminder.models import DisputeCase
from league.models import Appeal, Membership, Player, Role, User
from league.notices.notice.queries.notice import notice_text
from tests.factories.league import UserFactory
from tests.league.disputes.reminder.cases import (
    CASES,
    WORD,
    CaseLaws,
    appeal,
    draft,
    member,
    notices_told,
    objection,
    people_told,
    remind,
)

pytestmark = pytest.mark.django_db
WAITS, LATE = CASES["appeal"].waits, CASES["appeal"].late


@pytest.fixture
def appealed(played: Game, ruler: User, second: User) -> Appeal:
    """An appeal that two arbiters can decide."""
    return appeal(played, ruler)


def agree_on(game: Game, sitters: list[User], outsider: User) -> None:
    """Let all seats agree on somebody from outside."""
    invitation, _ = arbiter_invite(game=game, actor=Actor(sitters[0].pk))
    arbiter_accept(invitation=invitation, user=outsider, close_to=[], actor=Actor(outsider.pk))
    for seat, sitter in enumerate(sitters):
        arbiter_assent(invitation=invitation, seat=seat, actor=Actor(sitter.pk))


def bodies(game: Game, occasion: str) -> set[str]:
    return {notice_text(notice).body for notice in notices_told(game, occasion)}


def test_a_draft_waits_for_a_second_arbiter_and_says_so(
    appealed: Appeal, played: Game, ruler: User
) -> None:
    draft(appealed, ruler)
    remind(3)
    remind(7)
    for occasion in (WAITS, LATE):
        assert people_told(played, occasion) == {"second"}, "nobody agrees with the own draft"
        (body,) = bodies(played, occasion)
        assert "An arbiter has drafted a decision" in body


def test_where_both_have_drafted_both_are_told(
    appealed: Appeal, played: Game, ruler: User, second: User
) -> None:
    draft(appealed, ruler)
    draft(appealed, second)
    remind(3)
    assert people_told(played, WAITS) == {"ruler", "second"}


def test_a_draft_that_is_gone_is_told_no_more(appealed: Appeal, played: Game, ruler: User) -> None:
    appeal_draft_discard(draft=draft(appealed, ruler))
    remind(3)
    assert people_told(played, WAITS) == {"ruler", "second"}
    (body,) = bodies(played, WAITS)
    assert "draft a decision on the case’s page" in body


def test_a_draft_of_an_arbiter_who_left_waits_for_the_one_who_is_there(
    appealed: Appeal, played: Game, ruler: User
) -> None:
    draft(appealed, ruler)
    Membership.objects.filter(user=ruler).delete()
    remind(3)
    assert people_told(played, WAITS) == {"second"}
    (body,) = bodies(played, WAITS)
    assert "An arbiter has drafted a decision" in body


@pytest.mark.parametrize("kind", ["objection", "appeal"])
def test_the_arbiter_on_whom_the_seats_agreed_is_reminded_alone_and_then_all_are(
    played: Game, sitters: list[User], ruler: User, second: User, kind: str
) -> None:
    laws = CASES[kind]
    laws.begin(played, ruler)
    agree_on(played, sitters, UserFactory.create(username="outsider"))
    remind(3)
    remind(7)
    assert people_told(played, laws.waits) == {"outsider"}
    assert people_told(played, laws.late) == {"outsider", "ruler", "second"}


def test_that_arbiter_decides_an_appeal_alone(
    appealed: Appeal, played: Game, sitters: list[User], ruler: User
) -> None:
    outsider = UserFactory.create(username="outsider")
    agree_on(played, sitters, outsider)
    draft(appealed, ruler)
    remind(7)
    text = {notice.user: notice_text(notice).body for notice in notices_told(played, LATE)}
    assert "All players agreed on you, so you decide it alone." in text[outsider]
    assert all("alone" not in body for user, body in text.items() if user != outsider)


def test_where_every_arbiter_played_organisers_are_told_to_invite_somebody(
    case: DisputeCase, played: Game, laws: CaseLaws, sitters: list[User]
) -> None:
    Membership.objects.all().delete()
    member(played, Role.ORGANISER, sitters[0])
    member(played, Role.ARBITER, sitters[1])
    remind(3)
    remind(7)
    for occasion in (laws.waits, laws.late):
        assert people_told(played, occasion) == {"sat-0"}
        (body,) = bodies(played, occasion)
        assert "invite somebody from outside whom all players agree on" in body


def test_one_arbiter_is_too_few_for_an_appeal(
    appealed: Appeal, played: Game, sitters: list[User], second: User
) -> None:
    Membership.objects.filter(user=second).delete()
    member(played, Role.ORGANISER, sitters[0])
    remind(3)
    (notice,) = notices_told(played, WAITS)
    assert notice.user == sitters[0]
    assert "It takes two arbiters" in notice_text(notice).body


@pytest.mark.parametrize(
    ("kind", "waits", "late", "begin"),
    [
        (
            "objection",
            "An objection has been waiting for 4 days",
            "An objection is still undecided after 7 days",
            "It was raised for ",
        ),
        (
            "hearing",
            "A hearing has been waiting for 4 days",
            "A hearing is still open after 7 days",
            "It was opened on ",
        ),
        (
            "appeal",
            "An appeal has been waiting for 4 days",
            "An appeal is still undecided after 7 days",
            "It was raised on ",
        ),
    ],
)
def test_the_notice_says_how_long_it_waits_and_leads_to_the_case(
    played: Game, ruler: User, second: User, kind: str, waits: str, late: str, begin: str
) -> None:
    laws = CASES[kind]
    laws.begin(played, ruler)
    remind(4)
    remind(7)
    for occasion, title in ((laws.waits, waits), (laws.late, late)):
        for notice in notices_told(played, occasion):
            text = notice_text(notice)
            assert notice.event is not None
            assert text.title == f"{title}: {notice.event.name}"
            assert text.path == reverse("game-case", args=[played.public_id])
            assert text.body.startswith(begin)
            assert WORD not in text.body
    if kind == "appeal":
        assert "against ruling 1" in text.body


def test_an_objection_names_its_seat_unless_the_player_is_unknown(
    played: Game, ruler: User
) -> None:
    objection(played, ruler)
    name = Player.objects.get(handle=played.seats.get(number=0).handle).name
    remind(3)
    (notice,) = notices_told(played, CASES["objection"].waits)
    assert f"It was raised for {name} on " in notice_text(notice).body
    notice.parameters["seats"] = []
    assert "It was raised on " in notice_text(notice).body
