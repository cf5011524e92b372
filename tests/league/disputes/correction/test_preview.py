"""What a void, or another reckoning of an entry, would change: told by the API before it is done,
and so it comes."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Game
from league.core.member.models.member import Role
from league.disputes.correction.queries.ranking import EffectRow, RankingEffect
from league.events.entry.services.entry import entry_change
from league.models import Club, Entry, Event, Season
from league.stages.course.services.event import event_move
from league.standings.standing.queries.standing import table_rows
from tests.factories import events
from tests.factories.counted import add_games, count
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.disputes.otherwise.test_stage import SHAPES, planned, play
from tests.league.floor.api.conftest import asker
from tests.league.stages.table.test_seats import counted, entry, night, regular

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club: Club) -> Season:
    made: Season = SeasonFactory.create(club=club, slug="autumn", scoring="placement")
    return made


def standing(season: Season) -> dict[str, tuple[int | None, int | None, int]]:
    """Rank, points and games of everybody in a season's table, by handle."""
    count(season)
    return {row.handle: (row.rank, row.points, row.games) for row in table_rows(season.ranking)}


def after(effect: dict[str, Any]) -> dict[str, tuple[int | None, int | None, int]]:
    """The same of those who are concerned, as a preview has it, without who would have no row."""
    rows = [row for row in effect["rows"] if row["games_after"]]
    return {
        row["handle"]: (row["rank_after"], row["points_after"], row["games_after"]) for row in rows
    }


def test_what_a_void_would_change_is_what_it_changes(season: Season) -> None:
    add_games(season, [bluff_record(seed) for seed in range(1, 6)])
    by_api = asker(member_key(season.club, Role.ARBITER)[0])
    game = Game.objects.earliest("pk")
    before = standing(season)
    path = f"/games/{game.public_id}/void/"
    answer = by_api(f"{path}preview/", {})
    assert answer.status_code == 200
    assert standing(season) == before, "a preview writes nothing"
    effect = next(row for row in answer.json()["rankings"] if row["season"] == season.slug)
    assert answer.json()["event"] is None
    assert by_api(path, {"reason": "A practice game."}).status_code == 200
    expected = standing(season)
    assert after(effect) == {handle: expected[handle] for handle in after(effect)}
    assert after(effect) != {handle: before[handle] for handle in after(effect)}
    assert code_of(by_api(f"{path}preview/", {})) == (422, "voided")
    restored = next(
        row
        for row in by_api(f"{path}preview/", {"stands": False}).json()["rankings"]
        if row["season"]
    )
    assert after(restored) == {handle: before[handle] for handle in after(restored)}


def test_a_void_tells_what_would_be_otherwise_at_the_event(season: Season) -> None:
    evening = planned(season, SHAPES["groups and a cup"])
    play(evening, "as it came")
    event_move(event=evening, status=Event.Status.FINISHED, actor=events.ACTOR)
    by_api = asker(member_key(season.club, Role.ORGANISER)[0])
    previews = [
        by_api(f"/games/{game.public_id}/void/preview/", {}).json()["event"]
        for game in Game.objects.all()
    ]
    affected = [stage for event in previews for stage in event["stages"]]
    assert {stage["name"] for stage in affected} >= {"Cup"}
    assert any(stage["new"] and stage["out"] for stage in affected)
    assert any(
        change["before"] != change["after"] for event in previews for change in event["finals"]
    )


def test_whom_an_entry_counts_for_is_previewed(season: Season) -> None:
    stage = night(season)
    mine, rosa = entry(stage), regular(season)
    by_api = asker(member_key(season.club, Role.ORGANISER)[0])
    before = counted(season.ranking)
    path = f"/clubs/{season.club.slug}/events/night-1/entries/{mine.public_id}/"
    (effect,) = by_api(f"{path}preview/", {"substitutes": rosa.public_id}).json()["rankings"]
    assert counted(season.ranking) == before, "a preview writes nothing"
    assert {row["handle"]: row["points_after"] for row in effect["rows"]} == {
        "p1": None,
        "rosa1": before["p1"][2],
    }
    (guest,) = by_api(f"{path}preview/", {"guest": True}).json()["rankings"]
    assert {row["handle"]: row["points_after"] for row in guest["rows"]} == {"p1": None}
    entry_change(entry=mine, substitutes=rosa, actor=events.ACTOR)
    counted(season.ranking)
    (back,) = by_api(f"{path}preview/", {"substitutes": None}).json()["rankings"]
    assert {row["handle"]: row["points_after"] for row in back["rows"]} == {
        "rosa1": None,
        "p1": before["p1"][2],
    }
    assert by_api(f"{path}preview/", {"substitutes": "nobody"}).status_code == 400


@pytest.mark.parametrize("role", [Role.SCORER, Role.PLAYER])
def test_who_may_not_do_it_sees_no_preview(season: Season, role: Role) -> None:
    night(season)
    by_api = asker(member_key(season.club, role)[0])
    assert (
        by_api(f"/games/{Game.objects.earliest('pk').public_id}/void/preview/", {}).status_code
        == 403
    )
    path = f"/clubs/{season.club.slug}/events/night-1/entries/{Entry.objects.earliest('pk').public_id}/"
    assert by_api(f"{path}preview/", {"guest": True}).status_code == 403


def test_whoever_moves_most_stands_first() -> None:
    rows = tuple(
        EffectRow(name, name, name, before, after, 3, points, 1, 1)
        for name, before, after, points in (
            ("stays", 4, 4, 3),
            ("gains points", 5, 5, 9),
            ("falls", 2, 10, 0),
            ("goes", 9, None, 0),
            ("climbs", 7, 4, 6),
        )
    )
    effect = RankingEffect(1, rows, None)
    assert [row.name for row in effect.movers] == [
        "falls",
        "climbs",
        "goes",
        "gains points",
        "stays",
    ]
    assert effect.moved == 3
