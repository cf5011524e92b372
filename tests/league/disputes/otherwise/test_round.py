"""A corrected result is as good as having played it right the first time: or the organiser keeps
what was played."""

import json
from typing import Any

import pytest
from django.test import Client

from engine.illegal import Refused
from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.core.log.services import Actor
from league.disputes.correction.services import correction_preview, game_correct
from league.disputes.otherwise.domain.round import drawn_otherwise
from league.disputes.otherwise.services import played_keep
from league.events.entry.services.entry import entry_withdraw
from league.models import Entry, Event, Format, LogEntry, Season, Stage, StageRound, Table, User
from league.stages.draw.domain import drawn_from_input
from league.stages.result.domain.result import group_ranking
from league.stages.round.services import round_change, round_take_back
from tests.factories import events

pytestmark = pytest.mark.django_db
DUELS: dict[str, Any] = {"format": Format.SINGLE, "sizes": [2], "rounds": None}


WHY = Actor(reason="Two of one family.")


def stage_of_night(season: Season, count: int, **settings: Any) -> Stage:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, count))
    return events.stage(night, **settings)


def turned_round(game: Game) -> bytes:
    """The record of a game with its first and last place exchanged."""
    value = json.loads(write(sealed_record(game)[0]))
    ranks = value["outcome"]["rank"]
    most = max(ranks)
    value["outcome"]["rank"] = [{1: most, most: 1}.get(rank, rank) for rank in ranks]
    return json.dumps(value).encode()


def game_at(stage: Stage, number: int, table: int = 1) -> Game:
    found = Table.objects.get(
        stage_round__stage=stage, stage_round__number=number, number=table, finished=True
    )
    return found.results.get().game


def seated(stage: Stage, number: int) -> set[frozenset[str]]:
    facts = events.facts(stage)
    return {frozenset(facts.ids(table)) for table in facts.tables if table.round_number == number}


def order(stage: Stage) -> list[tuple[int, str, int]]:
    facts = events.facts(stage)
    return [
        (row.rank, row.participant.player_id, row.score)
        for row in group_ranking(facts, facts.groups[0].pk)
    ]


@pytest.mark.parametrize("settings", [{}, DUELS, {**DUELS, "format": Format.DOUBLE}])
def test_nothing_would_be_otherwise_where_nothing_was_corrected(
    season: Season, settings: dict[str, Any]
) -> None:
    stage = stage_of_night(season, 11, **settings)
    for _ in range(3):
        events.play(events.drawn(stage))
    assert drawn_otherwise(events.facts(stage)) == []


def test_who_comes_and_goes_later_is_no_correction(season: Season) -> None:
    stage = stage_of_night(season, 11)
    for _ in range(2):
        events.play(events.drawn(stage))
    entry_withdraw(entry=Entry.objects.latest("number"), actor=events.ACTOR)
    assert drawn_otherwise(events.facts(stage)) == []


