"""What can't be is refused, on the page and by the API alike: with words that say what to do, and
nothing changes."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client

from league.models import (
    Draw,
    Entry,
    Event,
    Format,
    Group,
    LogEntry,
    Participant,
    Player,
    Role,
    Season,
    Stage,
    StageRound,
    Table,
    TableSeat,
)
from league.stages.round.services import round_ask
from tests.factories import events
from tests.factories.league import UserFactory
from tests.league.core.frame.api.programs import member_key
from tests.league.floor.api.conftest import Ask, asker

pytestmark = pytest.mark.django_db

DESK = "/clubs/stern/desk/events/night-1/"
NIGHT = "/clubs/stern/events/night-1/"
STORED: list[type[Model]] = [
    *(Event, Entry, Stage, Group, Participant, StageRound, Draw, Table, TableSeat, Player, LogEntry)
]
"""All that a step of an event writes."""
DUELS: dict[str, Any] = {"format": Format.SINGLE, "sizes": [2], "rounds": None}


@pytest.fixture
def run(season: Season) -> Ask:
    """Ask the API as an organiser."""
    return asker(member_key(season.club, Role.ORGANISER)[0])


@pytest.fixture
def night(season: Season, run: Ask) -> Event:
    """A running event of eight, all of them there."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    return made


def stored() -> list[list[dict[str, Any]]]:
    return [list(model._default_manager.order_by("pk").values()) for model in STORED]


def refused(answer: Any, words: str) -> None:
    """An answer of the page or the API says so, and isn't an error of the service."""
    if answer["Content-Type"].startswith("text/html"):
        assert answer.status_code == 200
        assert words in " ".join(answer.content.decode().split())
    else:
        assert answer.status_code in (400, 422)
        assert words in json.dumps(answer.json(), ensure_ascii=False)


def nothing_changes(words: str, *attempts: Callable[[], Any]) -> None:
    """Each attempt is refused with these words, and leaves everything as it was."""
    before = stored()
    for attempt in attempts:
        refused(attempt(), words)
        assert stored() == before


def form_of(desk: Client, address: str, **changes: Any) -> dict[str, Any]:
    """What a browser would send of a page's form, with these changes."""
    form = desk.get(address).context["form"]
    return {field.html_name: field.value() for field in form if field.value() is not None} | changes


def asked(stage: Stage) -> None:
    round_ask(stage=stage, actor=events.ACTOR)


def drawn(stage: Stage) -> None:
    events.drawn(stage, publish=False)


def published(stage: Stage) -> None:
    events.drawn(stage)


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (asked, "Round 1 is being drawn. Check back in a moment."),
        (drawn, "Round 1 is drawn. Publish it, or take it back."),
        (published, "Enter the results of these tables first: 1, 2."),
    ],
)
def test_a_draw_before_its_time(
    desk: Client, run: Ask, night: Event, before: Callable[[Stage], None], words: str
) -> None:
    before(events.stage(night))
    nothing_changes(
        words,
        lambda: desk.post(f"{DESK}steps/draw/"),
        lambda: run(f"{NIGHT}stages/1/rounds/", {}),
    )


def test_an_end_before_its_time(desk: Client, run: Ask, night: Event) -> None:
    events.drawn(events.stage(night))
    nothing_changes(
        "Enter the results of these tables first: 1, 2.",
        lambda: desk.post(f"{DESK}steps/finish-stage/"),
        lambda: run(f"{NIGHT}stages/1/status/", {"status": "finished"}),
    )


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Event.Status.RUNNING, "Entries are closed. Ask the organisers of the club."),
        (Event.Status.FINISHED, "This event is over."),
    ],
)
def test_an_entry_after_closing(client: Client, night: Event, status: str, words: str) -> None:
    (late,) = events.players(night.club, 1, "late")
    Player.objects.filter(pk=late.pk).update(user=UserFactory.create(username="late"))
    client.force_login(Player.objects.get(pk=late.pk).user or pytest.fail("there is an account"))
    Event.objects.update(status=status)
    nothing_changes(
        words, lambda: client.post(f"{NIGHT}enter/", {"do": "enter", "player": late.public_id})
    )


def test_an_entry_after_the_end_by_an_organiser(desk: Client, run: Ask, night: Event) -> None:
    (late,) = events.players(night.club, 1, "late")
    Event.objects.update(status=Event.Status.FINISHED)
    nothing_changes(
        "This event is over.",
        lambda: desk.post(f"{DESK}entries/list/", {"text": "handle\nlate1\n", "sure": "yes"}),
        lambda: run(f"{NIGHT}entries/", {"entries": [{"player": late.public_id}]}),
        lambda: run(f"{NIGHT}entries/", {"entries": [{"handle": "later"}], "create_players": True}),
    )


def test_fewer_places_than_are_taken(desk: Client, run: Ask, night: Event) -> None:
    nothing_changes(
        "8 players already have a place. Withdraw some of them first, or keep at least as many "
        "places.",
        lambda: desk.post(
            f"{DESK}settings/", form_of(desk, f"{DESK}settings/", capacity="2", sure="yes")
        ),
        lambda: run(NIGHT, {"capacity": 2}, method="PATCH"),
    )


@pytest.mark.parametrize("advance", [4, 5])
def test_a_knock_out_from_which_all_go_on(
    desk: Client, run: Ask, night: Event, advance: int
) -> None:
    new = f"{DESK}stages/new/?format=single"
    planned = {"name": "Cup", "format": "single", "sizes": [4], "advance": advance}
    nothing_changes(
        "From a table of 4, at least 1 and at most 3 players can go on.",
        lambda: desk.post(new, form_of(desk, new, size=4, advance=advance)),
        lambda: run(f"{NIGHT}stages/", planned),
    )


