"""A client that is generated from the description, as the manual says, gets an answer from every
operation."""

import importlib
import inspect
import json
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from datetime import date
from io import BytesIO
from typing import Any, get_args, get_type_hints
from uuid import uuid4

import httpx
import pytest
from django.conf import settings

from games.queries.online_game import online_game
from games.services.open_game import Writer
from league.core.key.services.key import key_create
from league.core.log.services import Actor
from league.disputes.call.services import call_make
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.services import objection_withdraw
from league.models import (
    ApiKey,
    Appeal,
    Entry,
    Event,
    Format,
    Objection,
    OnlineSeat,
    OnlineTable,
    Player,
    Season,
    Stage,
    StageRound,
    Table,
    TableOpenGame,
    User,
)
from league.play.online_table.services.game import table_act
from league.play.online_table.services.lobby import table_start
from league.sheets.device.services.device import device_make
from league.sheets.sheet.models import ClubOpenGame
from league.site.openapi.api import description
from league.stages.round.services import round_take_back
from league.standings.season.queries.access import known_games
from league.wsgi import application
from tests.factories import notices
from tests.factories.codes import code_of, waiting
from tests.factories.league import UserFactory
from tests.factories.photos import picture
from tests.factories.proposals import turned
from tests.factories.records import bluff_record, line
from tests.factories.sheets import Scorer, SeasonScorer
from tests.league.disputes.ruling.rulings import decided, ruled
from tests.league.play.program.programs import program, table_of_programs
from tests.league.site.openapi.conftest import corrected, undrawn

MANUAL = (settings.BASE_DIR / "templates/docs/api.md").read_text()
TEXT_NOTATION = "text/vnd.cups-up"


