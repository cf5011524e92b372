"""A game that time ended has one answer, whichever way it comes in and wherever it is asked: a law
over ends at random. Ruling B20."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.cli.main import main
from engine.clock import CLOCK
from engine.notation.text import render
from engine.record.record import Record, read
from games.queries.game import sealed_record
from league.models import Club, Player, Season, StageScoring, Table, TableScore
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.models import Notes
from league.standings.standing.queries.standing import table_rows
from tests.engine.record.broken_off import random_end
from tests.factories.league import SeasonFactory
from tests.league.core.frame.api.programs import get, member_key
from tests.league.floor.api.conftest import asker
from tests.league.stages.result.test_result import ids_at, published, table_of

pytestmark = pytest.mark.django_db


def ends() -> list[dict[str, Any]]:
    """Outcomes of games of four with five dice each that time ended: all had dice, one went out,
    one of two left."""
    games = [random_end(seed) for seed in range(3000)]
    outcomes = [
        game["outcome"] for game in games if len(game["seats"]) == 4 and game["rules"]["dice"] == 5
    ]
    by_clock = [outcome for outcome in outcomes if "ended" in outcome]
    shapes = {
        (outcome["dice"].count(0), len(outcome.get("forfeit", ()))): outcome for outcome in by_clock
    }
    return [shapes[shape] for shape in ((0, 0), (1, 0), (2, 1))]


def record_of(table: Table, outcome: dict[str, Any]) -> str:
    """A game of a table as a record."""
    handles = list(
        Player.objects.filter(entries__seats__table=table).order_by("entries__seats__seat")
    )
    head = {
        "v": 1,
        "id": f"end-{table.pk}",
        "game": "bluff",
        "rules": {"scoring": "cntdice"},
        "opener": 0,
    }
    return json.dumps(head | {"seats": [player.handle for player in handles], "outcome": outcome})


def by_form(desk: Client, table: Table, outcome: dict[str, Any]) -> None:
    """Tap it in: the places of who went out, with their points; the dice of who was left, from
    which theirs follow."""
    form: dict[str, Any] = {"number": 1, "clock": "on", "sure": "yes"}
    for seat, entry_id in enumerate(ids_at(table)):
        if outcome["dice"][seat]:
            form[f"dice_{entry_id}"] = str(outcome["dice"][seat])
        else:
            left = "left" if seat in outcome.get("forfeit", ()) else ""
            form[f"place_{entry_id}"] = f"{left}{outcome['rank'][seat]}"
            form[f"points_{entry_id}"] = str(outcome["points"][seat])
    assert desk.post(reverse("table-result", args=[table.public_id]), form).status_code == 302


def by_text(desk: Client, table: Table, text: str) -> None:
    address = reverse("table-result", args=[table.public_id])
    assert desk.post(address, {"text": text, "sure": "yes"}).status_code == 302


def by_api(season: Season, table: Table, outcome: dict[str, Any]) -> None:
    finishes = [
        {
            "entry": entry_id,
            "rank": rank,
            "points": points,
            "dice": dice,
            "left": seat in outcome.get("forfeit", ()),
        }
        for seat, (entry_id, rank, points, dice) in enumerate(
            zip(ids_at(table), outcome["rank"], outcome["points"], outcome["dice"], strict=True)
        )
    ]
    ask = asker(member_key(season.club)[0])
    assert (
        ask(
            f"/tables/{table.public_id}/outcome/", {"finishes": finishes, "ended": CLOCK}
        ).status_code
        == 200
    )


@pytest.mark.parametrize("outcome", ends())
def test_form_record_notation_api_and_the_command_give_one_answer(
    desk: Client,
    club: Club,
    outcome: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    season = SeasonFactory.create(club=club, slug="dice", scoring="cntdice", notes=Notes.POINTS)
    stage = published(season, 16, scoring=StageScoring.CNTDICE)
    tables = [table_of(stage, number) for number in (1, 2, 3, 4)]
    by_form(desk, tables[0], outcome)
    by_text(desk, tables[1], record_of(tables[1], outcome))
    record = read(record_of(tables[2], outcome))
    assert isinstance(record, Record)
    by_text(desk, tables[2], render(record))
    by_api(season, tables[3], outcome)

    expected = (
        outcome["rank"],
        outcome["points"],
        outcome["dice"],
        set(outcome.get("forfeit", ())),
        CLOCK,
    )
    for table in tables:
        score = TableScore.objects.select_related("game").get(table=table)
        end = sealed_record(score.game)[0].outcome
        assert end is not None
        assert (score.ranks, score.points) == expected[:2]
        assert (
            list(end.rank),
            score.points,
            list(end.dice or ()),
            set(end.forfeit),
            end.ended,
        ) == expected
        (game,) = get(f"/tables/{table.public_id}/").json()["games"]
        finishes = {
            finish["entry"]: (finish["rank"], finish["points"]) for finish in game["finishes"]
        }
        assert finishes == dict(
            zip(ids_at(table), zip(outcome["rank"], outcome["points"], strict=True), strict=True)
        )

    ranking_count(ranking_id=season.ranking_id)
    published_rows = {row.handle: (row.points, row.wins) for row in table_rows(season.ranking)}
    assert sorted(points for points, _ in published_rows.values()) == sorted(outcome["points"] * 4)
    file = tmp_path / "games.ndjson"
    file.write_bytes(get(f"/clubs/{club.slug}/seasons/dice/games.ndjson").getvalue())
    assert main(["table", str(file), "--scoring", "cntdice", "--rated"]) == 0
    computed = {
        row["handle"]: (int(row["points"]), int(row["wins"]))
        for row in csv.DictReader(io.StringIO(capsys.readouterr().out))
    }
    assert computed == published_rows
