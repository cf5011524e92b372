"""The cockpit leads an organiser through an event, step by step, and back."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.events.entry.services.entry import entry_return, entry_withdraw
from league.floor.cockpit.domain.cockpit import EventStep
from league.floor.cockpit.queries import cockpit as cockpit_queries
from league.floor.cockpit.queries.cockpit import cockpit
from league.models import (
    Draw,
    Entry,
    Event,
    Format,
    Role,
    Season,
    Seeding,
    Stage,
    StageRound,
    Table,
)
from league.stages.placing.domain.place import ladder_of
from league.stages.round.services import round_ask, round_draw, round_publish
from league.stages.round.tasks import draw_round
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.queries.facts import stage_course
from league.stages.table.services.walkover import walkover_give, walkover_undo
from tests.factories import events
from tests.factories.league import MembershipFactory

pytestmark = pytest.mark.django_db
NIGHT = "/clubs/stern/desk/events/night-1/"


def page(desk: Client, address: str = NIGHT) -> str:
    answer = desk.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def heading(html: str) -> str:
    found = re.search(r'<h2 id="next-head">(.*?)</h2>', html)
    assert found
    return found[1]


def step(desk: Client, name: str) -> str:
    answer = desk.post(f"{NIGHT}steps/{name}/", follow=True)
    return " ".join(answer.content.decode().split())


def step_once(desk: Client, name: str) -> None:
    assert desk.post(f"{NIGHT}steps/{name}/").status_code == 302


def enter_all(desk: Client) -> None:
    for table in Table.objects.filter(finished=False, stage_round__status="published"):
        ids = [seat.entry.public_id for seat in table.seats.select_related("entry")]
        places = {f"place_{id}": str(place) for place, id in enumerate(ids, start=1)}
        address = reverse("table-result", args=[table.public_id])
        preview = desk.post(address, {"number": 1, **places})
        assert "This will be sealed" in preview.content.decode()
        assert desk.post(address, {"number": 1, **places, "sure": "yes"}).status_code == 302


def test_a_night_is_run_from_the_cockpit_alone(desk: Client, season: Season) -> None:
    night = events.event(season, status=Event.Status.DRAFT)
    assert heading(page(desk)) == "Plan a stage"
    new = f"{NIGHT}stages/new/?format=swiss"
    form = desk.get(new).context["form"]
    sent = {field.html_name: field.value() for field in form if field.value() is not None}
    assert desk.post(new, sent | {"rounds": 2}).status_code == 302
    assert heading(page(desk)) == "Open entries"
    step(desk, "open")
    events.enter(night, events.players(season.club, 7))
    assert heading(page(desk)) == "Start the event"
    assert "7 players are checked in: a round has 1 table of 4, 1 table of 3." in page(desk)
    step(desk, "run")
    for number in (1, 2):
        assert heading(page(desk)) == f"Round {number} is being drawn …"
        round_draw(round_id=StageRound.objects.get(number=number).pk)
        assert heading(page(desk)) == f"Results of round {number}"
        enter_all(desk)
        if number == 1:
            assert heading(page(desk)) == "Draw the next round"
            step(desk, "draw")
    assert heading(page(desk)) == "Finish the stage"
    step(desk, "finish-stage")
    assert heading(page(desk)) == "Finish the event"
    assert "podium" not in page(desk)
    step(desk, "finish")
    over = page(desk).split('id="next-head"')[1].split("</section>")[0]
    assert '<ol class="podium">' in over
    assert [words for words in ("Same as last time", "Share", "Print") if words not in over] == []
    assert heading(page(desk)) == "The event is over"
    assert Stage.objects.get().status == Stage.Status.FINISHED


def test_who_wants_to_look_at_a_draw_first_publishes_it_afterwards(
    desk: Client, season: Season
) -> None:
    night = events.event(season)
    events.enter(night, events.players(season.club, 7))
    events.stage(night, start=False)
    assert "Check the draw first" in page(desk)
    assert 'name="look"' in page(desk, f"{NIGHT}steps/run/")
    assert desk.post(f"{NIGHT}steps/run/", {"look": "on"}).status_code == 302
    round_draw(round_id=StageRound.objects.get().pk)
    assert heading(page(desk)) == "Round 1 is drawn"
    address = f"{NIGHT}stages/1/rounds/1/"
    assert "Why this table?" in page(desk, address)
    assert desk.post(f"{address}publish/").status_code == 302
    assert heading(page(desk)) == "Results of round 1"


def test_a_start_that_fails_changes_nothing(desk: Client, season: Season) -> None:
    night = events.event(season)
    events.stage(night, start=False)
    assert "This stage needs at least 2 players but has only 0" in step(desk, "run")
    night.refresh_from_db()
    assert night.status == Event.Status.OPEN
    assert not StageRound.objects.exists()


def test_a_draft_whose_players_are_there_can_be_started(desk: Client, season: Season) -> None:
    night = events.event(season, status=Event.Status.DRAFT)
    events.stage(night, start=False)
    events.enter(night, events.players(season.club, 4))
    assert heading(page(desk)) == "Start the event"
    step(desk, "run")
    night.refresh_from_db()
    assert (night.status, night.opened) == (Event.Status.RUNNING, True)


def running(season: Season, count: int = 8, **settings: Any) -> Stage:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, count))
    return events.stage(night, **settings)


def test_every_step_can_be_undone_until_the_event_is_a_draft_again(
    desk: Client, season: Season
) -> None:
    stage = running(season)
    for _ in range(3):
        events.play(events.drawn(stage))
    for name in ("finish-stage", "finish", "resume", "resume-stage"):
        step(desk, name)
    assert "Undo: Take round 3 back" in page(desk)
    for number in (3, 2, 1):
        address = f"{NIGHT}stages/1/rounds/{number}/take-back/"
        assert "2 games were played there" in page(desk, address)
        desk.post(address, {"reason": "It was played at the wrong tables."})
    for name in ("restart", "halt", "close"):
        assert step_offered(page(desk)) == name
        step(desk, name)
    assert Event.objects.get().status == Event.Status.DRAFT
    step(desk, "cancel")
    assert heading(page(desk)) == "The event is cancelled"
    step(desk, "revive")
    assert Event.objects.get().status == Event.Status.DRAFT


def step_offered(html: str) -> str:
    """The step that the page offers as the undo."""
    found = re.search(r'steps/([a-z-]+)/"> ?Undo:', html)
    assert found
    return found[1]


@pytest.mark.parametrize("count", [0, 1, 2, 7, 500])
def test_an_event_of_any_size_says_something_sensible(
    desk: Client, season: Season, count: int
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.stage(night, start=False, sizes=[4, 3, 2])
    events.crowd(night, count)
    html = page(desk)
    assert heading(html) == "Start “Main”"
    assert ("Check in everybody who’s here" in html) == (count < 2)
    if count < 2:
        assert f"This stage needs at least 2 players but has only {count}" in step(desk, "start")
        return
    assert desk.post(f"{NIGHT}steps/start/", {"look": "on"}).status_code == 302
    round_draw(round_id=StageRound.objects.get().pk)
    with CaptureQueriesContext(connection) as queries:
        page(desk)
    assert len(queries) <= 15
    with CaptureQueriesContext(connection) as queries:
        html = page(desk, f"{NIGHT}stages/1/rounds/1/")
    assert len(queries) <= 12
    assert html.count("Why this table?") == Table.objects.count()


def test_pages_cost_as_many_queries_for_16_as_for_200(desk: Client, season: Season) -> None:
    asked = []
    for slug, count in (("small", 16), ("large", 200)):
        night = events.event(season, slug, status=Event.Status.RUNNING)
        events.enter(night, events.players(season.club, count, slug[0]))
        stage = events.stage(night)
        events.drawn(stage)
        table = events.facts(stage).tables[0]
        cockpit = f"/clubs/stern/desk/events/{slug}/"
        draw = events.facts(stage).draws[0].public_id
        pages = [cockpit, f"{cockpit}stages/1/rounds/1/", f"{cockpit}stages/1/rounds/1/change/"]
        for address in [
            *pages,
            f"/tables/{table.public_id}/",
            f"/tables/{table.public_id}/result/",
            f"/draws/{draw}/",
        ]:
            page(desk, address)  # the first look makes the code for the wall
            with CaptureQueriesContext(connection) as queries:
                page(desk, address)
            asked.append((slug, len(queries)))
    small, large = (
        [number for slug, number in asked if slug == name] for name in ("small", "large")
    )
    assert small == large
    assert max(large) <= 15


@pytest.mark.parametrize(
    ("look", "counts"), [({"look": "on"}, [16, 21, 15, 12, 8]), ({}, [16, 21, 8])]
)
def test_a_draw_of_500_costs_few_queries_from_the_button_to_the_page(
    desk: Client, season: Season, look: dict[str, str], counts: list[int]
) -> None:
    """The job's are with the one by which this test finds the round: without a look they are 42
    together."""
    night = events.event(season, status=Event.Status.RUNNING)
    events.crowd(night, 500)
    events.stage(night)

    def draw_by_the_job() -> None:
        draw_round(StageRound.objects.values_list("pk", flat=True).get())

    page(desk)
    counted = []
    published_by_hand = (
        lambda: page(desk),
        lambda: desk.post(f"{NIGHT}stages/1/rounds/1/publish/"),
    )
    for work in (
        lambda: desk.post(f"{NIGHT}steps/draw/", look),
        draw_by_the_job,
        *(published_by_hand if look else ()),
        lambda: page(Client(), reverse("stage-round", args=["stern", "night-1", 1, 1])),
    ):
        with CaptureQueriesContext(connection) as queries:
            work()
        counted.append(sum("SAVEPOINT" not in query["sql"] for query in queries.captured_queries))
    assert counted == counts
    assert Table.objects.count() == 125


def test_a_failed_draw_says_why_and_where_to_mend_it(desk: Client, season: Season) -> None:
    stage = running(season)
    for entry in Entry.objects.order_by("number")[:6]:
        entry_withdraw(entry=entry, actor=events.ACTOR)
    events.drawn(stage)
    html = page(desk)
    assert "could not be drawn" in html
    assert "/stages/1/" in html
    assert heading(html) == "Draw the next round"


def test_while_a_round_is_drawn_the_page_asks_again(desk: Client, season: Season) -> None:
    asked = round_ask(stage=running(season), actor=events.ACTOR)
    html = page(desk)
    assert 'hx-trigger="every 500ms"' in html
    assert "Reload" in html
    round_draw(round_id=asked.pk)
    assert 'hx-trigger="every 500ms"' not in page(desk)


def test_a_round_that_is_drawn_while_the_page_is_read_still_waits(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = running(season)
    asked = round_ask(stage=stage, actor=events.ACTOR, at_once=True)

    def facts_and_draw(stage: Stage) -> StageFacts:
        facts = stage_course(stage)
        round_draw(round_id=asked.pk)
        return facts

    monkeypatch.setattr(cockpit_queries, "stage_course", facts_and_draw)
    assert cockpit(stage.event).next_step == EventStep.WAIT


def test_a_stage_is_seeded_by_numbers(desk: Client, season: Season) -> None:
    running(season, seeding=Seeding.HAND, start=False)
    entries = list(Entry.objects.order_by("number"))
    address = f"{NIGHT}stages/1/seeding/"
    assert address in page(desk)
    sent = {entry.public_id: str(len(entries) - place) for place, entry in enumerate(entries)}
    assert "player" not in desk.post(address, {}).headers.get("Location", "")
    assert desk.post(address, sent).status_code == 302
    seeded = Entry.objects.filter(participations__isnull=False).order_by("participations__seed")
    assert list(seeded) == entries[::-1]
    assert desk.get(address).status_code == 302


@pytest.mark.parametrize("format", Format.values)
def test_every_format_can_be_planned_with_what_it_suggests(
    desk: Client, season: Season, format: str
) -> None:
    events.event(season, status=Event.Status.DRAFT)
    new = f"{NIGHT}stages/new/?format={format}"
    form = desk.get(new).context["form"]
    sent = {field.html_name: field.value() for field in form if field.value() is not None}
    assert desk.post(new, sent).status_code == 302
    assert Stage.objects.get().format == format
    page(desk, f"{NIGHT}stages/1/")
    assert desk.post(f"{NIGHT}stages/1/drop/").status_code == 302
    assert not Stage.objects.exists()


def test_a_format_that_cannot_be_says_why(desk: Client, season: Season) -> None:
    stage = running(season, format=Format.SINGLE, sizes=[4], rounds=None, start=False)
    address = f"{NIGHT}stages/{stage.number}/"
    form = desk.get(address).context["form"]
    sent = {field.html_name: field.value() for field in form if field.value() is not None}
    html = desk.post(address, sent | {"advance": 4}).content.decode()
    assert "at least 1 and at most 3 players can go on" in html


def test_a_ladder_is_played_by_challenges(desk: Client, season: Season) -> None:
    stage = running(season, format=Format.LADDER, sizes=[2], rounds=None)
    address = f"{NIGHT}stages/1/challenge/"
    first, *_, last = ladder_of(events.facts(stage), events.facts(stage).groups[0].pk).order
    assert address in page(desk)
    assert desk.post(address, {"player_1": last, "player_2": first}).status_code == 302
    busy = desk.post(address, {"player_1": last, "player_2": first}).content.decode()
    assert "still sit at a table" in busy
    assert (
        "2 different players"
        in desk.post(address, {"player_1": last, "player_2": last}).content.decode()
    )
    table = events.facts(stage).tables[0]
    assert "Why this table?" not in page(desk, f"/tables/{table.public_id}/")
    events.finish(table.public_id, [last, first])
    facts = events.facts(stage)
    assert ladder_of(facts, facts.groups[0].pk).order[:2] == (last, first)
    assert "Enter a challenge" in page(desk)


def test_a_draw_is_changed_by_hand_in_two_steps(desk: Client, season: Season) -> None:
    stage = running(season)
    events.drawn(stage, publish=False)
    address = f"{NIGHT}stages/1/rounds/1/change/"
    first, second = (events.facts(stage).ids(table) for table in events.facts(stage).tables)
    known = desk.get(address).context["form"]["known"].value()
    sent = {"who": first[0], "where": second[0], "reason": "One car", "known": known}
    assert "swap seats" in desk.post(address, sent).content.decode()
    assert events.facts(stage).ids(events.facts(stage).tables[0]) == first
    assert desk.post(address, sent | {"sure": "yes"}).status_code == 302
    assert events.facts(stage).ids(events.facts(stage).tables[0])[0] == second[0]
    assert "Changed by hand: One car" in page(desk, f"{NIGHT}stages/1/rounds/1/")
    draws = [page(desk, f"/draws/{draw.public_id}/") for draw in Draw.objects.order_by("revision")]
    assert ["opens: nobody here has opened less often" in html for html in draws] == [True, False]
    assert "Nobody here has met before." in draws[1]
    late = desk.post(address, sent | {"who": first[1], "sure": "yes"}).content.decode()
    assert "Somebody else has just changed this draw" in late
    moved = {"who": first[1], "where": "table-1", "reason": "Six", "known": known}
    assert "A table has 2 to 4 seats here" in desk.post(address, moved).content.decode()


def test_what_is_not_published_is_for_organisers_alone(desk: Client, season: Season) -> None:
    stage = running(season)
    drawn = events.drawn(stage, publish=False)
    table, draw = Table.objects.first(), Draw.objects.get()
    assert table
    reader = Client()
    assert reader.get(f"/tables/{table.public_id}/").status_code == 404
    assert reader.get(f"/draws/{draw.public_id}/").status_code == 404
    assert desk.get(f"/draws/{draw.public_id}/").status_code == 200
    assert reader.get(NIGHT).status_code == 302
    round_publish(stage_round=drawn, actor=events.ACTOR)
    assert "Why this table?" in reader.get(f"/tables/{table.public_id}/").content.decode()
    assert reader.get(f"/draws/{draw.public_id}/").status_code == 200
    assert reader.get(f"/draws/{draw.public_id}/draw.json").content.decode() == draw.input + "\n"


def test_others_find_no_cockpit(client: Client, season: Season) -> None:
    running(season)
    client.force_login(MembershipFactory.create(club=season.club, role=Role.SCORER).user)
    for address in (f"{NIGHT}stages/new/", f"{NIGHT}stages/1/", f"{NIGHT}steps/draw/"):
        assert client.get(address).status_code == 404
    assert "Check-in" in client.get(NIGHT).content.decode(), "scorers see the tables and the door"
    assert f"{NIGHT}steps/" not in client.get(NIGHT).content.decode()


def test_a_table_that_is_open_again_before_a_round_that_failed_is_what_comes_next(
    desk: Client, season: Season
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    stage = events.stage(night, sizes=[2])
    first = events.drawn(stage)
    given, played = events.facts(stage).tables
    entry_withdraw(entry=Entry.objects.get(pk=given.entries[0]), actor=events.ACTOR)
    walkover_give(table=Table.objects.get(pk=given.pk), actor=events.ACTOR)
    events.play(first)
    for pk in played.entries:
        entry_withdraw(entry=Entry.objects.get(pk=pk), actor=events.ACTOR)
    assert events.drawn(stage).status == StageRound.Status.FAILED
    entry_return(entry=Entry.objects.get(pk=given.entries[0]), actor=events.ACTOR)
    walkover_undo(table=Table.objects.get(pk=given.pk), actor=events.ACTOR)
    state = cockpit(Event.objects.select_related("club", "season__club").get(pk=night.pk))
    assert (state.next_step, state.undo) == (EventStep.RESULTS, EventStep.TAKE_BACK)
    assert [table.pk for table in state.open_tables] == [given.pk]
    page = desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert "Results of round 1" in page
    assert "Take round 1 back" in page


def test_to_cancel_the_event_is_far_from_the_way_back(desk: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, 4)
    events.drawn(events.stage(made))
    html = page(desk)
    card = html[html.index('<section class="section card next-step"') :]
    next_step, rest = card.split("</section>", 1)
    assert "Undo:" in next_step
    assert "Cancel the event" not in next_step
    assert "Cancel the event" in rest[rest.rindex("</section>") :], (
        "it is the last thing on the page"
    )
