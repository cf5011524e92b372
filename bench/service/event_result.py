"""What one result of an event's table costs, from the form or the request that brings it to the
season's counted row.

With 16 and with 1,000 who take part, and once more with half a million games of another club in the
tables: 100 real games, copied by the database itself (see `copy_games`), which takes some minutes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import sleep, time
from typing import Final

from django.conf import settings
from django.db import connection
from django.test import Client

from bench.service.cost import WorkCost, cost, middle
from bench.service.events import organiser_of, running_stage
from bench.service.league import copy_games, new_season
from league.core.key.services.key import key_create
from league.models import Stage, Table
from league.notices.notice.services.notice import notices_read
from league.standings.ranking.services.counting import ranking_count
from league.up.roles import connected_as
from tests.factories import events

SIZES: Final = (16, 1_000)
TABLES: Final = 4
GAMES: Final = 6
"""So many games are played at each table; the first isn't measured, for it brings its players into
the ranking."""
COPIES: Final = (99, 49)
"""100 games become 10,000, and these 500,000."""

Enter = Callable[[Table, list[str], int], None]


@dataclass(slots=True)
class Entered:
    """A stage whose results come in one way, and what each of them has cost."""

    title: str
    stage: Stage
    enter: Enter
    costs: list[WorkCost] = field(default_factory=list)


def measure() -> None:
    """Print the cost of one result for each size, entered on its page and by the API."""
    print(f"\nOne result of an event  (median of {TABLES * (GAMES - 1)}; ratios to 16 players)")
    print(f"  {'':<42} {'CPU':>10} {'of it database':>15} {'queries':>8} {'rows':>5}")
    for beside in ("", ", 500,000 games beside"):
        if beside:
            _other_games()
        entered = [drawn(players, way, beside) for way in (_by_page, by_api) for players in SIZES]
        with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
            cursor.execute(
                "VACUUM ANALYZE"
            )  # as the database does by itself within minutes after so many new rows
        enter_all(entered)
        found = [middle(one.costs) for one in entered]
        for one, each, first in zip(
            entered, found, [same for same in found[::2] for _ in SIZES], strict=True
        ):
            cpu = (
                f"{each.cpu:7.2f} ms {each.database:12.2f} ms {each.queries:>8.0f} "
                f"{each.rows:>5.0f}"
            )
            print(f"  {one.title:<42} {cpu}   {each.cpu / first.cpu:.2f}×", flush=True)


def drawn(players: int, way: Callable[[Stage], Enter], beside: str) -> Entered:
    """A stage of so many with a round that is published and not played."""
    stage = running_stage(players, games=GAMES)
    events.drawn(stage)
    title = f"{players:,} players, {'by the page' if way is _by_page else 'by the API'}{beside}"
    return Entered(title, stage, way(stage))


def enter_all(entered: Sequence[Entered]) -> None:
    """Enter the results of all stages in turn, so that a busy machine slows all of them alike.

    Of a club there is one a second: of games of the same second the later one may stand before the
    other, and costs a little more."""
    facts = [events.facts(one.stage) for one in entered]
    for number in range(1, GAMES + 1):
        for place in range(TABLES):
            for one, of in zip(entered, facts, strict=True):
                row = of.tables[place * len(of.tables) // TABLES]
                table = Table.objects.get(pk=row.pk)
                with cost() as found:
                    one.enter(table, list(of.ids(row)), number)
                    ranking_count(ranking_id=one.stage.event.season.ranking_id)
                    notices_read(club_id=one.stage.event.club_id)
                one.costs += [found] * (number > 1)
            sleep(1 - time() % 1)


def _by_page(stage: Stage) -> Enter:
    client = Client(headers={"host": "localhost"})
    client.force_login(organiser_of(stage))

    def enter(table: Table, ids: list[str], number: int) -> None:
        places = {f"place_{player_id}": str(place) for place, player_id in enumerate(ids, start=1)}
        answer = client.post(
            f"/tables/{table.public_id}/result/", {"number": number, "sure": "yes", **places}
        )
        assert answer.status_code == 302, answer.content

    return enter


def by_api(stage: Stage) -> Enter:
    _, secret = key_create(club=stage.event.club, user=organiser_of(stage), label="bench")
    client = Client(headers={"host": "localhost", "authorization": f"Bearer {secret}"})

    def enter(table: Table, ids: list[str], number: int) -> None:
        finishes = [
            {"entry": player_id, "rank": place} for place, player_id in enumerate(ids, start=1)
        ]
        body = json.dumps({"finishes": finishes, "number": number})
        answer = client.post(
            f"/api/v1/tables/{table.public_id}/outcome/", body, content_type="application/json"
        )
        assert answer.status_code == 200, answer.content

    return enter


def _other_games() -> None:
    """Half a million games of another club, counted, with seats, rounds and entries in its log."""
    season = new_season(28)
    for copies in COPIES:
        copy_games(season, copies, counted=True)
