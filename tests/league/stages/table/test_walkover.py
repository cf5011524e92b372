"""A table that too many have left is given without play, as the rules of the stage say, and
everybody can see why."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from engine.illegal import Refused
from league.core.log.services import Actor
from league.counting.event_rebuild.services import event_rebuild
from league.events.entry.services.entry import entry_check_out, entry_return, entry_withdraw
from league.models import (
    Club,
    Entry,
    Event,
    Format,
    Role,
    Season,
    Stage,
    Table,
    TableSeat,
    Walkover,
)
from league.stages.course.services.stage import stage_finish
from league.stages.draw.domain import draw_input
from league.stages.placing.domain.place import stage_places
from league.stages.result.domain.result import group_ranking
from league.stages.round.services import round_ask, round_change, round_take_back
from league.stages.table.services.walkover import walkover_give, walkover_undo
from tests.factories import events
from tests.league.core.frame.api.programs import member_key
from tests.league.floor.api.conftest import asker

pytestmark = pytest.mark.django_db
DUELS: dict[str, Any] = {"sizes": [2], "scoring": "win_draw_loss"}
CUP: dict[str, Any] = {"format": Format.SINGLE, "sizes": [2], "rounds": None}
WHY = Actor(reason="The last train.")


def playing(season: Season, count: int, **settings: Any) -> Stage:
    """A stage with a published round."""
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, count))
    stage = events.stage(night, **settings)
    events.drawn(stage)
    return stage


def table_of(stage: Stage, number: int = 1) -> Table:
    found = Table.objects.select_related("stage_round__stage__event__club")
    return found.filter(stage_round__stage=stage, number=number).latest("pk")


def leave(table: Table, *seats: int) -> list[Entry]:
    """Those in these seats withdraw."""
    gone = [
        Entry.objects.select_related("event").get(seats__table=table, seats__seat=seat)
        for seat in seats
    ]
    for entry in gone:
        entry_withdraw(entry=entry, actor=events.ACTOR)
    return gone


def scores(stage: Stage) -> dict[str, int]:
    facts = events.facts(stage)
    return {
        row.participant.player_id: row.score // 840
        for group in facts.groups
        for row in group_ranking(facts, group.pk)
    }


def stayed(table: Table, gone: list[Entry]) -> list[str]:
    return [seat.entry.public_id for seat in table.seats.all() if seat.entry not in gone]


def test_in_duels_who_stays_has_a_bye_and_it_counts_like_any_other(season: Season) -> None:
    stage = playing(season, 6, **DUELS)
    table = table_of(stage)
    gone = leave(table, 0)
    (winner,) = stayed(table, gone)
    assert walkover_give(table=table, actor=WHY)
    assert not walkover_give(table=table, actor=WHY), "twice is once"
    assert Walkover.objects.get().absent == [gone[0].pk]
    assert scores(stage) == {
        seat.entry.public_id: 0 for seat in TableSeat.objects.exclude(entry=gone[0])
    } | {winner: 2}
    events.play(table.stage_round)
    facts = events.facts(stage)
    assert {
        it.player_id: it.byes for it in draw_input(facts, facts.groups[0].pk, "5e", ()).participants
    }[winner] == 1
    events.drawn(stage)
    facts = events.facts(stage)
    assert [id for round, id in facts.byes(facts.groups[0].pk)] != [winner], (
        "another one sits out next"
    )
    assert event_rebuild(event_id=stage.event_id, actor=events.ACTOR).wrong == 0


@pytest.mark.parametrize(("sizes", "points"), [([4, 3], 1.5), ([3], 1)])
def test_at_a_larger_table_who_is_left_alone_has_half_of_a_win(
    season: Season, sizes: list[int], points: float
) -> None:
    stage = playing(season, 3 * len(sizes) + 1 if len(sizes) > 1 else 6, sizes=sizes)
    table = table_of(stage)
    gone = leave(table, *range(1, table.seats.count()))
    walkover_give(table=table, actor=WHY)
    facts = events.facts(stage)
    rows = {
        row.participant.player_id: row.points for row in group_ranking(facts, facts.groups[0].pk)
    }
    assert rows[stayed(table, gone)[0]] == points


def test_a_larger_table_plays_on_short_while_two_are_there(season: Season) -> None:
    stage = playing(season, 8)
    table = table_of(stage)
    gone = leave(table, 1, 2)
    with pytest.raises(ValidationError, match="There are enough players"):
        walkover_give(table=table, actor=WHY)
    events.finish(table.public_id, stayed(table, gone))
    assert Table.objects.get(pk=table.pk).finished
    assert [scores(stage)[id] for id in stayed(table, gone)] == [3, 0]


@pytest.mark.parametrize("format", [Format.SINGLE, Format.DOUBLE])
def test_in_a_knock_out_who_stays_goes_on(season: Season, format: str) -> None:
    stage = playing(season, 4, **{**CUP, "format": format})
    table = table_of(stage)
    gone = leave(table, 1)
    walkover_give(table=table, actor=WHY)
    events.play(table.stage_round)
    for _ in range(4 if format == Format.DOUBLE else 1):
        events.play(events.drawn(stage), best=stayed(table, gone))
        if not events.facts(stage).open_tables and stage_places(events.facts(stage))[1].place == 2:
            break
    assert (
        stage_places(events.facts(stage))[0].entry
        == Entry.objects.get(public_id=stayed(table, gone)[0]).pk
    )
    stage_finish(stage=stage, actor=events.ACTOR)


def test_of_a_knock_out_s_larger_table_no_more_may_stay_than_go_on(season: Season) -> None:
    stage = playing(season, 8, **{**CUP, "sizes": [4], "advance": 2})
    table = table_of(stage)
    gone = leave(table, 0)
    with pytest.raises(ValidationError, match="There are enough players"):
        walkover_give(table=table, actor=WHY)
    gone += leave(table, 1)
    walkover_give(table=table, actor=WHY)
    events.play(table.stage_round)
    second = events.drawn(stage)
    facts = events.facts(stage)
    (final,) = [facts.ids(row) for row in facts.tables if row.round_number == second.number]
    assert set(stayed(table, gone)) < set(final)


def test_if_nobody_stays_the_round_brings_nobody_anything(season: Season) -> None:
    stage = playing(season, 4, **DUELS)
    table = table_of(stage)
    leave(table, 0, 1)
    walkover_give(table=table, actor=WHY)
    assert set(scores(stage).values()) == {0}


def test_who_was_only_checked_out_counts_as_away_too(season: Season) -> None:
    stage = playing(season, 4, **DUELS)
    table = table_of(stage)
    entry_check_out(entry=Entry.objects.get(seats__table=table, seats__seat=0), actor=events.ACTOR)
    assert walkover_give(table=table, actor=WHY)


def test_games_that_were_played_before_somebody_left_count_in_the_season_alone(
    season: Season,
) -> None:
    stage = playing(season, 2, sizes=[2], scoring="best_of", games=3)
    table = table_of(stage)
    ids = stayed(table, [])
    events.finish(table.public_id, ids)
    gone = leave(table, 0)
    walkover_give(table=table, actor=WHY)
    assert scores(stage) == {stayed(table, gone)[0]: 1}, "who left played no table to its end"
    assert table.table_games.count() == 1


def test_it_can_be_undone_until_the_next_round_is_drawn(season: Season) -> None:
    stage = playing(season, 6, **DUELS)
    table = table_of(stage)
    (gone,) = leave(table, 0)
    walkover_give(table=table, actor=WHY)
    with pytest.raises(Refused, match="awarded without play"):
        events.finish(table.public_id, stayed(table, []))
    with pytest.raises(ValidationError, match="has results"):
        round_change(stage_round=table.stage_round, tables=[], draws_seen=[], actor=WHY)
    entry_return(entry=gone, actor=events.ACTOR)
    assert walkover_undo(table=table, actor=events.ACTOR)
    assert not walkover_undo(table=table, actor=events.ACTOR)
    assert [row.stands for row in Walkover.objects.order_by("revision")] == [True, False]
    with pytest.raises(ValidationError, match="Enter the results"):
        round_ask(stage=stage, actor=events.ACTOR)
    leave(table, 0)
    walkover_give(table=table, actor=WHY)
    events.play(table.stage_round)
    second = events.drawn(stage)
    with pytest.raises(ValidationError, match="Take that round back first"):
        walkover_undo(table=table, actor=events.ACTOR)
    round_take_back(stage_round=second, actor=events.ACTOR)
    assert walkover_undo(table=table, actor=events.ACTOR)


def test_it_needs_a_reason_and_a_round_that_is_played(season: Season) -> None:
    stage = playing(season, 4, **DUELS)
    table = table_of(stage)
    leave(table, 0)
    with pytest.raises(ValidationError, match="Say why"):
        walkover_give(table=table, actor=Actor())
    round_take_back(stage_round=table.stage_round, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="isn’t being played"):
        walkover_give(table=table, actor=WHY)


@pytest.mark.parametrize("count", range(2, 8))
@pytest.mark.parametrize("settings", [DUELS, {}, CUP])
def test_however_many_leave_the_round_can_be_ended(
    season: Season, settings: dict[str, Any], count: int
) -> None:
    if settings == {} and count in (2, 5):
        settings = {"sizes": [2, 3]}
    stage = playing(season, count, **settings)
    table = table_of(stage)
    for seat in range(table.seats.count()):
        leave(table, seat)
        try:
            walkover_give(table=table, actor=WHY)
            break
        except ValidationError:
            continue
    events.play(table.stage_round)
    assert events.facts(stage).open_tables == []


def test_one_button_gives_it_and_everybody_sees_why(
    desk: Client, season: Season, club: Club
) -> None:
    stage = playing(season, 4, **DUELS)
    table = table_of(stage)
    address = f"/tables/{table.public_id}/walkover/"
    assert desk.get(address).status_code == 404, "it can be played"
    entry = Entry.objects.get(seats__table=table, seats__seat=0)
    page = f"/clubs/stern/desk/events/night-1/entries/{entry.public_id}/no-show/"
    assert "which isn’t finished" in desk.get(page).content.decode()
    desk.post(page)
    assert address in desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    html = desk.get(address).content.decode()
    assert 'value="Didn’t come"' in html
    assert "the same as for a bye" in html
    assert Client().post(address, {"reason": "x"}).status_code == 302, "to sign in"
    assert desk.post(address, {"reason": ""}).status_code == 200
    assert desk.post(address, {"reason": "Didn’t come"}).status_code == 302
    for public in (f"/tables/{table.public_id}/", "/clubs/stern/events/night-1/stages/1/rounds/1/"):
        text = " ".join(Client().get(public).content.decode().split())
        assert "Without play for:" in text
        assert "Reason: Didn’t come" in text
    answer = asker("")(f"/tables/{table.public_id}/").json()
    (winner,) = stayed(table, [entry])
    assert (answer["finished"], answer["walkover"]["reason"]) == (True, "Didn’t come")
    assert [member["entry"] for member in answer["walkover"]["to"]] == [winner]
    assert "is played after all" in desk.get(address).content.decode()
    assert desk.post(address).status_code == 302
    assert not Table.objects.get(pk=table.pk).finished


def test_programs_of_organisers_can_give_a_table_too(
    season: Season, club: Club, secret: str
) -> None:
    stage = playing(season, 4, **DUELS)
    table = table_of(stage)
    leave(table, 0)
    run = asker(member_key(club, Role.ORGANISER)[0])
    path = f"/tables/{table.public_id}/walkover/"
    assert asker(secret)(path, {"reason": "x"}).status_code == 403
    assert run(path, {"reason": "x"}).json()["finished"]
    assert run(path, {"reason": "x", "stands": False}).json()["walkover"] is None


def test_the_bracket_says_that_a_table_wasn_t_played(client: Client, season: Season) -> None:
    stage = playing(season, 4, **CUP)
    table = table_of(stage)
    leave(table, 0)
    walkover_give(table=table, actor=WHY)
    html = client.get("/clubs/stern/events/night-1/stages/1/bracket/").content.decode()
    assert "Without play" in html
