"""The list of an event on which one taps the own name: at once by the wall’s code, else once an
organiser taps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.claim.services import claim_codes_make, claim_end
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.events.entry.actions import EntryAction
from league.events.helper.services import helper_add
from league.events.wall_list.services import MOST_FOR_A_NAME, claim_requests_forget, wall_code
from league.models import Claim, ClaimCode, ClaimRequest, Entry, Event, Role, Season, User, WallCode
from league.stages.course.services.event import event_move
from tests.factories import events
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.night import _same_chance, desk, organiser, season

__all__ = ["_same_chance", "desk", "organiser", "season"]
pytestmark = pytest.mark.django_db
FRAGMENT = {"HX-Request": "true"}


@dataclass
class Night:
    """A running event with two who are checked in, and one who isn't."""

    event: Event
    anna: Entry
    ben: Entry
    away: Entry

    @property
    def at(self) -> list[str]:
        return [self.event.club.slug, self.event.slug]

    @property
    def wall(self) -> str:
        return reverse("event-wall", args=[*self.at, wall_code(self.event).code])

    @property
    def page(self) -> str:
        return reverse("event-claim", args=self.at)

    @property
    def desk(self) -> str:
        return reverse("desk-claims", args=self.at)


@pytest.fixture
def night(season: Season) -> Night:
    event = events.event(season, status=Event.Status.RUNNING)
    anna, ben = events.enter(event, events.players(season.club, 2))
    (away,) = events.enter(event, events.players(season.club, 1, prefix="late"), check_in=False)
    return Night(event, anna, ben, away)


