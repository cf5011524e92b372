"""An evening of free tables: who is there sits down together, plays, and gets up again."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.reasons import explain_row
from engine.scoring.stage.results import StageResults
from engine.scoring.stage.stage_file import read_stage, write_stage
from games.models import Game
from league.core.log.ledger import ledger_differences
from league.core.log.services import Actor
from league.counting.event_rebuild.services import event_rebuild
from league.events.entry.services.entry import entry_withdraw
from league.floor.cockpit.queries.cockpit import cockpit
from league.models import (
    Event,
    Format,
    Role,
    Season,
    SeasonGame,
    Stage,
    StageRound,
    Standing,
    Table,
)
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import evening_begin, stage_finish, stage_resume
from league.stages.placing.domain.place import stage_places
from league.stages.result.domain.result import group_ranking, group_results
from league.stages.round.services import round_ask, round_take_back
from league.stages.table.services.table import table_set_up
from league.stages.table.services.walkover import walkover_give, walkover_undo
from league.standings.ranking.services.counting import ranking_count
from tests.factories import events
from tests.factories.league import MembershipFactory
from tests.league.counting.event_rebuild.rebuilt import differences
from tests.league.stages.round.test_round import at_once

pytestmark = pytest.mark.django_db
FREE: dict[str, Any] = {"format": Format.FREE, "sizes": [4], "rounds": None}
PAGE = "/clubs/stern/desk/events/night-1/stages/1/table/"
WHY = Actor(reason="Nobody played there.")


def evening(season: Season, count: int = 6, **settings: Any) -> tuple[Stage, list[str]]:
    """A stage of free tables that runs, and the ids of the entries that are there."""
    night = events.event(season, status=Event.Status.RUNNING)
    entries = events.crowd(night, count)
    return events.stage(night, **FREE, **settings), [entry.public_id for entry in entries]


def sit(stage: Stage, *players: str) -> Table:
    return table_set_up(stage=stage, players=players, actor=events.ACTOR)


def play(stage: Stage, *players: str) -> Table:
    """They sit down, and finish in this order."""
    table = sit(stage, *players)
    events.finish(table.public_id, players)
    return table


def scores(stage: Stage) -> dict[str, int]:
    facts = events.facts(stage)
    return {
        row.participant.player_id: row.score // 840
        for row in group_ranking(facts, facts.groups[0].pk)
    }


def agree(stage: Stage) -> None:
    """What is stored follows from the facts, and the log tells it."""
    assert differences(stage.event) == []
    assert list(ledger_differences(stage.event.club_id)) == []


def test_tables_are_set_up_one_after_the_other_in_one_round(season: Season) -> None:
    stage, (a, b, c, d, e, f) = evening(season)
    first, second = sit(stage, a, b, c), sit(stage, d, e)
    events.finish(second.public_id, [d, e])
    third = play(stage, d, f)
    events.finish(first.public_id, [a, b, c])
    assert [(table.number, table.place) for table in (first, second, third)] == [
        (1, "1"),
        (2, "2"),
        (3, "3"),
    ]
    stage_round = StageRound.objects.get()
    assert {first.stage_round, second.stage_round, third.stage_round} == {stage_round}
    assert stage_round.status == StageRound.Status.PUBLISHED
    assert scores(stage) == {a: 3, b: 1, c: 0, d: 6, e: 0, f: 0}, (
        "a table of two counts as much as one of four"
    )
    agree(stage)
    stage_finish(stage=stage, actor=events.ACTOR)
    stage_resume(stage=stage, actor=events.ACTOR)
    assert play(stage, e, f).number == 4
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=stage.event, status=Event.Status.FINISHED, actor=events.ACTOR)
    agree(stage)
    assert [place.place for place in stage_places(events.facts(stage))][:1] == [1]


def test_those_who_sit_together_again_are_ranked_the_same_from_the_file(season: Season) -> None:
    stage, (a, b, c, d) = evening(season, 4)
    for order in ((a, b, c), (c, b, a), (b, a), (d, a, b, c)):
        ids = sorted(order)
        events.finish(sit(stage, *ids).public_id, order)
    facts = events.facts(stage)
    results = group_results(facts, facts.groups[0].pk)
    line = write_stage(results)
    turned = StageResults(results.rules, results.participants, results.tables[::-1], results.byes)
    assert write_stage(turned) == line, "the file doesn't depend on the order of tables"
    read = read_stage(line)
    assert isinstance(read, StageResults)
    reasons = [sentence.template for row in stage_ranking(read) for sentence in explain_row(row)]
    assert any(reason.startswith("table {table}: place {place} of {seats}") for reason in reasons)
    assert not [sentence for sentence in reasons if "round" in sentence]
    ranked = [(row.rank, row.participant.player_id, row.score) for row in stage_ranking(read)]
    assert ranked == [
        (row.rank, row.participant.player_id, row.score)
        for row in group_ranking(facts, facts.groups[0].pk)
    ]


def test_who_comes_late_gets_in_with_the_next_table(season: Season) -> None:
    stage, (a, b, *_) = evening(season, 4)
    play(stage, a, b)
    late, gone = events.crowd(stage.event, 2, prefix="late")
    entry_withdraw(entry=gone, actor=events.ACTOR)
    table = sit(stage, late.public_id, a)
    assert events.facts(stage).members[late.pk].seed == 5
    events.finish(table.public_id, [late.public_id, a])
    assert scores(stage)[late.public_id] == 3
    agree(stage)
    with pytest.raises(ValidationError, match="checked in can play"):
        sit(stage, gone.public_id, a)


def test_nobody_sits_at_two_tables_at_once(season: Season) -> None:
    stage, (a, b, c, *_) = evening(season)
    table = sit(stage, a, b)
    for again in ((a, b), (b, c)):
        with pytest.raises(ValidationError, match="still sit at a table without a result"):
            sit(stage, *again)
    events.finish(table.public_id, [a, b])
    assert sit(stage, b, c).number == 2


def test_a_table_has_two_to_six_different_players(season: Season) -> None:
    stage, ids = evening(season, 7)
    for players in (ids[:1], ids, [ids[0], ids[0]]):
        with pytest.raises(ValidationError, match="2 to 6 different players"):
            sit(stage, *players)
    assert len(sit(stage, *ids[:6]).seats.all()) == 6
    with pytest.raises(ValidationError, match="checked in can play"):
        sit(stage, ids[6], "nobody")


def test_only_a_format_without_draw_has_tables_that_are_set_up(season: Season) -> None:
    swiss = events.event(season, status=Event.Status.RUNNING)
    ids = [entry.public_id for entry in events.crowd(swiss, 4)]
    drawn = events.stage(swiss)
    with pytest.raises(ValidationError, match="ladders and free tables that have started"):
        sit(drawn, *ids)
    assert not Table.objects.exists()


def test_free_tables_are_not_drawn(season: Season) -> None:
    stage, _ = evening(season)
    for ahead in (False, True):
        with pytest.raises(ValidationError, match="This format has no draw"):
            round_ask(stage=stage, actor=events.ACTOR, ahead=ahead)


def test_an_evening_begins_without_a_draw(season: Season) -> None:
    night = events.event(season)
    events.crowd(night, 5)
    stage = events.stage(night, start=False, **FREE)
    evening_begin(stage=stage, actor=events.ACTOR)
    stage.refresh_from_db()
    assert stage.status == Stage.Status.RUNNING
    assert not StageRound.objects.exists()


def test_a_table_that_is_taken_back_brings_nobody_anything_and_its_games_are_void(
    season: Season,
) -> None:
    stage, (a, b, c, *_) = evening(season)
    wrong, right = play(stage, a, b, c), play(stage, b, c)
    with pytest.raises(ValidationError, match="Say why"):
        walkover_give(table=wrong, actor=Actor())
    assert walkover_give(table=wrong, actor=WHY)
    assert not walkover_give(table=wrong, actor=WHY), "twice is once"
    assert scores(stage)[a] == 0
    assert scores(stage)[b] == 3
    ranking_count(ranking_id=season.ranking_id)
    counted = Standing.objects.filter(ranking=season.ranking_id, games__gt=0)
    assert {row.player.handle for row in counted.select_related("player")} == {"p2", "p3"}
    agree(stage)
    assert sit(stage, a, c).number == 3, "its number isn't given again"
    assert walkover_undo(table=wrong, actor=events.ACTOR)
    wrong.refresh_from_db()
    assert not wrong.finished
    agree(stage)
    with pytest.raises(ValidationError, match="Enter the results"):
        stage_finish(stage=stage, actor=events.ACTOR)
    assert right.public_id in {
        table.public_id for table in events.facts(stage).tables if table.finished
    }


def test_of_a_table_that_is_taken_back_who_stayed_has_no_bye(season: Season) -> None:
    stage, (a, b, *_) = evening(season)
    table = sit(stage, a, b)
    entry_withdraw(entry=stage.event.entries.get(public_id=a), actor=events.ACTOR)
    walkover_give(table=table, actor=WHY)
    assert scores(stage)[b] == 0
    agree(stage)


def test_all_tables_can_be_taken_back_and_stay_readable(season: Season, client: Client) -> None:
    stage, (a, b, c, d, *_) = evening(season)
    first, _ = play(stage, a, b), sit(stage, c, d)
    round_take_back(stage_round=first.stage_round, actor=WHY, with_results=True)
    assert events.facts(stage).tables == ()
    assert client.get(f"/tables/{first.public_id}/").status_code == 200
    again = sit(stage, a, c)
    assert (again.number, again.stage_round.number) == (1, 1)
    assert again.stage_round != first.stage_round
    agree(stage)
    history = client.get("/clubs/stern/events/night-1/").content.decode()
    assert "Round 1 of “Main” taken back" in history


def test_a_rebuild_gives_every_table_its_own_number_and_seats(season: Season) -> None:
    stage, (a, b, c, d, e, f) = evening(season)
    play(stage, a, b, c)
    play(stage, d, e)
    sit(stage, f, a)
    stored = [(table.pk, table.number, table.entries) for table in events.facts(stage).tables]
    first, second, _ = Table.objects.order_by("pk")
    Table.objects.filter(pk=first.pk).update(number=100)
    Table.objects.filter(pk=second.pk).update(number=1)
    Table.objects.filter(pk=first.pk).update(number=2, finished=False, label="forged")
    second.seats.all().delete()
    assert len(differences(stage.event)) >= 4
    event_rebuild(event_id=stage.event_id, actor=events.ACTOR)
    assert [
        (table.pk, table.number, table.entries) for table in events.facts(stage).tables
    ] == stored
    agree(stage)


def test_the_page_offers_those_who_sit_nowhere_and_seats_who_has_opened_least_first(
    desk: Client, season: Season
) -> None:
    stage, (a, b, c, d, *_) = evening(season, 5)
    play(stage, a, b)
    sit(stage, c, d)
    late = events.crowd(stage.event, 1, prefix="late")[0].public_id
    form = desk.get(PAGE).context["form"]
    assert [name for _, name in form.fields["players"].choices] == ["late1", "p1", "p2", "p5"]
    sent = {"players": [a, b, late]}
    answer = desk.post(PAGE, sent, follow=True).content.decode()
    assert "The table is set up." in answer
    facts = events.facts(stage)
    assert facts.ids(facts.tables[-1]) == (b, late, a), "who has opened less opens"
    again = desk.post(PAGE, sent).content.decode()
    assert "Select a valid choice" in again
    assert "Tap the players who sit down" in desk.post(PAGE, {}).content.decode()
    assert "Nobody is waiting for a table" in desk.get(PAGE).content.decode()


def test_the_queue_is_led_by_who_has_played_least_and_longest_ago(
    desk: Client, season: Season
) -> None:
    stage, (a, b, c, d, e, f) = evening(season)
    play(stage, a, b)
    play(stage, a, c)
    play(stage, d, e)
    queue = [entry_id for entry_id, _ in desk.get(PAGE).context["queue"]]
    assert queue == [f, b, c, d], (
        "f has played nowhere, c later than b, d and e later still, and a twice"
    )
    assert desk.post(PAGE, {"players": queue}).status_code == 302
    assert set(events.facts(stage).ids(events.facts(stage).tables[-1])) == set(queue)


def test_a_scorer_sets_tables_up_and_a_player_does_not(client: Client, season: Season) -> None:
    stage, (a, b, *_) = evening(season)
    scorer, player = (
        MembershipFactory.create(club=season.club, role=role).user
        for role in (Role.SCORER, Role.PLAYER)
    )
    client.force_login(player)
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE, {"players": [a, b]}).status_code == 404
    client.force_login(scorer)
    assert PAGE in client.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert client.post(PAGE, {"players": [a, b]}).status_code == 302
    assert [len(table.entries) for table in events.facts(stage).tables] == [2]


def test_the_page_belongs_to_free_tables_alone(desk: Client, season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.crowd(night, 4)
    events.stage(night)
    assert desk.get(PAGE).status_code == 404


def test_the_cockpit_leads_to_the_next_table_and_to_the_end(desk: Client, season: Season) -> None:
    stage, (a, b, *_) = evening(season)
    html = desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert PAGE in html
    assert "steps/finish-stage/" in html
    play(stage, a, b)
    html = desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert "Take all tables back" in html
    assert [table.finished for table in cockpit(stage.event).tables] == [True]


def test_the_pages_of_a_table_say_that_it_was_taken_back(
    desk: Client, client: Client, season: Season
) -> None:
    stage, (a, b, *_) = evening(season)
    table = play(stage, a, b)
    address = f"/tables/{table.public_id}/walkover/"
    assert "Take it back" in desk.get(f"/tables/{table.public_id}/").content.decode()
    assert "is voided" in desk.get(address).content.decode()
    assert desk.post(address, {"reason": "Nobody played there."}).status_code == 302
    game = Game.objects.get()
    assert game.voids.get().stands
    assert SeasonGame.objects.filter(game=game).exists(), "it stays readable"
    html = client.get(f"/tables/{table.public_id}/").content.decode()
    assert "Not played: nobody gets any points." in html
    assert "Nobody played there." in html


def test_the_hall_shows_who_plays_now(client: Client, season: Season) -> None:
    stage, (a, b, c, d, *_) = evening(season)
    play(stage, a, b)
    hall = "/clubs/stern/events/night-1/hall/"

    def shown() -> list[int]:
        groups = client.get(hall).context["groups"]
        return [seated.table.number for group in groups for seated in group.tables]

    assert shown() == [1], "nobody plays, so all that were played"
    sit(stage, c, d)
    assert shown() == [2]
    assert "Round 1" not in client.get(hall).content.decode()
    assert events.facts(stage).rounds[0].name == "Tables"


def test_a_stage_has_no_more_tables_than_its_file_can_hold(
    monkeypatch: pytest.MonkeyPatch, season: Season
) -> None:
    stage, (a, b, c, d, *_) = evening(season)
    monkeypatch.setattr("league.stages.table.services.table.MOST_ROUNDS", 1)
    sit(stage, a, b)
    with pytest.raises(ValidationError, match="at most 1 tables"):
        sit(stage, c, d)


@pytest.mark.django_db(transaction=True)
def test_two_who_set_up_a_table_at_once_seat_nobody_twice(season: Season) -> None:
    stage, (a, b, c, d, e, f) = evening(season)
    errors = at_once(
        lambda: sit(stage, a, b, c), lambda: sit(stage, c, d), lambda: sit(stage, e, f)
    )
    tables = events.facts(stage).tables
    assert (len(errors), len(tables)) == (1, 2)
    assert [table.number for table in tables] == [1, 2]
    assert StageRound.objects.count() == 1
    agree(stage)


def test_the_page_asks_the_database_as_often_for_many_tables(desk: Client, season: Season) -> None:
    stage, ids = evening(season, 8)
    counts = []
    for pair in range(3):
        sit(stage, *ids[2 * pair : 2 * pair + 2])
        with CaptureQueriesContext(connection) as queries:
            desk.get(PAGE)
        counts.append(len(queries))
    assert len(set(counts)) == 1
    assert counts[0] <= 20
