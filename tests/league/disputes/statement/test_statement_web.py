"""The page on which a table and those who rule read what was said, and say it."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Game
from league.core.log.services import Actor
from league.disputes.objection.services import objection_withdraw
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.statement import statement_add
from league.models import Club, Evidence, Objection, Player, Role, Statement, User
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.photos import picture

pytestmark = pytest.mark.django_db
WORD = "I laid out two stars. <b>Karla</b> counted one."


def address(game: Game) -> str:
    return reverse("game-statements", args=[game.public_id])


def signed_in(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page_for(user: User | None, game: Game) -> str:
    answer = signed_in(user).get(address(game))
    return answer.content.decode() if answer.status_code == 200 else str(answer.status_code)


def say(user: User, game: Game, *files: SimpleUploadedFile, **fields: object) -> str:
    answer = signed_in(user).post(
        address(game), {"word": WORD, "evidence": list(files), **fields}, follow=True
    )
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.fixture
def said(played: Game, objection: Objection, sitters: list[User]) -> Statement:
    """What the seat 0 said, with a picture and a text."""
    files = [
        SentFile("table.png", picture("PNG")),
        SentFile("notes.txt", b"<script>alert(1)</script>"),
    ]
    return statement_add(game=played, seat=0, word=WORD, files=files, account=sitters[0])[0]


def test_who_sat_there_says_something_with_photos_and_everybody_concerned_reads_it(
    played: Game, objection: Objection, sitters: list[User], ruler: User
) -> None:
    game_page = signed_in(sitters[0]).get(reverse("game", args=[played.public_id])).content.decode()
    assert address(played) in game_page
    empty = page_for(sitters[0], played)
    assert "Nothing said yet" in empty
    assert "removed 90 days after the dispute is over" in " ".join(empty.split())
    assert "Who are you speaking for?" not in empty, "they sat there"

    def say_it() -> str:
        photo = SimpleUploadedFile("table.jpg", picture(), "image/jpeg")
        notes = SimpleUploadedFile("notes.TXT", b"two stars", "text/html")
        return say(sitters[0], played, photo, notes)

    assert "Sent. The table" in say_it()
    statement = Statement.objects.get()
    assert (statement.seat, statement.role, statement.files.count()) == (0, Role.PLAYER, 2)
    assert "You have already said this" in say_it()
    for reader in (sitters[1], ruler):
        page = page_for(reader, played)
        assert "&lt;b&gt;Karla&lt;/b&gt; counted one" in page
        for file in statement.files.all():
            assert reverse("evidence", args=[file.public_id]) in page
    case = signed_in(ruler).get(reverse("game-case", args=[played.public_id])).content.decode()
    assert "&lt;b&gt;Karla&lt;/b&gt; counted one" in case
    assert f"{address(played)}#statement-{statement.public_id}" in case, "the timeline leads there"


@pytest.mark.parametrize("role", [Role.PLAYER, None])
def test_nobody_else_finds_the_page_or_a_file(
    played: Game, said: Statement, club: Club, role: Role | None
) -> None:
    stranger = MembershipFactory.create(club=club, role=role).user if role else UserFactory.create()
    file = reverse("evidence", args=[said.files.first().public_id])  # type: ignore[union-attr]
    for one in (address(played), file):
        assert signed_in(stranger).get(one).status_code == 404
        assert signed_in(None).get(one).status_code == 302, "nobody is asked to sign in first"
    assert signed_in(stranger).post(address(played), {"word": WORD}).status_code == 404
    game_page = signed_in(stranger).get(reverse("game", args=[played.public_id])).content.decode()
    assert address(played) not in game_page


def test_somebody_who_works_there_is_a_witness_and_reads_the_own_words_alone(
    played: Game, said: Statement, club: Club
) -> None:
    scorer = MembershipFactory.create(club=club, role=Role.SCORER).user
    assert "You only see your own statements here" in page_for(scorer, played)
    assert "Karla" not in page_for(scorer, played)
    evidence = said.files.earliest("pk")
    answer = signed_in(scorer).get(reverse("evidence", args=[evidence.public_id]))
    assert answer.status_code == 404
    say(
        scorer,
        played,
        SimpleUploadedFile("a.txt", b"seen"),
        seat="witness",
        word="I stood beside the table.",
    )
    own = Statement.objects.get(made_by=scorer)
    assert (own.seat, own.role) == (None, Role.SCORER)
    assert "I stood beside the table." in page_for(scorer, played)
    assert (
        signed_in(scorer).get(reverse("evidence", args=[own.files.get().public_id])).status_code
        == 200
    )


def test_who_rules_speaks_for_seats_without_an_account_and_for_no_other(
    played: Game, objection: Objection, ruler: User, sitters: list[User]
) -> None:
    Player.objects.filter(user=sitters[0]).update(user=None)
    for other in ("1", "none", ""):
        say(ruler, played, seat=other)
    assert not Statement.objects.exists()
    assert "Select a valid choice" in say(ruler, played, seat="1")
    say(ruler, played, seat="0")
    statement = Statement.objects.get()
    assert (statement.seat, statement.role, statement.made_by) == (0, Role.ARBITER, ruler)


def test_who_sat_there_speaks_for_the_own_seat_alone(
    played: Game, objection: Objection, sitters: list[User]
) -> None:
    say(sitters[0], played, seat="1")
    assert Statement.objects.get().seat == 0


def test_what_was_written_stays_in_the_form_where_a_file_is_refused(
    played: Game, objection: Objection, sitters: list[User]
) -> None:
    html = SimpleUploadedFile("table.png", b"<html><script>alert(1)</script></html>", "image/png")
    page = say(sitters[0], played, html)
    assert "the file must be a picture" in page
    assert "&lt;b&gt;Karla&lt;/b&gt; counted one." in page
    assert "Say in a few words what happened" in say(sitters[0], played, word=" ")
    assert not Statement.objects.exists()


def test_after_the_dispute_nothing_more_is_said_and_all_stays_readable(
    played: Game, said: Statement, objection: Objection, sitters: list[User]
) -> None:
    objection_withdraw(objection=objection, actor=Actor(sitters[1].pk))
    page = page_for(sitters[0], played)
    assert "Nobody objects to this game now" in page
    assert "Karla" in page
    assert "nobody objects to this game" in say(sitters[0], played, word="And more.")
    game_page = signed_in(sitters[0]).get(reverse("game", args=[played.public_id])).content.decode()
    assert address(played) not in game_page


def test_a_file_is_sent_so_that_nothing_in_it_runs(said: Statement, sitters: list[User]) -> None:
    kinds = {Evidence.MediaType.PICTURE: "inline", Evidence.MediaType.TEXT: "attachment"}
    for file in said.files.all():
        answer = signed_in(sitters[1]).get(reverse("evidence", args=[file.public_id]))
        assert answer["Content-Type"].startswith(file.kind)
        assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer["Cache-Control"] == "private, no-store"
        ending = {"image/jpeg": "jpg", "text/plain": "txt"}[file.kind]
        name = f'filename="evidence-{file.public_id}.{ending}"'
        assert answer["Content-Disposition"] == f"{kinds[Evidence.MediaType(file.kind)]}; {name}"


def test_who_rules_and_did_not_sit_there_removes_words_and_files(
    played: Game, said: Statement, sitters: list[User], ruler: User
) -> None:
    file = said.files.get(number=2)
    steps = [
        reverse("statement-remove", args=[said.public_id]),
        reverse("evidence-remove", args=[file.public_id]),
    ]
    for step in steps:
        assert signed_in(sitters[0]).post(step, {"reason": "It names me."}).status_code == 404
        assert step not in page_for(sitters[0], played)
        assert step in page_for(ruler, played)
        assert signed_in(ruler).get(step).status_code == 200
        assert signed_in(ruler).post(step, {"reason": "It names somebody."}).status_code == 302
        assert signed_in(ruler).get(step).status_code == 404, "it is gone already"
    page = page_for(sitters[1], played)
    assert "Karla" not in page
    assert "The text was removed" in page
    assert "File 2 (text file) was removed" in page
    assert signed_in(sitters[1]).get(reverse("evidence", args=[file.public_id])).status_code == 404
    assert Evidence.objects.exclude(content=b"").count() == 1, "the picture stays"


def test_the_page_takes_as_many_queries_for_one_statement_as_for_many(
    played: Game, said: Statement, sitters: list[User]
) -> None:
    client = signed_in(sitters[1])
    client.get(address(played))
    with CaptureQueriesContext(connection) as few:
        client.get(address(played))
    for number in range(5):
        statement_add(
            game=played,
            seat=number % 2,
            word=f"{number}",
            files=[SentFile("a.txt", b"x")],
            account=sitters[number % 2],
        )
    with CaptureQueriesContext(connection) as many:
        client.get(address(played))
    assert len(many) == len(few)
