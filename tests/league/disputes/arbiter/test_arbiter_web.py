"""An arbiter from outside in the browser: the link, the acceptance, the seats' answers, and the
case."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries
from pytest_django import Settings

from games.models import Game
from league.core.log.services import Actor
from league.disputes.arbiter.services import arbiter_assent, arbiter_invite
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.statement import statement_add
from league.models import (
    ArbiterAcceptance,
    ArbiterAssent,
    ArbiterInvitation,
    ArbiterInvitationEnd,
    Evidence,
    Membership,
    Photo,
    Player,
    Role,
    Season,
    Statement,
    User,
    Visibility,
)
from league.records.photo.services.photo import photo_add
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.photos import picture
from tests.league.disputes.arbiter.conftest import Invited
from tests.league.disputes.ruling.rulings import decided, ruled

pytestmark = pytest.mark.django_db
AGREE: Final = "Agree on another arbiter…"
YES: Final = "Yes, I agree"
WORD: Final = "The last die was a star."


def address(name: str, *args: Any) -> str:
    return reverse(name, args=args)


def of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def shown(response: Any) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def link_on(html: str) -> str:
    """The path of the link that a page shows."""
    found = re.search(r'id="arbiter-link">https?://[^/]+(/arbiter/[^<]+/)<', html)
    assert found is not None
    return found[1]


def answer(invitation: ArbiterInvitation, user: User, seat: int, word: str = "yes") -> Any:
    page = address("arbiter-answer", invitation.public_id)
    return of(user).post(page, {"seat": seat, "answer": word}, follow=True)


def test_from_the_game_s_page_to_a_ruling_by_somebody_from_outside(
    disputed: Game, evening: Season, sitters: list[User], outsider: User
) -> None:
    Season.objects.filter(pk=evening.pk).update(visibility=Visibility.MEMBERS)
    for sitter in sitters:
        MembershipFactory.create(club=evening.club, role=Role.PLAYER, user=sitter)
    page = address("game-arbiter", disputed.public_id)
    assert AGREE in shown(of(sitters[0]).get(address("game", disputed.public_id)))
    html = shown(of(sitters[0]).get(page))
    assert "Every arbiter and organiser of the club played or entered this game" in html
    link = link_on(shown(of(sitters[0]).post(page)))
    assert link not in shown(of(sitters[0]).get(page)), "it is shown once"
    html = shown(of(outsider).get(link))
    assert "I will rule" in html
    assert WORD not in html
    html = shown(of(outsider).post(link, {"close_to": [2]}, follow=True))
    assert "0 of 4 players have said yes" in html
    invitation = ArbiterInvitation.objects.get()
    name = Player.objects.get(user=sitters[2]).name
    html = shown(of(sitters[1]).get(page))
    assert f"Says they are close to: <strong>{name}</strong>" in html
    assert YES in html
    case = address("game-case", disputed.public_id)
    for seat, user in enumerate(sitters):
        assert of(outsider).get(case).status_code == 404, "silence never decides"
        html = shown(answer(invitation, user, seat))
    assert "Everybody agrees: the arbiter can rule now" in html
    html = shown(of(outsider).get(address("home")))
    assert "You can rule on this case" in html
    assert f'href="{case}"' in html
    html = shown(of(outsider).get(case))
    assert WORD in html
    assert "All players agreed that you rule on this game" in html
    assert "You can rule on this case" in shown(of(outsider).get(address("my-page")))


def test_the_arbiter_sees_the_case_and_no_other_page_of_the_club(
    agreed: ArbiterInvitation, disputed: Game, evening: Season, outsider: User, sitters: list[User]
) -> None:
    Season.objects.filter(pk=evening.pk).update(visibility=Visibility.MEMBERS)
    arbiter = of(outsider)
    html = shown(arbiter.get(address("game-case", disputed.public_id)))
    for path in re.findall(r'href="(/[^"#?]*)', html.split("<main")[1].split("</main")[0]):
        assert arbiter.get(path).status_code in (200, 302), f"{path} leads nowhere"
    for name in ("game", "game-arbiter", "game-void", "game-object", "game-propose"):
        assert arbiter.get(address(name, disputed.public_id)).status_code == 404, name
    other = Game.objects.filter(season_game__season=evening).exclude(pk=disputed.pk).earliest("pk")
    assert arbiter.get(address("game-case", other.public_id)).status_code == 404
    for path in (
        address("season", evening.club.slug, evening.slug),
        address("club-log", evening.club.slug),
    ):
        assert arbiter.get(path).status_code == 404
    assert not Membership.objects.filter(user=outsider).exists()


def test_the_arbiter_reads_statements_evidence_photos_and_keys_until_the_dispute_is_over(
    agreed: ArbiterInvitation, disputed: Game, evening: Season, outsider: User, sitters: list[User]
) -> None:
    Season.objects.filter(pk=evening.pk).update(visibility=Visibility.MEMBERS)
    files = [SentFile("notes.txt", b"Two stars.")]
    statement_add(game=disputed, seat=1, word="I saw a star.", files=files, account=sitters[1])
    photo_add(game=disputed, file=picture("PNG"), account=sitters[0])
    file = address("evidence", Evidence.objects.get().public_id)
    photo = address("photo", Photo.objects.get().public_id)
    of_game = ("game-case", "game-statements", "game-photos", "game-case-keys")
    pages = [address(name, disputed.public_id) for name in of_game]
    arbiter, stranger = of(outsider), of(UserFactory.create())
    html = shown(arbiter.get(pages[0]))
    for path in (file, photo, pages[3]):
        assert f'"{path}"' in html, "the case leads there"
    for path in (*pages, file, photo):
        assert arbiter.get(path).status_code == 200, path
        assert stranger.get(path).status_code == 404, path
    for path in pages:
        main = arbiter.get(path).content.decode().split("<main")[1].split("</main")[0]
        for link in re.findall(r'href="(/[^"#?]*)', main):
            assert arbiter.get(link).status_code in (200, 302), f"{link} on {path} leads nowhere"
    objection_withdraw(objection=disputed.objections.get(), actor=Actor(sitters[1].pk))
    for path in (*pages, file, photo):
        assert arbiter.get(path).status_code == 404, path


def test_the_arbiter_needs_no_second_one_for_an_appeal(
    agreed: ArbiterInvitation, disputed: Game, outsider: User, ruler: User
) -> None:
    ruled(disputed, ruler)
    decided(disputed, closed=False)
    html = shown(of(outsider).get(address("game-case", disputed.public_id)))
    assert "You can rule on this." in html
    assert "until a second arbiter agrees" not in html


def test_the_arbiter_adds_and_removes_nothing(
    agreed: ArbiterInvitation, disputed: Game, outsider: User, sitters: list[User]
) -> None:
    statement_add(
        game=disputed,
        seat=1,
        word="I saw a star.",
        files=[SentFile("a.txt", b"Two stars.")],
        account=sitters[1],
    )
    photo_add(game=disputed, file=picture("PNG"), account=sitters[0])
    arbiter = of(outsider)
    said, file, photo = Statement.objects.get(), Evidence.objects.get(), Photo.objects.get()
    sent = {
        "word": "I wasn’t there.",
        "evidence": SimpleUploadedFile("b.txt", b"x"),
        "reason": "So.",
    }
    for path in (
        address("game-statements", disputed.public_id),
        address("game-photos", disputed.public_id),
        address("statement-remove", said.public_id),
        address("evidence-remove", file.public_id),
        address("photo-remove", photo.public_id),
    ):
        photo_file = SimpleUploadedFile("c.png", picture("PNG"))
        assert arbiter.post(path, {**sent, "file": photo_file}).status_code == 404, path
    assert Statement.objects.filter(removed_at=None).count() == 1
    assert Evidence.objects.filter(removed_at=None).count() == 1
    assert Photo.objects.exclude(content=b"").count() == 1
    for name in ("game-statements", "game-photos"):
        html = shown(arbiter.get(address(name, disputed.public_id)))
        assert "<form" not in html.split("<main")[1].split("</main")[0]


def test_of_another_game_the_arbiter_reads_nothing(
    agreed: ArbiterInvitation, evening: Season, outsider: User
) -> None:
    others = Game.objects.filter(season_game__season=evening).exclude(pk=agreed.game_id)
    other = others.earliest("pk")
    sitter: User = UserFactory.create()
    Player.objects.filter(handle=other.seats.get(number=0).handle).update(user=sitter)
    objection_raise(game=other, seat=0, word="No.", actor=Actor(sitter.pk))
    files = [SentFile("notes.txt", b"Two stars.")]
    statement_add(game=other, seat=0, word="I saw a star.", files=files, account=sitter)
    photo_add(game=other, file=picture("PNG"), account=sitter)
    of_game = ("game-case", "game-statements", "game-photos", "game-case-keys")
    pages = [address(name, other.public_id) for name in of_game]
    pages.append(address("evidence", Evidence.objects.get().public_id))
    pages.append(address("photo", Photo.objects.get().public_id))
    for path in pages:
        assert of(outsider).get(path).status_code == 404, path


def test_strangers_open_no_page_of_an_arbiter(accepted: ArbiterInvitation, disputed: Game) -> None:
    stranger = of(UserFactory.create())
    scorer = of(
        MembershipFactory.create(club=disputed.season_game.season.club, role=Role.SCORER).user
    )
    for client in (stranger, scorer):
        assert client.get(address("game-arbiter", disputed.public_id)).status_code == 404
        assert client.post(address("game-arbiter", disputed.public_id)).status_code == 404
        assert (
            client.post(address("arbiter-answer", accepted.public_id), {"seat": 0}).status_code
            == 404
        )
        assert client.post(address("arbiter-end", accepted.public_id)).status_code == 404
        assert client.get(address("game-case", disputed.public_id)).status_code == 404
        assert AGREE not in shown(client.get(address("game", disputed.public_id)))
    assert ArbiterInvitation.objects.count() == 1
    assert (
        Client()
        .get(address("game-arbiter", disputed.public_id))["Location"]
        .startswith(address("account_login"))
    )


def test_a_seat_that_answers_for_another_changes_nothing(
    accepted: ArbiterInvitation, sitters: list[User]
) -> None:
    for seat in ("0", "9", "", "²", "-1"):
        for word in ("yes", "no"):
            page = address("arbiter-answer", accepted.public_id)
            html = shown(of(sitters[1]).post(page, {"seat": seat, "answer": word}, follow=True))
            assert "There is nothing to answer here right now" in html
    assert not ArbiterAssent.objects.exists()
    assert not ArbiterInvitationEnd.objects.exists()


def test_the_arbiter_cant_answer_for_a_seat(accepted: ArbiterInvitation, outsider: User) -> None:
    page = address("arbiter-answer", accepted.public_id)
    of(outsider).post(page, {"seat": 0, "answer": "yes"})
    assert not ArbiterAssent.objects.exists()


def test_a_no_is_said_and_ends_it(
    accepted: ArbiterInvitation, disputed: Game, sitters: list[User]
) -> None:
    html = shown(answer(accepted, sitters[3], 3, "no"))
    assert "You can agree on somebody else." in html
    assert "A player said no" in html
    assert "Create link" in html


def test_a_yes_that_comes_twice_is_one(accepted: ArbiterInvitation, sitters: list[User]) -> None:
    answer(accepted, sitters[0], 0)
    assert "There is nothing to answer here right now" in shown(answer(accepted, sitters[0], 0))
    assert ArbiterAssent.objects.count() == 1


def test_the_link_says_to_who_cant_rule_why(invited: Invited, sitters: list[User]) -> None:
    link = address("arbiter-invitation", invited.token)
    assert "You sat at this table: somebody else has to rule." in shown(of(sitters[1]).get(link))
    assert "I will rule" not in shown(of(sitters[0]).get(link))
    of(sitters[1]).post(link)
    assert not ArbiterAcceptance.objects.exists()


def test_somebody_who_comes_second_is_told(
    accepted: ArbiterInvitation, invited: Invited, outsider: User
) -> None:
    link = address("arbiter-invitation", invited.token)
    other = of(UserFactory.create())
    assert "Somebody else has already accepted this invitation." in shown(other.get(link))
    other.post(link)
    assert ArbiterAcceptance.objects.get().arbiter == outsider


def test_a_link_that_leads_nowhere_says_so(
    invited: Invited, sitters: list[User], disputed: Game
) -> None:
    for token in (invited.token[:-1], "x", "🎲"):
        answer = Client().get(address("arbiter-invitation", token))
        assert answer.status_code == 404
        assert "This link no longer works" in answer.content.decode()
    objection_withdraw(objection=disputed.objections.get(), actor=Actor(sitters[1].pk))
    assert Client().get(address("arbiter-invitation", invited.token)).status_code == 404


def test_guesses_of_a_link_are_slowed(invited: Invited, settings: Settings) -> None:
    settings.RATE_LIMITS = {"codes": (2, 600)}
    client = Client()
    codes = [
        client.get(address("arbiter-invitation", f"guess-{number}")).status_code
        for number in range(3)
    ]
    assert codes == [404, 404, 429]


def test_a_stranger_comes_to_an_account_and_back(invited: Invited, settings: Settings) -> None:
    link = address("arbiter-invitation", invited.token)
    client = Client()
    html = shown(client.get(link))
    assert "Sign in" in html
    assert WORD not in html
    assert client.get(link)["X-Robots-Tag"] == "noindex"
    assert "close_to" not in html, "the seats' names are for those who have signed in"
    settings.EMAIL_HOST = "localhost"
    assert "An email is on its way to rita@example.org" in shown(
        client.post(link, {"email": "rita@example.org"})
    )
    (letter,) = mail.outbox
    found = re.search(r"https?://[^/]+(/arbiter/\S+)", str(letter.body))
    assert found is not None
    sent = {"username": "Rita", "password": "seven-red-dice", "password_again": "seven-red-dice"}
    answer = client.post(found[1], sent, follow=True)
    assert answer.redirect_chain == [(link, 302)]
    assert "I will rule" in shown(answer)
    assert User.objects.get(username="Rita").email == "rita@example.org"


def test_an_address_that_nobody_signed_makes_no_account(invited: Invited) -> None:
    page = address("arbiter-account", invited.token, "forged")
    assert Client().get(page).status_code == 404
    assert Client().post(page, {"username": "Rita"}).status_code == 404
    assert not User.objects.filter(username="Rita").exists()


def test_who_made_the_link_takes_it_back(accepted: ArbiterInvitation, sitters: list[User]) -> None:
    end = address("arbiter-end", accepted.public_id)
    assert of(sitters[1]).post(end).status_code == 404, "another seat says no instead"
    assert "Invitation withdrawn." in shown(of(sitters[0]).post(end, follow=True))
    assert ArbiterInvitationEnd.objects.get().way == "withdrawn"


def test_the_arbiter_gives_it_up(agreed: ArbiterInvitation, disputed: Game, outsider: User) -> None:
    html = shown(of(outsider).post(address("arbiter-end", agreed.public_id), follow=True))
    assert "You won’t rule on this game." in html
    assert of(outsider).get(address("game-case", disputed.public_id)).status_code == 404


def test_where_the_club_has_an_arbiter_the_case_says_nothing_else(
    disputed: Game, ruler: User
) -> None:
    html = shown(of(ruler).get(address("game-case", disputed.public_id)))
    assert AGREE in html
    assert "both sides can agree on somebody else" not in html


def test_where_every_arbiter_played_the_case_says_so(disputed: Game, sitters: list[User]) -> None:
    MembershipFactory.create(
        club=disputed.season_game.season.club, role=Role.ARBITER, user=sitters[3]
    )
    html = shown(of(sitters[3]).get(address("game-case", disputed.public_id)))
    assert "Every arbiter of the club played or entered this game" in html


def test_the_page_takes_as_many_queries_however_often_somebody_was_invited(
    accepted: ArbiterInvitation,
    disputed: Game,
    sitters: list[User],
    django_assert_max_num_queries: Queries,
) -> None:
    for _ in range(4):
        arbiter_invite(game=disputed, actor=Actor(sitters[1].pk))
    arbiter_assent(invitation=accepted, seat=0, actor=Actor(sitters[0].pk))
    page = address("game-arbiter", disputed.public_id)
    client = of(sitters[1])
    client.get(page)
    with django_assert_max_num_queries(30):
        client.get(page)
