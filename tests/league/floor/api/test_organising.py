"""What organisers settle around the rounds, by program: hall, timetable, clock, ladder, messages,
who sits apart."""

from typing import Any

import pytest

from league.floor.timetable.services import timetable_make
from league.models import (
    Away,
    Entry,
    Event,
    EventMessage,
    Format,
    HallPlace,
    LogEntry,
    Role,
    Season,
    Slot,
    Timetable,
)
from tests.factories import events, halls, notices
from tests.factories.league import ClubFactory
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker

pytestmark = pytest.mark.django_db

NIGHT = "/clubs/stern/events/night-1/"
STAGE = f"{NIGHT}stages/1/"
FROM = {"starts_at": "2026-12-03T18:30:00Z", "minutes": 40, "pause": 10, "count": 4}


@pytest.fixture
def night(season: Season) -> Event:
    """An evening of eight whose first round is published: two tables of four."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    events.drawn(events.stage(made, sizes=[4]))
    return made


def good(response: Any, status: int = 200) -> Any:
    assert response.status_code == status, response.content
    return response.json()


def faults(response: Any) -> list[tuple[str, str]]:
    assert code_of(response) == (400, "bad_value")
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


def path_of(row: Any, member: str = "url") -> str:
    return str(row[member]).removeprefix("/api/v1")


def timetable_made(run: Ask, **said: Any) -> Any:
    """A timetable that is asked for, as the job makes it."""
    asked = good(run(f"{NIGHT}timetables/", said), 201)
    assert asked["status"] == "asked"
    timetable_make(timetable_id=Timetable.objects.get(public_id=asked["id"]).pk)
    return good(run(path_of(asked)))


def test_a_hall_is_put_up_changed_and_taken_down(night: Event, run: Ask) -> None:
    made = good(run(f"{NIGHT}places/", {"first": 1, "last": 3, "room": "Cellar", "size": 4}))[
        "results"
    ]
    assert [(place["number"], place["size"]) for place in made] == [(1, 4), (2, 4), (3, 4)]
    assert faults(run(f"{NIGHT}places/", {"first": 3, "last": 4})) == [("/first", "invalid")]
    slots = good(run(f"{NIGHT}slots/", FROM))["results"]
    assert [slot["starts_at"][11:16] for slot in slots] == ["18:30", "19:20", "20:10", "21:00"]
    assert faults(run(f"{NIGHT}slots/", FROM)) == [("/starts_at", "invalid")]
    first = path_of(made[0])
    changed = good(run(first, {"closed": [slots[0]["id"]]}, method="PATCH"))
    assert (changed["closed"], changed["room"], changed["size"]) == ([slots[0]["id"]], "Cellar", 4)
    assert faults(run(first, {"closed": ["nowhen2345"]}, method="PATCH")) == [
        ("/closed/0", "no_such_slot")
    ]
    good(run(f"{first}status/", {"status": "dropped"}))
    assert code_of(run(first)) == (404, "not_found")
    good(run(f"{path_of(slots[0])}status/", {"status": "dropped"}))
    assert (HallPlace.objects.count(), Slot.objects.count()) == (2, 3)


def test_the_pace_of_an_event_s_online_tables_is_set_and_read(night: Event, run: Ask) -> None:
    before = good(run(NIGHT))
    assert (before["move_seconds"], before["bank_seconds"]) == (60, 120)
    changed = good(
        run(NIGHT, {"online": True, "move_seconds": 30, "bank_seconds": 0}, method="PATCH")
    )
    assert (changed["move_seconds"], changed["bank_seconds"]) == (30, 0)
    logged = LogEntry.objects.filter(action="event.changed").latest("position")
    assert '"move_seconds":30' in logged.payload.replace(" ", "")
    for wrong in (
        {"move_seconds": 9},
        {"move_seconds": 601},
        {"bank_seconds": -1},
        {"bank_seconds": 3601},
    ):
        ((pointer, _),) = faults(run(NIGHT, wrong, method="PATCH"))
        assert pointer == f"/{next(iter(wrong))}"


def test_a_timetable_is_asked_for_moved_published_and_taken_back(
    night: Event, run: Ask, look: Ask
) -> None:
    assert faults(run(f"{NIGHT}timetables/", {})) == [("", "invalid")]
    halls.hall(night, places=2)
    made = timetable_made(run, ahead=False)
    assert (made["status"], made["warnings"]) == ("ready", [])
    assert {cost["wish"] for cost in made["costs"]} == {"absent", "end"}
    rows = good(run(path_of(made, "tables")))["results"]
    assert [(row["round"], row["number"], len(row["seats"])) for row in rows] == [
        (1, 1, 4),
        (1, 2, 4),
    ]
    assert look(path_of(made)).status_code == 404
    one = {"round": 1, "number": 1, "slot": rows[1]["slot"], "place": rows[1]["place"]}
    two = {"round": 1, "number": 2, "slot": rows[0]["slot"], "place": rows[0]["place"]}
    moves, move = (
        f"{path_of(made)}moves/",
        {"moves": [one], "version": 0, "reason": "It is cold there."},
    )
    assert len(good(run(moves, move | {"preview": True}))["warnings"]) == 1
    assert good(run(path_of(made)))["version"] == 0
    moved = good(run(moves, move | {"moves": [one, two]}))
    assert (moved["version"], moved["warnings"]) == (1, [])
    assert faults(run(moves, move)) == [("", "invalid")]  # somebody else has changed it meanwhile
    gone = [one | {"number": 9}, one | {"slot": "nowhen2345"}, one | {"place": "nowhere234"}]
    assert faults(run(moves, move | {"moves": gone})) == [
        ("/moves/0", "no_such_table"),
        ("/moves/1/slot", "no_such_slot"),
        ("/moves/2/place", "no_such_place"),
    ]
    assert (
        LogEntry.objects.get(action="timetable.changed", payload__contains=".0001").why
        == "It is cold there."
    )
    good(run(f"{path_of(made)}status/", {"status": "published"}))
    (shown,) = good(look(f"{NIGHT}timetables/"))["results"]
    assert (shown["status"], shown["costs"]) == ("published", [])
    assert good(look(f"{STAGE}rounds/1/tables/"))["results"][0]["starts_at"] == rows[1]["starts_at"]
    assert good(run(f"{path_of(made)}status/", {"status": "taken_back"}))["status"] == "ready"
    assert good(look(f"{NIGHT}timetables/"))["results"] == []


def test_a_timetable_heeds_who_is_away_or_says_why_it_cannot_be(night: Event, run: Ask) -> None:
    halls.hall(night, places=2, slots=2)
    slots = [slot.public_id for slot in Slot.objects.order_by("starts_at")]
    entry = Entry.objects.get(event=night, number=1)
    away = f"{NIGHT}entries/{entry.public_id}/away/"
    said = good(run(away, {"never": slots[:1], "rather_not": slots[1:]}))
    assert (said["entry"], said["never"], said["rather_not"]) == (
        entry.public_id,
        slots[:1],
        slots[1:],
    )
    rows = good(run(f"{NIGHT}away/"))["results"]
    assert [len(row["never"]) for row in rows] == [1, 0, 0, 0, 0, 0, 0, 0]
    tables = good(run(path_of(timetable_made(run, ahead=False), "tables")))["results"]
    own = next(row for row in tables if entry.public_id in {seat["entry"] for seat in row["seats"]})
    assert own["slot"] == slots[1]
    assert faults(run(away, {"never": slots, "rather_not": slots})) == [("/rather_not", "invalid")]
    assert faults(run(away, {"never": ["nowhen2345"]})) == [("/never/0", "no_such_slot")]
    good(run(away, {"never": slots}))
    failed = timetable_made(run, ahead=False, first=slots[0])
    assert failed["status"] == "failed"
    assert any("p1" in sentence for sentence in failed["failure"])
    good(run(away, {}))
    assert not Away.objects.exists()


def test_a_clock_is_started_stopped_lengthened_and_set_back(
    night: Event, run: Ask, look: Ask
) -> None:
    path = f"{STAGE}rounds/1/clock/"
    none = {"minutes": None, "started_at": None, "stopped_at": None, "ends_at": None, "left": None}
    assert good(look(path)) == none
    assert faults(run(path, {"clock": "running"})) == [("/minutes", "invalid")]
    runs = good(run(path, {"minutes": 40, "clock": "running"}))
    assert runs["ends_at"]
    assert runs["left"] is None
    stands = good(run(path, {"clock": "stopped"}))
    assert stands["ends_at"] is None
    assert 40 * 60 - 60 < stands["left"] <= 40 * 60
    longer = good(run(path, {"minutes": 50}))
    assert longer["left"] == stands["left"] + 10 * 60
    assert good(look(path)) == longer
    assert good(run(path, {"clock": "full"}))["left"] == 50 * 60
    assert good(run(path, {"minutes": None})) == none
    assert faults(run(path, {"clock": "fast"})) == [("/clock", "invalid_choice")]


def test_a_ladder_is_played_by_challenges(season: Season, run: Ask, score: Ask, look: Ask) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    entries = [entry.public_id for entry in events.enter(night, events.players(season.club, 4))]
    events.stage(night, format=Format.LADDER, sizes=[2], rounds=None)
    seeded = [row["entry"] for row in good(run(f"{STAGE}seeding/"))["results"]]
    assert sorted(seeded) == sorted(entries)
    body = {"players": [seeded[3], seeded[0]]}
    made = run(f"{STAGE}challenges/", body)
    table = good(made, 201)
    assert made["Location"] == table["url"]
    assert [seat["entry"] for seat in table["seats"]] == body["players"]
    assert faults(run(f"{STAGE}challenges/", body)) == [("", "invalid")]  # they sit there still
    finishes = [{"entry": id, "rank": place} for place, id in enumerate(body["players"], start=1)]
    good(score(f"{path_of(table)}outcome/", {"finishes": finishes}))
    assert good(look(f"{STAGE}ranking/"))["results"][0]["entry"] == seeded[3]
    second = good(run(f"{STAGE}challenges/", body), 201)
    good(run(f"{path_of(second, 'round_url')}status/", {"status": "taken_back"}))
    assert good(look(path_of(second)))["taken_back"]["role"] == "organiser"


def test_free_tables_are_set_up_played_and_taken_back(
    season: Season, run: Ask, score: Ask, look: Ask
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    entries = [entry.public_id for entry in events.enter(night, events.players(season.club, 4))]
    events.stage(night, format=Format.FREE, sizes=[4], rounds=None)
    body = {"players": entries[:3]}
    assert score(f"{STAGE}tables/", body).status_code == 403
    table = good(run(f"{STAGE}tables/", body), 201)
    assert (table["number"], [seat["entry"] for seat in table["seats"]]) == (1, body["players"])
    assert faults(run(f"{STAGE}tables/", body)) == [("", "invalid")]  # they sit there still
    assert faults(run(f"{STAGE}tables/", {"players": entries[3:]})) == [("/players", "min_length")]
    finishes = [{"entry": id, "rank": place} for place, id in enumerate(body["players"], start=1)]
    good(score(f"{path_of(table)}outcome/", {"finishes": finishes}))
    assert [row["points"] for row in good(look(f"{STAGE}ranking/"))["results"]] == [
        "3",
        "1 1/2",
        "0",
        "0",
    ]
    second = good(run(f"{STAGE}tables/", {"players": entries[2:]}), 201)
    assert (second["number"], second["round_url"]) == (2, table["round_url"])
    given = good(run(f"{path_of(table)}walkover/", {"stands": True, "reason": "Entered twice."}))
    assert given["walkover"] == {"to": [], "reason": "Entered twice."}
    assert len(given["voided"]) == 1
    assert [row["points"] for row in good(look(f"{STAGE}ranking/"))["results"]] == ["0"] * 4


def test_a_message_reaches_who_has_an_account(season: Season, run: Ask) -> None:
    night = events.event(season)
    path, body = f"{NIGHT}messages/", {"subject": "Later", "text": "We begin at eight."}
    assert faults(run(path, body)) == [("", "invalid")]  # nobody would be told
    events.enter(night, notices.people(season.club, 2), check_in=False)
    events.enter(night, events.players(season.club, 1, prefix="guest"), check_in=False)
    sent = good(run(path, body))
    assert (sent["people"], sent["reached"]) == (3, 2)
    (listed,) = good(run(path))["results"]
    assert (listed["subject"], listed["text"]) == ("Later", "We begin at eight.")
    again = {"Idempotency-Key": "tell them once"}
    assert good(run(path, body, **again)) == good(run(path, body, **again))
    assert EventMessage.objects.count() == 2


def test_somebody_plays_for_somebody_else_or_as_a_guest(night: Event, run: Ask, look: Ask) -> None:
    (absent,) = events.players(night.club, 1, prefix="absent")
    (stranger,) = events.players(ClubFactory.create(slug="mond"), 1, prefix="stranger")
    entry = Entry.objects.get(event=night, number=1)
    path = f"{NIGHT}entries/{entry.public_id}/"
    changed = good(run(path, {"substitutes": absent.public_id}, method="PATCH"))
    assert (changed["substitutes"]["id"], changed["guest"]) == (absent.public_id, False)
    assert good(run(path, {"guest": True}, method="PATCH"))["substitutes"]["id"] == absent.public_id
    assert good(look(path))["guest"] is True
    for id, code in ((entry.player.public_id, "invalid"), (stranger.public_id, "no_such_player")):
        assert faults(run(path, {"substitutes": id}, method="PATCH")) == [("/substitutes", code)]
    assert good(run(path, {"substitutes": None}, method="PATCH"))["substitutes"] is None


def test_who_withdrew_is_shown_to_scorers_alone(
    night: Event, run: Ask, score: Ask, look: Ask
) -> None:
    entry = Entry.objects.get(event=night, number=1)
    good(
        run(
            f"{NIGHT}entries/status/",
            {"entries": [entry.public_id], "status": "withdrawn", "reason": "Ill."},
        )
    )
    assert LogEntry.objects.latest("pk").why == "Ill."
    path = f"{NIGHT}entries/{entry.public_id}/"
    assert good(score(path))["status"] == "withdrawn"
    assert code_of(look(path)) == (404, "not_found")


def test_who_waits_is_admitted_and_who_came_late_joins(season: Season, run: Ask) -> None:
    night = events.event(season, capacity=4)
    entries = [
        entry.public_id
        for entry in events.enter(night, events.players(season.club, 5), check_in=False)
    ]
    path = f"{NIGHT}entries/status/"
    assert (
        good(run(path, {"entries": entries[4:], "status": "admitted"}))["results"][0]["status"]
        == "entered"
    )
    good(run(f"{NIGHT}entries/check-in/", {"entries": entries[:4]}))
    good(run(f"{NIGHT}status/", {"status": "running"}))
    stage = events.stage(night, sizes=[2])
    assert faults(run(path, {"entries": entries[4:], "status": "joined"})) == [
        ("", "invalid")
    ]  # nobody saw them
    Entry.objects.filter(public_id=entries[4]).update(checked_in_at=events.BEGINS)
    good(run(path, {"entries": entries[4:], "status": "joined"}))
    assert stage.participants.count() == 5


def test_two_are_kept_apart_and_may_meet_again(night: Event, run: Ask) -> None:
    ids = [entry.public_id for entry in Entry.objects.filter(event=night).order_by("number")[:2]]
    path = f"{NIGHT}apart/"
    good(run(path, {"entries": ids, "must": False}))
    kept = good(run(path, {"entries": ids[::-1], "must": True}))
    assert [member["entry"] for member in kept["entries"]] == ids[::-1]
    (pair,) = good(run(path))["results"]
    assert ([member["entry"] for member in pair["entries"]], pair["must"]) == (ids, True)
    good(run(path, {"entries": ids, "must": None}))
    assert good(run(path))["results"] == []
    assert faults(run(path, {"entries": [ids[0], ids[0]], "must": True})) == [("", "invalid")]
    assert faults(run(path, {"entries": ids[:1], "must": True})) == [("/entries", "min_length")]


def test_a_stage_that_is_seeded_by_hand_shows_who_takes_part(season: Season, run: Ask) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    swiss = {"name": "Main", "format": "swiss", "sizes": [4], "rounds": 1, "seeding": "hand"}
    good(run(f"{NIGHT}stages/", swiss), 201)
    good(run(f"{NIGHT}stages/", swiss | {"takes": 2, "name": "Final"}), 201)
    order = [row["entry"] for row in good(run(f"{STAGE}seeding/"))["results"]][::-1]
    good(run(f"{STAGE}status/", {"status": "running", "order": order}))
    assert [row["entry"] for row in good(run(f"{STAGE}seeding/"))["results"]] == order
    assert good(run(f"{NIGHT}stages/2/seeding/"))["results"] == []


HIDDEN = [
    f"{NIGHT}places/",
    f"{NIGHT}slots/",
    f"{NIGHT}away/",
    f"{NIGHT}apart/",
    f"{NIGHT}messages/",
    f"{STAGE}seeding/",
    f"{STAGE}otherwise/",
    "/clubs/stern/seasons/autumn/series/",
    "/clubs/stern/seasons/autumn/close/",
    "/clubs/stern/seasons/autumn/copy/?starts_on=2027-09-02",
]


def test_what_organisers_settle_is_theirs_to_read(
    night: Event, run: Ask, score: Ask, look: Ask
) -> None:
    halls.hall(night)
    player = asker(member_key(night.club, Role.PLAYER)[0])
    elsewhere = asker(member_key(ClubFactory.create(slug="mond"), Role.ORGANISER)[0])
    one = [
        f"{NIGHT}places/{HallPlace.objects.all()[0].public_id}/",
        f"{NIGHT}slots/{Slot.objects.all()[0].public_id}/",
    ]
    for path in (*HIDDEN, *one):
        assert run(path).status_code == 200, path
        for other in (look, player, score, elsewhere):
            assert code_of(other(path)) == (404, "not_found"), path