def text(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def tap(phone: Client, page: str, entry: Entry) -> Any:
    key = phone.get(page, follow=True).context["form"]["key"].value()
    return phone.post(page, {"entry": entry.public_id, "key": key})


def asks(night: Night, entry: Entry) -> tuple[Client, ClaimRequest]:
    """A phone that tapped a name without the wall's code, and what it waits for."""
    phone = Client()
    assert tap(phone, night.page, entry)["Location"] == night.page
    return phone, ClaimRequest.objects.latest("pk")


def answer_to(client: Client, night: Night, asked: ClaimRequest, do: str) -> str:
    step = reverse("desk-claim-step", args=[*night.at, asked.public_id])
    return text(client.post(step, {"do": do}, follow=True))


class TestWall:
    """By the code of the wall one tap is enough."""

    def test_one_tap_after_the_scan_a_phone_is_the_player(self, night: Night) -> None:
        phone = Client()
        html = text(phone.get(night.wall))
        assert night.anna.public_id in html
        assert night.away.public_id not in html, "who wasn't seen yet can't be claimed"
        assert tap(phone, night.wall, night.anna)["Location"] == reverse("my-tables")
        assert Claim.objects.get().way == Claim.Way.LIST
        assert phone.get(reverse("my-tables")).status_code == 200

    def test_nobody_takes_a_name_that_is_taken_or_not_there(self, night: Night) -> None:
        tap(Client(), night.wall, night.anna)
        for entry in (night.anna, night.away):
            assert "isn’t checked in" in text(Client().post(night.wall, {"entry": entry.public_id}))
        assert Client().post(night.wall, {"entry": "x" * 400}).status_code == 200
        assert Claim.objects.count() == 1

    def test_a_tap_that_comes_twice_counts_once(self, night: Night) -> None:
        sent = {
            "entry": night.anna.public_id,
            "key": Client().get(night.wall).context["form"]["key"].value(),
        }
        assert [Client().post(night.wall, sent)["Location"] for _ in range(2)] == [
            reverse("my-tables")
        ] * 2
        assert Claim.objects.count() == 1

    def test_an_old_code_and_a_made_up_one_lead_to_the_list_without_it(
        self, night: Night, desk: Client
    ) -> None:
        old = night.wall
        said = text(desk.post(night.desk, {"do": "renew"}, follow=True))
        assert "Anybody who scans the old one needs your approval" in said
        made_up = reverse("event-wall", args=[*night.at, "ABCDEFGH"])
        for page in (old, made_up, reverse("event-wall", args=[*night.at, "x" * 300])):
            phone = Client()
            assert phone.post(page, {"entry": night.anna.public_id})["Location"] == night.page
            assert "no longer valid" in text(phone.get(night.page))
        assert not Claim.objects.exists()
        assert tap(Client(), night.wall, night.anna)["Location"] == reverse("my-tables")
        assert (
            LogEntry.objects.filter(
                action=EntryAction.WALL_RENEWED, subject=night.event.public_id
            ).count()
            == 1
        )

    def test_phones_that_are_in_stay_in_when_the_code_is_renewed(
        self, night: Night, desk: Client
    ) -> None:
        phone = Client()
        tap(phone, night.wall, night.anna)
        desk.post(night.desk, {"do": "renew"})
        assert phone.get(reverse("my-tables")).status_code == 200

    def test_a_code_opens_its_own_event_alone(self, night: Night, season: Season) -> None:
        other = events.event(season, "night-2", status=Event.Status.RUNNING)
        page = reverse(
            "event-wall", args=[season.club.slug, other.slug, wall_code(night.event).code]
        )
        assert Client().get(page)["Location"] == reverse(
            "event-claim", args=[season.club.slug, other.slug]
        )

    def test_the_list_of_an_event_that_is_over_is_gone(self, night: Night, desk: Client) -> None:
        wall = night.wall
        event_move(event=night.event, status=Event.Status.CANCELLED, actor=events.ACTOR)
        for page in (wall, night.page):
            assert Client().get(page)["Location"] == reverse("event", args=night.at)
        assert desk.get(night.desk)["Location"] == reverse("desk-event", args=night.at)

    def test_only_those_who_check_in_see_the_code(self, night: Night, desk: Client) -> None:
        code = wall_code(night.event).code
        hall = reverse("hall", args=night.at)
        cockpit = reverse("desk-event", args=night.at)
        for page in (night.desk, hall, cockpit):
            assert code in text(desk.get(page)) or "<svg" in text(desk.get(page)), page
        assert "Scan this" in text(desk.get(hall))
        stranger = Client()
        stranger.force_login(UserFactory.create())
        for client in (Client(), stranger):
            for page in (night.page, hall, reverse("event", args=night.at)):
                html = text(client.get(page))
                assert code not in html
                assert "Scan this" not in html

    def test_a_helper_who_rules_sees_no_code(self, night: Night) -> None:
        user: User = UserFactory.create()
        helper_add(event=night.event, user=user, role=Role.ARBITER, actor=events.ACTOR)
        client = Client()
        client.force_login(user)
        assert client.get(night.desk).status_code == 404
        assert "Scan this" not in text(client.get(reverse("hall", args=night.at)))

    def test_the_code_is_made_once(self, night: Night, desk: Client) -> None:
        desk.get(night.desk)
        desk.get(reverse("hall", args=night.at))
        assert WallCode.objects.count() == 1


class TestAsking:
    """Without the code a tap waits."""

    def test_a_tap_without_the_code_makes_nobody_a_player(self, night: Night) -> None:
        phone, asked = asks(night, night.anna)
        html = text(phone.get(night.page))
        assert "Your phone is waiting" in html
        assert asked.sign in html
        assert not Claim.objects.exists()
        assert not User.objects.filter(players__entries=night.anna).exists()
        assert phone.get(reverse("my-tables")).status_code == 302

    def test_an_organisers_tap_lets_it_in_and_the_phone_goes_on_by_itself(
        self, night: Night, desk: Client
    ) -> None:
        phone, asked = asks(night, night.anna)
        assert asked.sign in text(desk.get(night.desk))
        assert f"Phone {asked.sign} is" in answer_to(desk, night, asked, "approve")
        assert phone.get(night.page, headers=FRAGMENT)["HX-Redirect"] == night.page
        assert phone.get(night.page)["Location"] == reverse("my-tables")
        assert phone.get(reverse("my-tables")).status_code == 200
        claim = Claim.objects.get()
        assert (claim.way, claim.player) == (Claim.Way.ASKED, night.anna.player)
        assert LogEntry.objects.get(action="player.claimed").actor_id != claim.user_id, (
            "the organiser did it"
        )

    def test_nobody_else_learns_the_answer(self, night: Night, desk: Client) -> None:
        _, asked = asks(night, night.anna)
        answer_to(desk, night, asked, "approve")
        assert Client().get(night.page).status_code == 200
        assert Client().get(reverse("my-tables")).status_code == 302

    def test_a_refused_phone_is_told_what_to_do_and_may_choose_another_name(
        self, night: Night, desk: Client
    ) -> None:
        phone, asked = asks(night, night.anna)
        assert "is refused" in answer_to(desk, night, asked, "refuse")
        assert "Ask the organisers to show you the wall code" in text(phone.get(night.page))
        assert not Claim.objects.exists()
        assert LogEntry.objects.filter(action=EntryAction.CLAIM_REFUSED).count() == 1
        assert "This phone is no longer waiting" in answer_to(desk, night, asked, "approve")
        phone.post(night.page)
        assert "Your phone is waiting" not in text(phone.get(night.page))

    def test_the_others_who_wait_for_a_name_are_refused_with_it(
        self, night: Night, desk: Client
    ) -> None:
        wrong, _ = asks(night, night.anna)
        _, right = asks(night, night.anna)
        answer_to(desk, night, right, "approve")
        assert "wasn’t let in" in text(wrong.get(night.page))
        assert not text(desk.get(night.desk)).count("Let in")

    def test_a_name_that_somebody_took_by_the_wall_waits_no_longer(
        self, night: Night, desk: Client
    ) -> None:
        phone, _ = asks(night, night.anna)
        tap(Client(), night.wall, night.anna)
        assert "Another phone has this name" in text(phone.get(night.page))
        assert "Waiting for your approval" not in text(desk.get(night.desk))

    def test_one_browser_waits_for_one_name(self, night: Night) -> None:
        phone, _ = asks(night, night.anna)
        phone.post(night.page)
        tap(phone, night.page, night.ben)
        assert ClaimRequest.objects.get().entry == night.ben

    def test_strangers_can_t_fill_the_list(self, night: Night) -> None:
        for _ in range(MOST_FOR_A_NAME):
            asks(night, night.anna)
        assert "Several phones are already waiting for this name" in text(
            tap(Client(), night.page, night.anna)
        )
        assert ClaimRequest.objects.count() == MOST_FOR_A_NAME
        assert tap(Client(), night.wall, night.anna)["Location"] == reverse("my-tables"), (
            "the wall goes on"
        )

    def test_an_account_asks_for_itself(self, night: Night, desk: Client) -> None:
        user, client = UserFactory.create(), Client()
        client.force_login(user)
        tap(client, night.page, night.anna)
        answer_to(desk, night, ClaimRequest.objects.get(), "approve")
        assert Claim.objects.get().user == user

    def test_who_is_another_player_already_is_told_so(self, night: Night) -> None:
        client = Client()
        tap(client, night.wall, night.anna)
        assert "in this club. If both are you" in text(tap(client, night.page, night.ben))
        assert not ClaimRequest.objects.exists()

    def test_those_who_check_in_let_phones_in_and_organisers_alone_free_names(
        self, night: Night
    ) -> None:
        user: User = UserFactory.create()
        helper_add(event=night.event, user=user, role=Role.SCORER, actor=events.ACTOR)
        client = Client()
        client.force_login(user)
        _, asked = asks(night, night.anna)
        answer_to(client, night, asked, "approve")
        claim = Claim.objects.get()
        assert "Release" not in text(client.get(night.desk))
        assert client.post(night.desk, {"claim": claim.public_id}).status_code == 404

    def test_the_cockpit_says_that_phones_wait(self, night: Night, desk: Client) -> None:
        asks(night, night.anna)
        assert "1 phone is waiting for you to let it in" in text(
            desk.get(reverse("desk-event", args=night.at))
        )

    def test_what_was_asked_is_forgotten_after_a_day(self, night: Night) -> None:
        asks(night, night.anna)
        claim_requests_forget()
        assert ClaimRequest.objects.exists()
        ClaimRequest.objects.update(asked_at=timezone.now() - timedelta(days=1, minutes=1))
        claim_requests_forget()
        assert not ClaimRequest.objects.exists()


class TestFreeing:
    """A name that was taken wrongly comes free."""

    def test_an_organiser_of_the_event_frees_a_name(self, night: Night) -> None:
        user: User = UserFactory.create()
        helper_add(event=night.event, user=user, role=Role.ORGANISER, actor=events.ACTOR)
        client, wrong = Client(), Client()
        client.force_login(user)
        tap(wrong, night.wall, night.anna)
        claim = Claim.objects.get()
        assert "can be tapped again" in text(
            client.post(night.desk, {"claim": claim.public_id}, follow=True)
        )
        assert wrong.get(reverse("my-tables")).status_code == 302
        assert tap(Client(), night.wall, night.anna)["Location"] == reverse("my-tables")

    def test_nobody_frees_a_claim_of_somebody_who_isn_t_entered_or_brought_a_code(
        self, night: Night, desk: Client
    ) -> None:
        (code,) = claim_codes_make(
            club=night.event.club, players=[night.anna.player], actor=Actor()
        )
        Client().post(reverse("claim-player", args=[code.code]))
        assert desk.post(night.desk, {"claim": Claim.objects.get().public_id}).status_code == 404

    def test_the_players_own_code_takes_the_name_back(self, night: Night) -> None:
        (code,) = claim_codes_make(
            club=night.event.club, players=[night.anna.player], actor=Actor()
        )
        wrong, owner = Client(), Client()
        tap(wrong, night.wall, night.anna)
        page = reverse("claim-player", args=[code.code])
        assert "Somebody tapped this name in a list" in text(owner.get(page))
        assert owner.post(page)["Location"] == reverse("my-tables")
        assert owner.get(reverse("my-tables")).status_code == 200
        assert wrong.get(reverse("my-tables")).status_code == 302, "it is signed out"
        assert Claim.objects.get(ended_at=None).way == Claim.Way.CODE
        assert not ClaimCode.objects.exists(), "the code is used"

    def test_an_organiser_makes_a_code_for_a_name_that_was_tapped(
        self, night: Night, desk: Client
    ) -> None:
        tap(Client(), night.wall, night.anna)
        player = night.anna.player
        shown = text(
            desk.post(reverse("claim-code", args=[player.club.slug, player.public_id]), follow=True)
        )
        code = ClaimCode.objects.get().code
        assert f"{code[:4]} {code[4:]}" in shown

    def test_no_code_takes_a_name_from_who_brought_a_code(self, night: Night) -> None:
        player = night.anna.player
        (code,) = claim_codes_make(club=player.club, players=[player], actor=Actor())
        Client().post(reverse("claim-player", args=[code.code]))
        assert claim_codes_make(club=player.club, players=[player], actor=Actor(), anew=True) == []

    def test_the_own_phone_stays_signed_in_when_it_brings_the_code_later(
        self, night: Night
    ) -> None:
        (code,) = claim_codes_make(
            club=night.event.club, players=[night.anna.player], actor=Actor()
        )
        phone = Client()
        tap(phone, night.wall, night.anna)
        assert phone.post(reverse("claim-player", args=[code.code]))["Location"] == reverse(
            "my-tables"
        )
        assert phone.get(reverse("my-tables")).status_code == 200
        assert Claim.objects.get(ended_at=None).way == Claim.Way.CODE
        assert User.objects.filter(is_active=True).count() == 1

    def test_a_freed_name_stands_on_the_list_again(self, night: Night) -> None:
        phone = Client()
        tap(phone, night.wall, night.anna)
        assert night.anna.public_id not in text(Client().get(night.wall))
        claim_end(claim=Claim.objects.get(), actor=Actor())
        assert night.anna.public_id in text(Client().get(night.wall))


def test_members_of_other_clubs_let_nobody_in(night: Night) -> None:
    client = Client()
    client.force_login(MembershipFactory.create(role=Role.ORGANISER).user)
    _, asked = asks(night, night.anna)
    step = reverse("desk-claim-step", args=[*night.at, asked.public_id])
    assert client.post(step, {"do": "approve"}).status_code == 404
    assert client.get(night.desk).status_code == 404
