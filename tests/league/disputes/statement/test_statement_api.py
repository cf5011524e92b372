"""Statements and files by programs, with the rights of the page."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from league.core.key.services.key import key_create
from league.models import Club, Evidence, Objection, Player, Role, Statement, User
from tests.factories.league import MembershipFactory
from tests.factories.photos import picture
from tests.league.disputes.statement.conftest import pdf_of

pytestmark = pytest.mark.django_db
WORD = "I laid out two stars."


def bearer(game: Game, user: User) -> dict[str, str]:
    _, secret = key_create(club=game.season_game.season.club, user=user, label="phone")
    return {"authorization": f"Bearer {secret}"}


def address(game: Game) -> str:
    return f"/api/v1/games/{game.public_id}/statements/"


def sent(name: str, content: bytes) -> dict[str, str]:
    return {"name": name, "content": b64encode(content).decode()}


def post(game: Game, user: User, **body: Any) -> Any:
    content = json.dumps({"word": WORD, **body})
    return Client().post(address(game), content, "application/json", headers=bearer(game, user))


def test_a_seat_says_something_with_files_and_the_table_reads_it(
    played: Game, objection: Objection, sitters: list[User]
) -> None:
    files = [
        sent("table.png", picture("PNG")),
        sent("sheet.pdf", pdf_of()),
        sent("notes.txt", b"two stars"),
    ]
    answer = post(played, sitters[0], files=files)
    assert answer.status_code in (200, 201), answer.content
    said = answer.json()
    assert (said["number"], said["seat"], said["role"], said["word"]) == (1, 0, "player", WORD)
    kinds = [file["kind"] for file in said["files"]]
    assert kinds == ["image/jpeg", "application/pdf", "text/plain"]
    headers = bearer(played, sitters[1])
    (listed,) = Client().get(address(played), headers=headers).json()["results"]
    assert listed == said
    for file in listed["files"]:
        sent_back = Client().get(file["url"], headers=headers)
        assert sent_back.status_code == 200
        assert sent_back["Content-Type"] == "application/octet-stream"
        assert sent_back["Content-Security-Policy"] == "sandbox; default-src 'none'"
        assert sent_back["Cache-Control"] == "private, no-store"
        assert len(sent_back.content) == file["size"]


def test_nobody_else_reads_or_says_anything(
    played: Game, objection: Objection, sitters: list[User], club: Club
) -> None:
    post(played, sitters[0], files=[sent("notes.txt", b"two stars")])
    stranger = MembershipFactory.create(club=club, role=Role.PLAYER).user
    file = f"/api/v1/evidence/{Evidence.objects.get().public_id}/"
    for one in (address(played), file):
        assert Client().get(one).status_code in (401, 404)
        assert Client().get(one, headers=bearer(played, stranger)).status_code == 404
    assert post(played, stranger).status_code == 404
    assert Statement.objects.count() == 1


def test_one_speaks_for_the_own_seat_or_for_one_without_an_account(
    played: Game, objection: Objection, sitters: list[User], ruler: User
) -> None:
    for account, seat in ((sitters[0], 1), (sitters[0], None), (ruler, 1), (ruler, 99)):
        answer = post(played, account, seat=seat)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_seat")
    Player.objects.filter(user=sitters[0]).update(user=None)
    assert post(played, ruler, seat=0).json()["role"] == Role.ARBITER
    assert post(played, ruler).json()["seat"] is None, "a witness"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"files": [sent("table.png", b"<script>alert(1)</script>")]}, 422, "unknown_file"),
        ({"files": [{"name": "a.txt", "content": "no base64!"}]}, 400, "bad_request"),
        ({"files": [sent("a.txt", b"x")] * 6}, 400, "bad_request"),
        ({"word": " "}, 400, "bad_request"),
        ({"word": "x" * 2001}, 400, "bad_request"),
        ({"word": "a\x00b"}, 400, "bad_request"),
        ({"seat": "first"}, 400, "bad_request"),
    ],
)
def test_what_is_wrong_is_answered_as_a_problem(
    played: Game,
    objection: Objection,
    sitters: list[User],
    body: dict[str, Any],
    status: int,
    code: str,
) -> None:
    answer = post(played, sitters[0], **body)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert answer.json()["code"] == code or code == "bad_request"
    assert not Statement.objects.exists()


def test_nothing_is_said_where_nobody_objects(played: Game, sitters: list[User]) -> None:
    answer = post(played, sitters[0])
    assert (answer.status_code, answer.json()["code"]) == (422, "no_dispute")
