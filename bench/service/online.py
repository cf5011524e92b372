"""What an act at an online table costs, by its page: a bid of one of two people who sit there.

With ever more tables in play beside it, and beside a look at the API's index, which grows with
nothing."""

from __future__ import annotations

from typing import Final
from uuid import uuid4

from django.db import connection
from django.test import Client

from bench.service import online_load
from bench.service.cost import WorkCost, cost, middle
from engine.bluff.track import TEXT
from games.models import SheetEntry
from games.queries.online_game import online_game
from league.core.club.services import club_create
from league.core.log.services import Actor
from league.core.member.services.member import member_add
from league.models import Club, Role, User
from league.play.online_table.services.lobby import (
    automatic_sit,
    online_table_open,
    seat_take,
    table_start,
)

BESIDE: Final = (1, 100, 500)
"""Tables in play besides the one that is measured."""
ACTS: Final = 30
"""Of which the median is taken; the first isn't measured."""
RULES: Final = {"exact": "all", "reroll": False, "dice": 20, "scoring": "placement"}
SETTINGS: Final = {"most_seats": 2, "move_seconds": 60, "bank_seconds": 0}


class TwoPeople:
    """A table of two people, who raise by one field each time, and lift the cups near the end of
    the track."""

    def __init__(self, club: Club, host: User) -> None:
        self.table = online_table_open(club=club, user=host, rules=RULES, settings=SETTINGS)
        guest = User.objects.create_user("guest")
        seat_take(table=self.table, user=guest, name="")
        self.table = table_start(table=self.table)
        self.path = f"/play/{self.table.public_id}/act/"
        self.clients = [Client(headers={"host": "localhost"}) for _ in range(2)]
        for client, user in zip(self.clients, (host, guest), strict=True):
            client.force_login(user)

    def act(self) -> WorkCost:
        """Make one move of the seat whose turn it is; return what the service spent on it."""
        assert self.table.open_game_id is not None
        now = online_game(self.table.open_game_id).sheet.round
        length = SheetEntry.objects.filter(sheet__open_game=self.table.open_game_id).count()
        body: dict[str, object] = {"key": str(uuid4()), "length": length, "act": "challenge"}
        if now.bid < len(TEXT) - 10:
            body |= {"act": "bid", "typed": TEXT[now.bid + 1]}
        with cost() as spent:
            answer = self.clients[now.turn].post(self.path, body)
        assert answer.status_code == 302, answer.content
        return spent

    def look(self) -> WorkCost:
        """Read the API's index."""
        with cost() as spent:
            assert self.clients[0].get("/api/v1/").status_code == 200
        return spent


def measure() -> None:
    """Print the cost of an act for each number of tables beside, then how many at once go."""
    print(f"\nOne act at an online table, by its page  (median of {ACTS}; ratios to the first row)")
    print(f"  {'':<34} {'CPU':>10} {'of it database':>15} {'queries':>8} {'rows':>5}")
    club = club_create(actor=Actor(), slug="online", name="Online")
    host = User.objects.create_user("host")
    member_add(club=club, user=host, role=Role.ORGANISER, actor=Actor())
    people = TwoPeople(club, host)
    opened = 0
    first = 0.0
    for beside in BESIDE:
        for _ in range(beside - opened):
            _play_beside(club, host)
        opened = beside
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        pairs = [(people.act(), people.look()) for _ in range(1 + ACTS)][1:]
        act, look = middle([act for act, _ in pairs]), middle([look for _, look in pairs])
        first = first or act.cpu
        print(
            f"  {f'{beside:,} tables beside':<34} {act.cpu:>7.2f} ms {act.database:>12.2f} ms "
            f"{act.queries:>8}"
            f" {act.rows:>5}   {act.cpu / look.cpu:.1f}× the index   {act.cpu / first:.2f}×"
        )
    online_load.measure(club)


def _play_beside(club: Club, host: User) -> None:
    """Open one more table, at which an automatic player waits for its host."""
    table = online_table_open(club=club, user=host, rules=RULES, settings=SETTINGS)
    automatic_sit(table=table, strength="easy")
    table_start(table=table)
