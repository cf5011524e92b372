"""Programs that play Lügen-Kniffel, by the API: from the new table to the sealed game."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.kniffel.combinations import COMBINATIONS
from games.models import Game, Kind, SheetEntry
from league.models import Club, OnlineTable
from league.play.online_table.web.game_pages import GAME_PAGES
from tests.league.core.frame.api.programs import code_of, get
from tests.league.play.online_table.kniffel import page_of
from tests.league.play.program.programs import Program, two_at_a_table

pytestmark = pytest.mark.django_db
KNIFFEL = Kind.LUEGEN_KNIFFEL.value


def at_a_table(club: Club, **body: Any) -> tuple[list[Program], str, Program, Program]:
    """Two programs at a table of Lügen-Kniffel, its address, the roller, and the one that
    listens."""
    programs, table = two_at_a_table(club, game=Kind.LUEGEN_KNIFFEL, **body)
    roller = programs[0].look(table)["game"]["roller"]
    return programs, table, programs[roller], programs[1 - roller]


def send(program: Program, table: str, act: str, **more: Any) -> Any:
    """Send an act, as the table stands now where that is needed."""
    if act in ("roll", "announce"):
        more.setdefault("length", program.look(table)["game"]["length"])
    return program.post(f"{table}acts/", {"act": act, **more})


def game_after(answer: Any) -> Any:
    assert answer.status_code == 200, answer.content
    return answer.json()["game"]


def announced(roller: Program, table: str) -> str:
    """Let the roller roll once and announce the first that is true, or else the first that it
    may."""
    game = game_after(send(roller, table, "roll"))
    say = [*game["true"], *game["legal"]][0]
    assert game_after(send(roller, table, "announce", say=say))["announcement"] == say
    return str(say)


def test_two_programs_play_a_whole_game_to_the_sealed_record(club: Club) -> None:
    programs, table, _, _ = at_a_table(club, allow_zero=True)
    game = programs[0].look(table)["game"]
    turns = 0
    while not game["over"]:
        (seat,) = game["to_act"]
        program = programs[seat]
        game = program.look(table)["game"]
        if game["may_answer"]:
            answer = send(program, table, "believe", turn=game["turn"])
        elif not game["rolls"]:
            answer = send(program, table, "roll")
        else:
            answer = send(program, table, "announce", say=game["true"][0])
            turns += 1
        game = game_after(answer)
    seen = programs[0].look(table)
    assert turns == 2 * len(COMBINATIONS)
    assert (seen["status"], seen["kind"]) == ("over", Kind.LUEGEN_KNIFFEL)
    assert sorted(seat["rank"] for seat in seen["game"]["seats"])[0] == 1
    assert all(not seat["open"] and not seat["strikes"] for seat in seen["game"]["seats"])
    assert (seen["game"]["roller"], seen["game"]["to_act"], seen["game"]["deadline"]) == (
        None,
        [],
        None,
    )
    assert seen["sealed"].endswith(f"{Game.objects.get().public_id}/")


def test_a_program_plays_with_automatic_players(club: Club) -> None:
    program = Program(club)
    table = program.opened(game=Kind.LUEGEN_KNIFFEL, allow_zero=True)
    program.post(f"{table}automatic/", {"strength": "easy"})
    seen = program.post(f"{table}begin/").json()
    for _ in range(12):
        game = seen["game"]
        assert game["to_act"] == [0]
        if game["may_answer"]:
            answer = send(program, table, "doubt", turn=game["turn"])
        elif game["may_roll"] and game["rolls"] < 2:
            answer = send(program, table, "roll", keep=[0, 1] if game["rolls"] else [])
        else:
            answer = send(program, table, "announce", say=game["legal"][0])
        assert answer.status_code == 200, answer.content
        seen = answer.json()


def test_dice_that_stay_are_named_by_their_places(club: Club) -> None:
    _, table, roller, _ = at_a_table(club)
    assert roller.look(table)["game"]["dice"] is None
    rolled = game_after(send(roller, table, "roll"))["dice"]["rolled"]
    game = game_after(send(roller, table, "roll", keep=[1, 4]))
    assert game["dice"]["staying"] == rolled[1] + rolled[4]
    assert len(game["dice"]["rolled"]) == 3
    assert (game["rolls"], game["may_roll"]) == (2, True)
    assert not game_after(send(roller, table, "roll"))["may_roll"]


def test_the_others_see_what_lies_open_alone(club: Club) -> None:
    programs, table, roller, listener = at_a_table(club)
    say = announced(roller, table)
    own, other, stranger = [
        program.look(table)["game"] for program in (roller, listener, Program(club))
    ]
    assert (own["dice"] is None, other["dice"], stranger["dice"]) == (False, None, None)
    assert (other["announcement"], other["rolls"]) == (say, 1)
    assert other["to_act"] == [programs.index(listener)]
    assert (own["may_answer"], other["may_answer"], stranger["may_answer"]) == (False, True, False)
    assert other["legal"] == other["true"] == []
    assert other["deadline"]
    assert other["seats"][0]["open"] == list(COMBINATIONS)


def test_answers_name_their_turn_and_need_no_length(club: Club) -> None:
    programs = [Program(club) for _ in range(3)]
    table = programs[0].opened(game=Kind.LUEGEN_KNIFFEL)
    for guest in programs[1:]:
        guest.post(f"{table}sit/")
    programs[0].post(f"{table}begin/")
    roller = programs[0].look(table)["game"]["roller"]
    announced(programs[roller], table)
    first, second = [program for number, program in enumerate(programs) if number != roller]
    game = game_after(send(first, table, "doubt", turn=0))
    assert game["to_act"] == [programs.index(second)]
    assert [seat["answered"] for seat in game["seats"]] == [
        program is first for program in programs
    ]
    assert code_of(send(first, table, "believe", turn=0)) == (422, "answered")
    assert game_after(send(second, table, "believe", turn=0))["turn"] == 1
    assert code_of(send(second, table, "believe", turn=0)) == (422, "turn_over")
    entries = get(f"{table}entries/").json()["entries"]
    assert [entry["act"] for entry in entries] == ["roll", "announce", "answer", "answer", "reveal"]
    assert entries[2]["value"] == {"seat": programs.index(first), "turn": 0}


def test_the_same_request_under_the_same_key_is_one_act_and_a_hidden_part_counts(
    club: Club,
) -> None:
    _, table, roller, listener = at_a_table(club)
    send(roller, table, "roll")

    def sent(program: Program, **body: Any) -> Any:
        return program.post(f"{table}acts/", body, **{"Idempotency-Key": "one"})

    for replayed in (False, True):
        answer = sent(roller, act="roll", keep=[0], length=1)
        assert answer.status_code == 200
        assert ("Idempotency-Replayed" in answer) is replayed
    assert code_of(sent(roller, act="roll", keep=[1], length=1)) == (422, "idempotency_key_reused")
    say = roller.look(table)["game"]["legal"][0]
    send(roller, table, "announce", say=say)
    for replayed in (False, True):
        answer = sent(listener, act="believe", turn=0)
        assert ("Idempotency-Replayed" in answer) is replayed
    assert code_of(sent(listener, act="doubt", turn=0)) == (422, "idempotency_key_reused")


def test_the_slower_of_two_gets_the_state(club: Club) -> None:
    _, table, roller, _ = at_a_table(club)
    send(roller, table, "roll", length=0)
    late = send(roller, table, "roll", length=0)
    assert code_of(late) == (409, "overtaken")
    assert late.json()["table"]["game"]["rolls"] == 1


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"act": "roll", "keep": [0], "length": 0}, (422, "bad_keep")),
        ({"act": "announce", "say": "fours=12", "length": 0}, (422, "roll_first")),
        ({"act": "believe", "turn": 0}, (422, "not_your_turn")),
        ({"act": "roll"}, (400, "bad_value")),
        ({"act": "roll", "keep": [5], "length": 0}, (400, "bad_value")),
        ({"act": "roll", "say": "fours=12", "length": 0}, (400, "bad_value")),
        ({"act": "announce", "length": 0}, (400, "bad_value")),
        ({"act": "doubt"}, (400, "bad_value")),
        ({"act": "answer", "turn": 0, "doubt": True}, (400, "bad_value")),
        ({"act": "bid", "bid": "1x1", "length": 0}, (400, "bad_value")),
        ({"act": "reveal"}, (400, "bad_value")),
    ],
)
def test_an_illegal_act_has_its_code_and_leaves_no_trace(
    club: Club, act: dict[str, Any], code: Any
) -> None:
    _, table, roller, _ = at_a_table(club)
    assert code_of(roller.post(f"{table}acts/", act)) == code
    assert not SheetEntry.objects.exists()


def test_what_can_be_announced_is_what_the_rules_take(club: Club) -> None:
    _, table, roller, _ = at_a_table(club)
    game = game_after(send(roller, table, "roll"))
    assert set(game["true"]) <= set(game["legal"])
    assert "fours=12" in game["legal"]
    assert "fours=0" not in game["legal"]
    assert code_of(send(roller, table, "announce", say="fours=13")) == (422, "no_such_announcement")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"game": KNIFFEL, "reroll": False}, "reroll"),
        ({"game": KNIFFEL, "exact": "all"}, "exact"),
        ({"truth": "exact"}, "truth"),
        ({"allow_zero": False}, "allow_zero"),
        ({"most_seats": 7}, "most_seats"),
        ({"game": "chess"}, "game"),
    ],
)
def test_what_does_not_belong_to_the_game_is_refused_by_field(
    club: Club, body: dict[str, Any], field: str
) -> None:
    answer = Program(club).post(f"/clubs/{club.slug}/online-tables/", body)
    assert answer.status_code in (400, 422)
    assert field in answer.content.decode()
    assert not OnlineTable.objects.exists()


def test_a_new_table_has_the_rules_and_seats_of_its_game(club: Club) -> None:
    program = Program(club)
    kniffel = program.look(program.opened(game=Kind.LUEGEN_KNIFFEL, truth="at_least"))
    assert (kniffel["kind"], kniffel["most_seats"]) == (Kind.LUEGEN_KNIFFEL, 8)
    assert kniffel["rules"] == {"truth": "at_least", "allow_zero": False}
    bluff = program.look(program.opened())
    assert (bluff["kind"], bluff["most_seats"]) == (Kind.BLUFF, 6)
    assert {row["kind"] for row in program.get("/play/").json()["tables"]} == set(Kind.values)


def test_the_pages_offer_it_and_say_who_is_a_program(club: Club) -> None:
    assert all("programs_welcome" in page.form(None).fields for page in GAME_PAGES.values())
    at_a_table(club)
    assert page_of(OnlineTable.objects.get(), Client()).count("<small>program</small>") == 2


def test_a_table_for_people_only_stays_one(club: Club) -> None:
    body = {"game": Kind.LUEGEN_KNIFFEL, "programs_welcome": False}
    assert code_of(Program(club).post(f"/clubs/{club.slug}/online-tables/", body)) == (
        403,
        "people_only",
    )


def test_an_act_costs_the_same_few_queries_however_long_the_game_is(club: Club) -> None:
    programs, table, _, _ = at_a_table(club, allow_zero=True)
    counts = []
    for _ in range(4):
        game = programs[0].look(table)["game"]
        announced(programs[game["roller"]], table)
        listener = programs[1 - game["roller"]]
        with CaptureQueriesContext(connection) as queries:
            send(listener, table, "believe", turn=game["turn"])
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
    assert counts[-1] <= 22, [query["sql"][:120] for query in queries]
