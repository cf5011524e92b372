"""The pages on which somebody says to be a player: on a phone without an account, with one, and for
the organisers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.core.claim.services import claim_codes_make, claim_end, player_claim
from league.core.log.services import Actor
from league.events.entry.services.entry import entries_check_in
from league.events.entry.services.self_entry import entry_by_mail_ask, entry_by_mail_confirm
from league.models import Claim, ClaimCode, Club, EntryByMail, Event, Player, Season, User
from league.standings.player.services import player_merge
from tests.factories import events
from tests.factories.league import PlayerFactory, UserFactory
from tests.league.night import _same_chance, desk, organiser, season

__all__ = ["_same_chance", "desk", "organiser", "season"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(club: Club) -> Player:
    return PlayerFactory.create(club=club, handle="anna", name="Anna 🎲")


@pytest.fixture
def code(anna: Player) -> str:
    (made,) = claim_codes_make(club=anna.club, players=[anna], actor=Actor())
    return made.code


def text(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_one_tap_after_the_scan_a_phone_is_the_player_and_sees_the_own_tables(
    code: str, anna: Player
) -> None:
    phone = Client()
    page = phone.get(f"{reverse('claim')}?code={code}", follow=True)
    assert "Anna 🎲" in text(page)
    assert not Claim.objects.exists(), "to look at it does nothing"
    answer = phone.post(page.request["PATH_INFO"], follow=True)
    assert answer.redirect_chain[-1][0] == reverse("my-tables")
    assert "You’re now Anna 🎲 here." in text(answer)
    assert phone.session.get_expiry_age() == 90 * 24 * 3600
    anna.refresh_from_db()
    assert anna.user
    assert anna.user.is_phone


def test_a_tap_that_comes_twice_or_whose_answer_was_lost_leaves_no_phone_outside(
    code: str, anna: Player
) -> None:
    page = reverse("claim-player", args=[code])
    first, same = Client(), Client()
    sent = {"key": first.get(page).context["form"]["key"].value()}
    first.post(page, sent)
    assert same.post(page, sent)["Location"] == reverse("my-tables"), (
        "no cookie came back from the first time"
    )
    assert [client.get(reverse("my-tables")).status_code for client in (first, same)] == [200, 200]
    assert Claim.objects.count() == User.objects.count() == 1
    assert sent["key"] not in str(Claim.objects.values().get()), "a hash of it is kept"
    assert Client().post(page, {"key": "another"})["Location"] == f"{reverse('claim')}?code={code}"
    claim_end(claim=Claim.objects.get(), actor=Actor())
    assert Client().post(page, sent)["Location"] == f"{reverse('claim')}?code={code}", (
        "undone it is worth nothing"
    )


def test_who_is_signed_in_keeps_the_account(code: str, anna: Player) -> None:
    user, client = UserFactory.create(), Client()
    client.force_login(user)
    assert user.username in text(client.get(reverse("claim-player", args=[code])))
    client.post(reverse("claim-player", args=[code]))
    anna.refresh_from_db()
    assert anna.user == user
    assert User.objects.count() == 1


@pytest.mark.parametrize("word", ["", "ABCDEFGH", "x" * 21, "\x00", "ä1"])
def test_a_code_that_nobody_has_is_refused_in_words(word: str) -> None:
    answer = Client().post(reverse("claim"), {"word": word})
    assert (
        'class="error' in text(answer)
        or "errorlist" in text(answer)
        or "aria-invalid" in text(answer)
    )


def test_an_address_with_a_used_code_says_so(code: str, anna: Player) -> None:
    player_claim(player=anna, way=Claim.Way.CODE, user=None, code=code)
    assert "This code is wrong" in text(
        Client().get(reverse("claim-player", args=[code]), follow=True)
    )


def test_who_is_another_player_of_the_club_is_told_so_and_stays_it(code: str, anna: Player) -> None:
    user, client = UserFactory.create(), Client()
    PlayerFactory.create(club=anna.club, name="Bea", user=user)
    client.force_login(user)
    assert "You’re already Bea in this club." in text(
        client.post(reverse("claim-player", args=[code]))
    )


def test_i_am_not_that_one_ends_it_by_one_tap(code: str, anna: Player) -> None:
    phone = Client()
    phone.post(reverse("claim-player", args=[code]))
    assert "I’m not Anna 🎲" in text(phone.get(reverse("claim-leave")))
    phone.post(reverse("claim-leave"), {"claim": Claim.objects.get().public_id})
    anna.refresh_from_db()
    assert anna.user is None
    assert "You haven’t claimed a player here." in text(phone.get(reverse("claim-leave")))


def test_nobody_ends_somebody_else_s_claim(code: str, anna: Player) -> None:
    Client().post(reverse("claim-player", args=[code]))
    stranger = Client()
    stranger.force_login(UserFactory.create())
    stranger.post(reverse("claim-leave"), {"claim": Claim.objects.get().public_id})
    assert (
        stranger.post(
            reverse("claim-undo", args=[anna.club.slug, Claim.objects.get().public_id])
        ).status_code
        == 404
    )
    assert Claim.objects.get().ended_at is None


def test_the_organisers_see_each_claim_and_undo_it_by_one_tap(
    desk: Client, code: str, anna: Player
) -> None:
    Client().post(reverse("claim-player", args=[code]))
    html = text(desk.get(reverse("claims", args=[anna.club.slug])))
    assert "a phone without an account" in html
    answer = desk.post(
        reverse("claim-undo", args=[anna.club.slug, Claim.objects.get().public_id]), follow=True
    )
    assert "Nobody is Anna 🎲 any more." in text(answer)
    assert Claim.objects.get().ended_at


def test_the_code_stands_on_the_organiser_s_phone_and_on_slips(desk: Client, anna: Player) -> None:
    page = reverse("claim-code", args=[anna.club.slug, anna.public_id])
    assert "Create a code" in text(desk.get(page))
    shown = text(desk.post(page, follow=True))
    code = ClaimCode.objects.get().code
    assert f"{code[:4]} {code[4:]}" in shown
    PlayerFactory.create(club=anna.club)
    slips = reverse("claim-slips", args=[anna.club.slug])
    assert "1 player has neither an account nor a code." in text(desk.get(slips))
    assert text(desk.post(slips, follow=True)).count("<svg") >= 2
    assert ClaimCode.objects.get(player=anna).code == code, "a slip that was handed out stays good"


def test_only_organisers_see_codes(code: str, anna: Player) -> None:
    other = Client()
    other.force_login(UserFactory.create())
    for page in (
        reverse("claim-code", args=[anna.club.slug, anna.public_id]),
        reverse("claim-slips", args=[anna.club.slug]),
        reverse("claims", args=[anna.club.slug]),
    ):
        assert other.get(page).status_code == 404
        assert Client().get(page).status_code == 302


def by_mail(night: Event) -> tuple[str, EntryByMail]:
    token, _ = entry_by_mail_ask(event=night, name="Nele", email="nele@example.org")
    asked = EntryByMail.objects.select_related("event").get(event=night)
    entry_by_mail_confirm(by_mail=asked, name="Nele")
    return reverse("entry-by-mail", args=[token]), EntryByMail.objects.get(event=night)


def test_who_entered_by_mail_sees_table_opponents_and_result_on_the_page_of_the_link(
    season: Season,
) -> None:
    night = events.event(season)
    link, asked = by_mail(night)
    events.enter(night, events.players(season.club, 3))
    Event.objects.update(status=Event.Status.RUNNING)
    night.refresh_from_db()
    assert asked.entry
    entries_check_in(event=night, entries=[asked.entry], actor=events.ACTOR)
    first = events.drawn(events.stage(night, sizes=[4], rounds=2))
    html = text(Client().get(link))
    assert "Your next table" in html
    assert "p2" in html.lower()
    events.play(first)
    assert " of 4" in text(Client().get(link))


def test_the_letter_s_link_makes_a_phone_the_player(season: Season) -> None:
    link, _ = by_mail(events.event(season))
    phone = Client()
    assert "Yes, this is me" in text(phone.get(link))
    assert phone.post(link, {"do": "claim"})["Location"] == reverse("my-tables")
    assert Claim.objects.get().way == Claim.Way.MAIL
    assert phone.get(reverse("my-tables")).status_code == 200
    assert "Yes, this is me" not in text(Client().get(link)), "a linked player can't be claimed"
    assert "already" in text(Client().post(link, {"do": "claim"}))


def test_a_letter_s_link_offers_no_claim_of_who_was_merged_into_an_account_s_player(
    season: Season,
) -> None:
    link, asked = by_mail(events.event(season))
    assert asked.entry
    kept_player = PlayerFactory.create(club=season.club, user=UserFactory.create())
    player_merge(kept_player=kept_player, merged=asked.entry.player, actor=Actor())
    assert "Yes, this is me" not in text(Client().get(link))
