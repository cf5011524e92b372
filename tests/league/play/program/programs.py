"""Programs that play: an account that is marked, its key, and what it asks the API."""

from __future__ import annotations

from typing import Any

from django.test import Client

from league.core.key.services.key import key_create
from league.models import ApiKey, Club, OnlineTable, Role, User
from league.play.online_table.services.lobby import online_table_open, seat_take
from league.play.program.services import account_mark_program
from tests.factories.league import MembershipFactory
from tests.league.core.frame.api.programs import bearer
from tests.league.play.online_table.test_game import RULES


def program(club: Club) -> User:
    """An account that is marked as a program, of a member of the club."""
    user: User = MembershipFactory.create(club=club, role=Role.PLAYER).user
    account_mark_program(user=user)
    return user


def table_of_programs(host: User, *guests: User) -> OnlineTable:
    """A table at which these programs sit, on the page of the host's club."""
    club = Club.objects.get(memberships__user=host)
    settings = {"programs_welcome": True, "listed": True}
    table = online_table_open(club=club, user=host, rules=RULES, settings=settings)
    for guest in guests:
        seat_take(table=table, user=guest, name="")
    return table


class Program:
    """A program with a key of the scope `play`, to one club."""

    def __init__(self, club: Club, *, marked: bool = True, scope: str = ApiKey.Scope.PLAY) -> None:
        self.user: User = (
            program(club) if marked else MembershipFactory.create(club=club, role=Role.PLAYER).user
        )
        self.key, self.secret = key_create(club=club, user=self.user, label="program", scope=scope)
        self.club = club

    def get(self, path: str) -> Any:
        return Client().get(f"/api/v1{path}", headers=bearer(self.secret))

    def post(self, path: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
        all_headers = {**bearer(self.secret), **headers}
        return Client().post(
            f"/api/v1{path}", body or {}, content_type="application/json", headers=all_headers
        )

    def opened(self, **body: Any) -> str:
        """The address of a table that the program opens, below /api/v1."""
        answer = self.post(f"/clubs/{self.club.slug}/online-tables/", body)
        assert answer.status_code == 201, answer.content
        return str(answer.json()["url"]).removeprefix("/api/v1")

    def look(self, table: str) -> Any:
        answer = self.get(table)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def act(
        self,
        table: str,
        act: str,
        bid: str | None = None,
        *,
        key: str = "",
        length: int | None = None,
    ) -> Any:
        """Act as the table stands now, or as it was at that `length`."""
        if length is None:
            length = self.look(table)["game"]["length"]
        body = {"act": act, "length": length} | ({"bid": bid} if bid else {})
        return self.post(f"{table}acts/", body, **({"Idempotency-Key": key} if key else {}))


def two_at_a_table(club: Club, **body: Any) -> tuple[list[Program], str]:
    """Two programs at a table whose game has begun, in seat order."""
    programs = [Program(club), Program(club)]
    table = programs[0].opened(**body)
    assert programs[1].post(f"{table}sit/", {"seed": "sun"}).status_code == 200
    assert programs[0].post(f"{table}begin/").status_code == 200
    return programs, table