def operations() -> list[Any]:
    """Every operation of the description: its tag and its name."""
    paths = json.loads(description())["paths"].values()
    found = [
        (operation["tags"][0], operation["operationId"])
        for path in paths
        for operation in path.values()
    ]
    return [pytest.param(*names, id=names[1]) for names in found]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the generated package, which can be imported as long as the module is tested."""
    folder = tmp_path_factory.mktemp("client")
    overrides = re.search(r"```yaml\n(.*?)```", MANUAL, re.DOTALL)
    assert overrides is not None
    (folder / "schema.json").write_bytes(description())
    (folder / "client.yaml").write_text(overrides[1] + "post_hooks: []\n")
    where = [
        "--path",
        "schema.json",
        "--config",
        "client.yaml",
        "--meta",
        "none",
        "--output-path",
        "cups_up_client",
    ]
    ran = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", *where],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    warnings = re.findall(r"^WARNING.*", ran.stdout + ran.stderr, re.MULTILINE)
    assert warnings == [
        "WARNING parsing POST /api/v1/clubs/{club}/games/ within clubs.",
        "WARNING parsing POST /api/v1/tables/{table}/games/ within tables.",
    ], "only what the manual says"
    sys.path.insert(0, str(folder))
    yield "cups_up_client"
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.startswith("cups_up_client")]:
        del sys.modules[name]


def call(package: str, secret: str, tag: str, operation: str, **arguments: Any) -> Any:
    """What the generated function for an operation gives back."""
    client = importlib.import_module(f"{package}.client").AuthenticatedClient(
        base_url="http://testserver",
        token=secret,
        raise_on_unexpected_status=True,
        httpx_args={"transport": httpx.WSGITransport(app=application)},
    )
    function = importlib.import_module(f"{package}.api.{module(tag)}.{operation}").sync_detailed
    known = inspect.signature(function).parameters
    return function(
        client=client, **{name: value for name, value in arguments.items() if name in known}
    )


def module(tag: str) -> str:
    """The generated module of a tag."""
    return tag.replace("-", "_")


RULING = {
    "verb": "stands",
    "findings": "Two players heard the call.",
    "rule": "B6",
    "reason": "A call stands.",
}
PLAIN_BODIES: dict[str, Any] = {
    "create_event": {"slug": "night-3", "name": "Third night", "starts_at": "2026-12-10T18:30:00Z"},
    "change_event": {"venue": "Elsewhere"},
    "move_event": {"status": "cancelled"},
    "create_stage": {"name": "More", "format": "swiss", "sizes": [4], "rounds": 2},
    "change_stage": {"name": "Cup"},
    "move_stage": {"status": "running"},
    "ask_round": {"reason": "Dinner is over."},
    "move_round": {"status": "taken_back"},
    "give_table": {"stands": False, "reason": "They came back."},
    "change_entry": {"guest": True},
    "change_own_entry": {"status": "withdrawn"},
    "send_message": {"subject": "Later", "text": "We begin at eight."},
    "add_places": {"first": 20, "last": 21},
    "drop_place": {"status": "dropped"},
    "add_slots": {"starts_at": "2026-12-04T18:30:00Z", "minutes": 45, "count": 2},
    "drop_slot": {"status": "dropped"},
    "ask_timetable": {"ahead": False},
    "move_timetable": {"status": "published"},
    "see_notices": {},
    "set_round_clock": {"minutes": 45, "clock": "running"},
    "keep_rounds": {},
    "invite_helper": {"role": "scorer"},
    "end_claim": {"status": "ended"},
    "answer_claim_request": {"status": "approved"},
    "renew_wall": {},
    "make_device": {},
    "end_device": {"status": "revoked"},
    "make_game_device": {},
    "end_game_device": {"status": "revoked"},
    "preview_entry": {"guest": True},
    "preview_void": {},
    "add_photo": {"picture": b64encode(picture()).decode()},
    "raise_objection": {"seat": 1, "word": "The last die was a star."},
    "add_statement": {
        "word": "Both dice lay on the table.",
        "files": [{"name": "notes.txt", "content": b64encode(b"two dice").decode()}],
    },
    "agree": {"seat": 0},
    "invite_arbiter": {},
    "accept_arbiter": {},
    "answer_arbiter": {"seat": 0, "answer": "yes"},
    "end_arbiter": {"way": "withdrawn"},
    "end_objection": {"way": "withdrawn"},
    "make_ruling": RULING,
    "preview_ruling": {"verb": "voided"},
    "open_hearing": {"word": "Who called, and when?"},
    "correct_game": {"record": bluff_record(2, table="third"), "reason": "It was the third table."},
    "preview_correction": {"record": bluff_record(2, table="third")},
    "raise_appeal": {"seat": 1, "word": "The photo is of table 3."},
    "withdraw_appeal": {},
    "draft_decision": RULING,
    "agree_with_draft": {},
    "make_call": {"key": str(uuid4())},
    "take_call_back": {"key": str(uuid4())},
    "void_game": {"reason": "It was entered twice."},
    "set_season_counting": {"per": "event", "best": 3},
    "close_season": {"slug": "winter", "name": "Winter", "starts_on": "2027-01-07"},
    "copy_season": {"slug": "autumn-2027", "name": "Autumn 2027", "starts_on": "2027-09-02"},
}
"""Those of them that name nobody and nothing."""


def bodies(known: dict[str, object]) -> dict[str, Any]:
    """What each operation that changes something is sent; ids are those of the entries at the known
    table."""
    table = Table.objects.get(public_id=known["table"])
    ids = list(
        Entry.objects.filter(seats__table=table)
        .order_by("seats__seat")
        .values_list("public_id", flat=True)
    )
    players = list(
        Player.objects.filter(entries__public_id__in=ids).values_list("handle", flat=True)
    )
    tables = [
        [entry.entry.public_id for entry in row.seats.all()]
        for row in table.stage_round.tables.all()
    ]
    return PLAIN_BODIES | {
        "add_entries": {"entries": [{"handle": "zoe"}], "create_players": True},
        "move_entries": {"entries": ids[:1], "status": "withdrawn"},
        "check_in_entries": {"entries": ids},
        "seat_round": {
            "tables": [row[::-1] for row in tables],
            "draws": [known["draw"]],
            "reason": "Who asked opens.",
        },
        "keep_apart": {"entries": ids, "must": True},
        "change_place": {"room": "Hall", "closed": [known["slot"]]},
        "set_away": {"never": [known["slot"]]},
        "move_timetable_tables": {
            "moves": [{"round": 1, "number": 1, "slot": known["slot"], "place": known["place"]}],
            "version": 0,
            "reason": "The cellar is cold.",
        },
        "end_helper": {
            "account": User.objects.get(username="helper").public_id,
            "role": "scorer",
            "status": "ended",
        },
        "make_claim_codes": {"players": [known["player"]]},
        "set_fees": {"entries": ids[:1], "fee": "paid"},
        "set_divisions": {
            "divisions": [{"name": "A", "players": [known["player"]]}, {"name": "B", "up": 1}]
        },
        "create_series": {**SERIES, "without": ["2027-02-11"]},
        "preview_series": SERIES,
        "keep_branch": {
            "key": str(uuid4()),
            "after": 0,
            "entries": [
                {
                    "key": str(uuid4()),
                    "act": "note",
                    "value": {"bid": "3x4"},
                    "at": "2026-11-25T19:30:00Z",
                }
            ],
        },
        "take_code": {"code": code_shown(written(known), [0, 1, 0, 0], after=1)},
        "add_entry": {"key": str(uuid4()), "length": 1, "act": "note", "value": {"bid": "3x4"}},
        "open_season_game": {"seats": players[:2]},
        "enter_table_game": bluff_record(9, seats=players),
        "enter_table_outcome": {
            "finishes": [{"entry": id, "rank": place} for place, id in enumerate(ids, start=1)]
        },
    }


def written(known: dict[str, object]) -> TableOpenGame:
    """The known game that is being written down."""
    return TableOpenGame.objects.get(open_game__public_id=known["open_game"])


def call_made(known: dict[str, object], writer: Writer) -> int:
    """Call the arbiter to the known game that is being written down; the number of that entry."""
    return call_make(row=written(known), writer=writer, key=uuid4()).entry.number


def code_shown(row: ClubOpenGame, losses: list[int], after: int) -> str:
    """The code of a phone without network that writes a game: a round with these losses."""
    _, key = device_make(subject=row.subject, actor=Actor())
    return code_of(row.open_game.public_id, waiting([{"losses": losses}]), key, after=after)


SERIES = {
    "slug": "monday",
    "name": "Monday",
    "starts_at": "2027-02-01T18:30:00Z",
    "weekdays": ["MO"],
    "count": 4,
}
ELSEWHERE = {
    "get_event_draws": {"event": "night-2"},
    "ask_round": {"event": "night-2"},
    "list_label_ranking": {"event": "night-2"},
    "list_event_objections": {"event": "night-2"},
    "list_event_hearings": {"event": "night-2"},
    "list_event_appeals": {"event": "night-2"},
    "list_event_calls": {"event": "written"},
    "take_code": {"event": "written"},
}
"""The event of operations that the known one, a knock-out that is being played, has no answer
for."""


OF_DISPUTES = (
    *("raise_objection", "add_statement", "list_statements", "invite_arbiter", "list_arbiters"),
    *("make_ruling", "preview_ruling"),
)
"""The operations that want a game to which somebody objects."""


OF_PROGRAMS: dict[str, dict[str, Any] | None] = {
    "get_own_play": None,
    "stream_own_play": None,
    "mark_program": {"for_good": True},
    "list_online_tables": None,
    "open_online_table": {"seed": "moon"},
    "get_online_table": None,
    "get_online_entries": None,
    "stream_online_table": None,
    "sit_down": {"seed": "sun"},
    "stand_up": {"seat": 1},
    "add_automatic_player": {"strength": "easy"},
    "begin_online_game": None,
    "act": {"act": "leave"},
    "play_on": None,
    "play_again": None,
}
"""The operations of programs that play, and what each is sent."""
ALONE = ("sit_down", "add_automatic_player")
"""Those that are asked for while the host sits alone."""


class Playing:
    """A table at which an operation can be asked for: its id, the secret of who asks, and the
    body."""

    def __init__(self, season: Season, operation: str) -> None:
        host, guest = program(season.club), program(season.club)
        table = table_of_programs(host, *([] if operation in ALONE else [guest]))
        asks, self.body = host, OF_PROGRAMS[operation]
        if operation in ("act", "play_on", "play_again"):
            table = table_start(table=table)
        if operation == "play_on":
            OnlineTable.objects.update(move_seconds=0)
            OnlineSeat.objects.update(bank=0)
            assert table.open_game_id is not None
            asks = (host, guest)[1 - online_game(table.open_game_id).sheet.round.turn]
        if operation == "play_again":
            seat = table.seats.get(number=1)
            table_act(table=table, seat=seat, act="leave", length=None, key=uuid4())
        if operation == "sit_down":
            asks = guest
        self.table = table.public_id
        _, self.secret = key_create(
            club=season.club, user=asks, label="program", scope=ApiKey.Scope.PLAY
        )


@pytest.mark.usefixtures("open_database")
@pytest.mark.parametrize(("tag", "operation"), operations())
def test_every_operation_is_answered(
    package: str, secret: str, season: Season, known: dict[str, object], tag: str, operation: str
) -> None:
    """A new operation is called as soon as it is described; one with a path of a new kind fails
    until it is known."""
    sent = known | ELSEWHERE.get(operation, {})
    if operation == "enter_games":
        lines = BytesIO(line(bluff_record(7)) + line(bluff_record(8)))
        sent |= {"body": importlib.import_module(f"{package}.types").File(payload=lines)}
    elif operation in bodies(known):
        sent |= {"body": body_type(package, tag, operation).from_dict(bodies(known)[operation])}
    if "own" in operation.split("_") or operation == "list_notices":
        Player.objects.filter(entries__public_id=known["entry"]).update(
            user=ApiKey.objects.get().user
        )
        notices.read(season.club)
    if operation in OF_DISPUTES:
        sent |= {"game": Objection.objects.get().game.public_id}
    if operation == "raise_appeal":
        sent |= {
            "ruling": ruled(
                known_games().get(objections__isnull=False), UserFactory.create()
            ).public_id
        }
    if operation in ("list_hearings", "list_event_hearings"):
        hearing_open(
            game=known_games().get(objections__isnull=False), word="Who called?", actor=Actor()
        )
    if operation == "list_event_appeals":
        disputed = known_games().get(objections__isnull=False)
        ruled(disputed, UserFactory.create())
        decided(disputed, closed=False)
    if operation in ("list_calls", "list_event_calls", "rule_on_call"):
        made = call_made(known, Writer(automatic="hare"))
        body = {"key": str(uuid4()), "call": made, "case": "taken_back", "decision": "stands"}
        if operation == "rule_on_call":
            sent |= {"body": body_type(package, tag, operation).from_dict(body)}
    if operation == "take_call_back":
        caller = ApiKey.objects.get().user
        call_made(known, Writer(account=(caller.pk, caller.public_id)))
    if operation in ("propose_correction", "end_objection"):
        game = Objection.objects.get().game
        Player.objects.filter(handle=game.seats.get(number=0).handle).update(
            user=ApiKey.objects.get().user
        )
    if operation == "withdraw_appeal":
        appeal = Appeal.objects.get(public_id=known["appeal"])
        handle = appeal.ruling.game.seats.get(number=appeal.seat).handle
        Player.objects.filter(handle=handle).update(user=ApiKey.objects.get().user)
    if operation == "propose_correction":
        body = {"record": json.loads(turned(game))}
        sent |= {"game": game.public_id, "body": body_type(package, tag, operation).from_dict(body)}
    if operation == "list_games":
        sent |= {"event": "night-2", "player": Player.objects.get(handle="s1").public_id}
    if operation == "list_label_ranking":
        Entry.objects.filter(event__slug="night-2").update(label="Ulm")
        Stage.objects.filter(event__slug="night-2").update(label_best=2)
    if operation == "preview_season_copy":
        sent |= {"starts_on": date(2027, 9, 2)}
    if operation == "list_otherwise":
        corrected(season)
        sent |= {"event": "corrected"}
    if operation in ("make_challenge", "set_up_table"):
        format = Format.LADDER if operation == "make_challenge" else Format.FREE
        body = {"players": undrawn(season, format)}
        sent |= {"event": format.value, "body": body_type(package, tag, operation).from_dict(body)}
    if operation == "close_season":
        objection_withdraw(
            objection=Objection.objects.get(public_id=known["objection"]), actor=Actor()
        )
    if operation == "ask_round":
        Stage.objects.filter(event__slug="night-2").update(status=Stage.Status.RUNNING, rounds=2)
        Event.objects.filter(slug="night-2").update(status=Event.Status.RUNNING)
    if operation == "seal_open_game":
        scorer = Scorer(Table.objects.get(stage_round__stage__event__slug="written"))
        scorer.finish()
        sent |= {"body": body_type(package, tag, operation).from_dict({"length": scorer.length})}
    if operation == "end_game_device":
        sent |= {"device": device_make(subject=written(known).table, actor=Actor())[0].public_id}
    if operation == "agree_with_branch":
        seat = written(known).table.seats.get(seat=0)
        Player.objects.filter(pk=seat.entry.player_id).update(user=ApiKey.objects.get().user)
    if operation == "take_season_code":
        code = code_shown(SeasonScorer(season, "s1", "s2").row, [0, 1], after=0)
        sent |= {"body": body_type(package, tag, operation).from_dict({"code": code})}
    if operation == "list_open_games":
        SeasonScorer(season, "s1", "s2")
    if operation == "list_history":
        Stage.objects.filter(event__slug="night-2").update(status=Stage.Status.RUNNING)
        stage_round = StageRound.objects.filter(stage__event__slug="night-2").latest("pk")
        round_take_back(
            stage_round=stage_round, actor=Actor(reason="two sat elsewhere"), with_results=True
        )
        sent |= {"event": "night-2"}
    if operation in OF_PROGRAMS:
        playing = Playing(season, operation)
        secret = playing.secret
        sent |= {"online_table": playing.table}
        if playing.body is not None:
            sent |= {"body": body_type(package, tag, operation).from_dict(playing.body)}
    answer = call(package, secret, tag, operation, **sent)
    assert answer.status_code in (200, 201), answer.content
    assert answer.parsed is not None
    assert type(answer.parsed).__name__ != "ProblemShape"
    if hasattr(answer.parsed, "results"):
        assert answer.parsed.results


def body_type(package: str, tag: str, operation: str) -> Any:
    """The generated type of what an operation is sent as JSON."""
    function = importlib.import_module(f"{package}.api.{module(tag)}.{operation}").sync_detailed
    types = get_args(get_type_hints(function)["body"]) or (get_type_hints(function)["body"],)
    return next(one for one in types if hasattr(one, "from_dict"))


@pytest.mark.usefixtures("open_database")
def test_the_records_of_a_season_come_as_they_are_and_go_in_again(
    package: str, secret: str, known: dict[str, object], season: Season
) -> None:
    records = call(package, secret, "clubs", "get_season_records", **known)
    lines = records.parsed.payload.getvalue().splitlines()
    table = Table.objects.get(stage_round__stage__event__slug="night-2")
    assert [json.loads(record)["id"] for record in lines] == [
        "game-1",
        "game-2",
        f"{table.public_id}-1",
    ]
    types = importlib.import_module(f"{package}.types")
    entered = call(
        package,
        secret,
        "clubs",
        "enter_games",
        **known,
        body=types.File(payload=records.parsed.payload),
    )
    assert (entered.status_code, entered.parsed.unchanged) == (200, len(lines))


@pytest.mark.usefixtures("open_database")
def test_one_record_goes_in_with_who_entered_it_and_a_bad_one_is_a_problem_with_its_place(
    package: str, secret: str, scorer: User, known: dict[str, object]
) -> None:
    body = importlib.import_module(f"{package}.models").EnterGamesJsonBody
    good = bluff_record(9) | {"season": "autumn"}
    entered = call(
        package, secret, "clubs", "enter_games", **known, body=body.from_dict(good)
    ).parsed
    assert entered.created == 1
    game = call(
        package, secret, "games", "get_game", game=entered.results[0].game.split("/")[-2]
    ).parsed
    assert game.entered_by == scorer.public_id
    bad = bluff_record(10, rounds=1) | {"season": "autumn"}
    bad["rounds"][0]["moves"].insert(1, "1x1")
    problem = call(
        package, secret, "clubs", "enter_games", **known, body=body.from_dict(bad)
    ).parsed
    assert (problem.status, problem.code, problem.round_, problem.move) == (
        422,
        "not_a_raise",
        0,
        1,
    )
    assert problem.id == "game-10"