def test_a_stage_of_nothing(desk: Client, run: Ask, night: Event) -> None:
    new = f"{DESK}stages/new/?format=swiss"
    swiss = {"name": "Main", "format": "swiss", "sizes": [4], "rounds": 3}
    nothing_changes(
        "This field is required.", lambda: desk.post(new, form_of(desk, new, rounds="", name=""))
    )
    nothing_changes(
        "Say how many rounds are planned.", lambda: run(f"{NIGHT}stages/", swiss | {"rounds": None})
    )
    nothing_changes("at least 1 element", lambda: run(f"{NIGHT}stages/", swiss | {"sizes": []}))
    nothing_changes(
        "greater than or equal to 1",
        lambda: desk.post(new, form_of(desk, new, groups=0)),
        lambda: run(f"{NIGHT}stages/", swiss | {"groups": 0}),
    )
    nothing_changes(
        "This format has no groups.",
        lambda: run(f"{NIGHT}stages/", {**swiss, **DUELS, "groups": 2}),
    )


def test_a_stage_with_more_seats_or_with_the_points_of_another_game(
    desk: Client, run: Ask, night: Event
) -> None:
    new = f"{DESK}stages/new/?format=swiss"
    swiss = {"name": "Main", "format": "swiss", "sizes": [7], "rounds": 3}
    nothing_changes(
        "7 is not one of the available choices", lambda: desk.post(new, form_of(desk, new, size=7))
    )
    nothing_changes("Choose different sizes from 2 to 6.", lambda: run(f"{NIGHT}stages/", swiss))
    totals = swiss | {"sizes": [4], "scoring": "totals"}
    nothing_changes("Only Lügen-Kniffel has totals.", lambda: run(f"{NIGHT}stages/", totals))
    nothing_changes(
        "less than or equal to 8", lambda: run(f"{NIGHT}stages/", swiss | {"sizes": [9]})
    )


@pytest.mark.parametrize(
    ("settings", "there", "words"),
    [
        ({}, 0, "This stage needs at least 2 players but has only 0."),
        ({}, 1, "This stage needs at least 2 players but has only 1."),
        (
            {"groups": 5},
            8,
            "This stage needs at least 10 players but has only 8. Check in more, or change the stage.",
        ),
        ({"sizes": [5]}, 8, "Tables of these sizes can’t seat everybody"),
        (
            {"format": Format.FINAL, "rounds": 1},
            8,
            "A final table has at most 6 seats, but 8 players would sit there.",
        ),
    ],
)
def test_a_stage_that_cannot_be_seated(
    desk: Client, run: Ask, night: Event, settings: dict[str, Any], there: int, words: str
) -> None:
    events.stage(night, start=False, **settings)
    gone = Entry.objects.order_by("number")[there:]
    Entry.objects.filter(pk__in=[entry.pk for entry in gone]).update(checked_in_at=None)
    nothing_changes(
        words,
        lambda: desk.post(f"{DESK}steps/start/"),
        lambda: run(f"{NIGHT}stages/1/status/", {"status": "running"}),
    )


def test_a_change_of_a_draw_that_somebody_else_has_changed_meanwhile(
    desk: Client, run: Ask, night: Event
) -> None:
    stage = events.stage(night)
    drawn(stage)
    address, path = f"{DESK}stages/1/rounds/1/change/", f"{NIGHT}stages/1/rounds/1/"
    facts = events.facts(stage)
    seated = [list(facts.ids(table)) for table in facts.tables]
    seen = [draw.public_id for draw in facts.draws]
    form = form_of(
        desk, address, who=seated[0][0], where=seated[1][0], reason="One car", sure="yes"
    )
    swapped = [[seated[1][0], *seated[0][1:]], [seated[0][0], *seated[1][1:]]]
    body = {"tables": swapped, "draws": seen, "reason": "By bus"}
    assert run(f"{path}seating/", body).status_code == 200
    nothing_changes(
        "Somebody else has just changed this draw. Check it again.",
        lambda: desk.post(address, form | {"who": seated[0][1], "where": seated[1][1]}),
        lambda: run(f"{path}seating/", body | {"tables": seated}),
    )


@pytest.mark.parametrize("query", ["entries/?q=%00", "entries/?who=%00", "check-in/?q=%00"])
def test_nul_is_no_word_to_look_for(season: Season, desk: Client, query: str) -> None:
    events.event(season, status="running")
    assert desk.get(DESK + query).status_code == 400


def test_nul_is_no_entry_and_no_notice(season: Season, desk: Client) -> None:
    events.event(season, status="running")
    assert desk.post(f"{DESK}check-in/", {"entry": "\0", "do": "in"}).status_code == 400
    assert desk.post("/me/notices/", {"notice": "\0"}).status_code == 400


def test_half_of_a_surrogate_pair_is_no_text(season: Season) -> None:
    events.event(season)
    run = asker(member_key(season.club, Role.ORGANISER)[0])
    for body in (rb'{"status": "\ud800"}', rb'{"status": "open", "\uDFFF": 1}'):
        answer = run("/clubs/stern/events/night-1/status/", body)
        assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert (
        run("/clubs/stern/events/night-1/status/", rb'{"status": "\ud83c\udfb2"}').json()["code"]
        == "bad_value"
    )