def test_of_a_round_that_another_version_drew_nobody_knows_whether_it_would_be_otherwise(
    season: Season, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = stage_of_night(season, 12, seed="5e")
    events.play(events.drawn(stage))
    events.drawn(stage)
    wrong = game_at(stage, 1)
    game_correct(
        game=wrong, line=turned_round(wrong), reason="mixed up", entered_by_id=organiser.pk
    )
    assert [differs.stage_round.number for differs in drawn_otherwise(events.facts(stage))] == [2]
    monkeypatch.setattr("league.disputes.otherwise.domain.round.VERSION", 0)
    assert drawn_otherwise(events.facts(stage)) == []


@pytest.mark.parametrize("settings", [{}, DUELS])
def test_a_correction_taken_back_is_as_having_played_it_right(
    season: Season, organiser: User, settings: dict[str, Any]
) -> None:
    stage = stage_of_night(season, 12, seed="5e", **settings)
    events.play(events.drawn(stage))
    wrong = game_at(stage, 1)
    second = events.drawn(stage)
    drawn_wrong = seated(stage, 2)
    preview = correction_preview(game=wrong, line=turned_round(wrong))
    game_correct(
        game=wrong, line=turned_round(wrong), reason="mixed up", entered_by_id=organiser.pk
    )
    others = drawn_otherwise(events.facts(stage))
    assert preview.event is not None
    assert [row.number for each in preview.event.stages for row in each.in_names] == [2]
    assert [row.stage_round.number for row in others] == [2]
    round_take_back(stage_round=second, actor=events.ACTOR)
    events.drawn(stage)
    right = seated(stage, 2)
    assert right != drawn_wrong
    assert {frozenset(ids) for ids in others[0].now} == right - drawn_wrong
    events.play(StageRound.objects.get(stage=stage, number=2, status="published"))
    corrected = order(stage)

    # the same evening, right from the start
    first = StageRound.objects.get(stage=stage, number=1, status__in=["published", "finished"])
    ranks = {
        table.number: dict(zip(table.entries, table.games[0].ranks or (), strict=True))
        for table in events.facts(stage).tables
        if table.round_number == 1
    }
    round_take_back(stage_round=first, actor=events.ACTOR, with_results=True)
    events.drawn(stage)
    facts = events.facts(stage)
    for table in facts.tables:
        here = ranks[table.number]
        events.finish(
            table.public_id,
            [
                facts.members[entry].entry_id
                for entry in sorted(here, key=lambda entry: here[entry])
            ],
        )
    events.play(events.drawn(stage))
    assert seated(stage, 2) == right
    assert order(stage) == corrected


def test_the_organiser_keeps_what_was_played(season: Season, organiser: User) -> None:
    stage = stage_of_night(season, 12)
    events.play(events.drawn(stage))
    events.drawn(stage)
    wrong = game_at(stage, 1)
    game_correct(
        game=wrong, line=turned_round(wrong), reason="mixed up", entered_by_id=organiser.pk
    )
    assert played_keep(stage=stage, actor=events.ACTOR) == 1
    assert drawn_otherwise(events.facts(stage)) == []
    assert played_keep(stage=stage, actor=events.ACTOR) == 0
    assert LogEntry.objects.filter(action="round.kept").count() == 1


def test_a_second_correction_asks_again(season: Season, organiser: User) -> None:
    stage = stage_of_night(season, 12)
    events.play(events.drawn(stage))
    events.drawn(stage)
    for table in (1, 2):
        wrong = game_at(stage, 1, table)
        game_correct(
            game=wrong, line=turned_round(wrong), reason="mixed up", entered_by_id=organiser.pk
        )
        assert drawn_otherwise(events.facts(stage))
        played_keep(stage=stage, actor=events.ACTOR)


def test_the_cockpit_asks_and_both_answers_are_a_page_away(
    desk: Client, season: Season, organiser: User
) -> None:
    stage = stage_of_night(season, 12)
    events.play(events.drawn(stage))
    events.drawn(stage)
    wrong = game_at(stage, 1)
    corrected = f"/games/{wrong.public_id}/correct/"
    sent = {"text": turned_round(wrong).decode(), "reason": "mixed up"}
    assert "Later rounds were drawn from this result" in desk.post(corrected, sent).content.decode()
    desk.post(corrected, sent | {"confirm": "yes"})
    address = "/clubs/stern/desk/events/night-1/stages/1/otherwise/"
    assert address in desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    html = desk.get(address).content.decode()
    assert "As it would be drawn now" in html
    assert "/stages/1/rounds/2/take-back/" in html
    assert desk.post(address).status_code == 302
    assert address not in desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert desk.get(address).status_code == 302


def test_pages_that_look_again_draw_nothing_again(season: Season, organiser: User) -> None:
    stage = stage_of_night(season, 12, rounds=3)
    events.play(events.drawn(stage))
    events.play(events.drawn(stage))
    game = game_at(stage, 1)
    game_correct(
        game=game, line=turned_round(game), reason="typed wrong", entered_by_id=organiser.pk
    )
    drawn_from_input.cache_clear()
    first = drawn_otherwise(events.facts(stage))
    assert drawn_from_input.cache_info().misses == 1
    assert drawn_otherwise(events.facts(stage)) == first
    assert drawn_from_input.cache_info().misses == 1


def swap(stage_round: StageRound) -> None:
    """The organiser exchanges the first players of the first two tables."""
    facts = events.facts(stage_round.stage)
    tables = [
        list(facts.ids(table)) for table in facts.tables if table.round_number == stage_round.number
    ]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    draws = [draw.public_id for draw in facts.draws]
    assert round_change(stage_round=stage_round, tables=tables, draws_seen=draws, actor=WHY)


def test_what_the_organiser_changed_by_hand_is_no_correction(season: Season) -> None:
    stage = stage_of_night(season, 12)
    events.play(events.drawn(stage))
    swap(events.drawn(stage))
    assert drawn_otherwise(events.facts(stage)) == []


def test_rounds_changed_by_hand_cost_no_further_queries(
    season: Season, organiser: User, django_assert_num_queries: Any
) -> None:
    stage = stage_of_night(season, 12, rounds=3)
    events.play(events.drawn(stage))
    for _ in range(2):
        drawn = events.drawn(stage)
        swap(drawn)
        events.play(drawn)
    game = game_at(stage, 1)
    game_correct(
        game=game, line=turned_round(game), reason="typed wrong", entered_by_id=organiser.pk
    )
    facts = events.facts(stage)
    with django_assert_num_queries(0):
        others = drawn_otherwise(facts)
    assert [row.stage_round.number for row in others] == [2, 3]


def test_a_correction_keeps_to_those_at_the_table(season: Season, organiser: User) -> None:
    stage = stage_of_night(season, 8)
    events.play(events.drawn(stage))
    game = game_at(stage, 1)
    value = json.loads(write(sealed_record(game)[0]))
    elsewhere = [entry.player.handle for entry in Entry.objects.exclude(seats__table__number=1)]
    value["seats"][0] = elsewhere[0]
    line = json.dumps(value).encode()
    for attempt in (
        lambda: correction_preview(game=game, line=line),
        lambda: game_correct(
            game=game, line=line, reason="somebody else", entered_by_id=organiser.pk
        ),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.illegal.code == "wrong_table"
    assert Game.objects.filter(replaces__isnull=False).count() == 0
