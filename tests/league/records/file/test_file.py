"""Entering games by program: one or many, again, at the same moment, and everything that can be
wrong."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.db.models.functions import Now
from django.test import Client, override_settings

from engine.notation.text import render
from engine.record.record import Record, read
from games.models import Game
from league.core.key.tasks import forget_keys
from league.models import IdempotencyKey, Player, Season
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.core.frame.api.programs import LINES, bearer, code_of, member_key

GAMES = "/api/v1/clubs/stern/games/"


def send(
    secret: str,
    body: bytes,
    query: str = "season=autumn",
    kind: str = "application/json",
    **headers: str,
) -> Any:
    return Client().post(
        f"{GAMES}?{query}", body, content_type=kind, headers=bearer(secret) | headers
    )


def send_lines(secret: str, *lines: bytes, query: str = "season=autumn", **headers: str) -> Any:
    return send(secret, b"".join(lines), query, LINES, **headers)


def broken(seed: int) -> bytes:
    """A record whose second round opens with a challenge."""
    record = bluff_record(seed)
    record["rounds"][1] = {"moves": ["!"], "count": 0}
    return line(record)


def test_a_new_record_is_created_and_the_same_again_is_not(season: Season, secret: str) -> None:
    body = line(bluff_record(1))
    first = send(secret, body)
    game = Game.objects.get()
    assert (first.status_code, first["Location"]) == (201, f"/api/v1/games/{game.public_id}/")
    assert first.json() == {
        "read": 1,
        "created": 1,
        "unchanged": 0,
        "bad": 0,
        "new_players": ["anna", "ben", "cleo"],
        "results": [
            {
                "line": 1,
                "id": "game-1",
                "outcome": "created",
                "game": f"/api/v1/games/{game.public_id}/",
                "error": None,
            }
        ],
    }
    again = send(secret, json.dumps(json.loads(body), indent=2).encode())
    assert (again.status_code, again.json()["results"][0]["outcome"]) == (200, "unchanged")
    assert Game.objects.count() == 1


def test_a_bad_record_is_a_problem_with_the_place_of_the_fault(season: Season, secret: str) -> None:
    response = send(secret, broken(1))
    assert code_of(response) == (422, "no_bid")
    problem = response.json()
    assert (problem["round"], problem["move"], problem["id"], problem["line"]) == (
        1,
        0,
        "game-1",
        1,
    )
    fault = problem["errors"][0]
    assert (fault["line"], fault["id"], fault["code"], fault["path"]) == (
        1,
        "game-1",
        "no_bid",
        "rounds[1].moves[0]",
    )
    assert problem["detail"] == f"{fault['path']}: {fault['message']}"
    assert not Game.objects.exists()


def test_other_content_under_a_known_id_is_a_conflict(season: Season, secret: str) -> None:
    send(secret, line(bluff_record(1)))
    assert code_of(send(secret, line(bluff_record(2, id="game-1")))) == (422, "conflict")


def test_of_many_the_good_go_in_and_the_bad_are_named(season: Season, secret: str) -> None:
    response = send_lines(
        secret, line(bluff_record(1)), broken(2), b"\n", b"nonsense\n", line(bluff_record(3))
    )
    answer = response.json()
    assert response.status_code == 201
    assert [(row["line"], row["id"], row["outcome"]) for row in answer["results"]] == [
        (1, "game-1", "created"),
        (2, "game-2", "bad"),
        (4, None, "bad"),
        (5, "game-3", "created"),
    ]
    assert [row["error"] and row["error"]["code"] for row in answer["results"]] == [
        None,
        "no_bid",
        "bad_json",
        None,
    ]
    assert (answer["read"], answer["created"], answer["bad"]) == (4, 2, 2)
    assert send_lines(secret, line(bluff_record(1)), b"nonsense\n").status_code == 200


def test_all_bad_is_a_problem(season: Season, secret: str) -> None:
    response = send_lines(secret, broken(1), broken(2))
    assert code_of(response) == (422, "all_bad")
    assert [(fault["line"], fault["code"]) for fault in response.json()["errors"]] == [
        (1, "no_bid"),
        (2, "no_bid"),
    ]


def test_all_or_nothing_imports_nothing(season: Season, secret: str) -> None:
    lines = [line(bluff_record(1)), broken(2)]
    response = send_lines(secret, *lines, query="season=autumn&all_or_nothing=true")
    assert code_of(response) == (422, "refused")
    assert [fault["line"] for fault in response.json()["errors"]] == [2]
    assert not Game.objects.exists()
    assert (
        send_lines(secret, lines[0], query="season=autumn&all_or_nothing=true").status_code == 201
    )


def test_unknown_players_are_created_unless_told_otherwise(season: Season, secret: str) -> None:
    refused = send(secret, line(bluff_record(1)), "season=autumn&create_players=false")
    assert code_of(refused) == (422, "unknown_player")
    assert not Player.objects.exists()


def test_the_record_may_name_its_season(season: Season, secret: str) -> None:
    assert send(secret, line(bluff_record(1, season="autumn")), "").status_code == 201
    assert (
        send_lines(
            secret, b"nonsense\n", line(bluff_record(2, season="autumn")), query=""
        ).status_code
        == 201
    )
    assert code_of(send(secret, line(bluff_record(3)), "")) == (422, "season_missing")
    assert code_of(send(secret, line(bluff_record(3, season="spring")), "")) == (
        422,
        "no_such_season",
    )
    assert code_of(send(secret, line(bluff_record(3)), "season=spring")) == (422, "no_such_season")
    assert code_of(send(secret, line(bluff_record(3, season="spring")))) == (422, "other_season")


def test_games_never_go_into_another_clubs_season(season: Season, secret: str) -> None:
    other = SeasonFactory.create(slug="elsewhere")
    assert code_of(send(secret, line(bluff_record(1)), f"season={other.slug}")) == (
        422,
        "no_such_season",
    )


@pytest.mark.parametrize("body", [b"", b" \r\n\n", b"\xef\xbb\xbf\n"])
def test_an_empty_body_is_told_so(season: Season, secret: str, body: bytes) -> None:
    assert code_of(send_lines(secret, body)) == (400, "empty_body")


BAD_BODIES = [
    b"{",
    b"\xff\xfe{}",
    b"null",
    b"[]",
    b'"x"',
    b"1e999",
    b"NaN",
    b"{}\n{}",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"game":"bluff","game":"bluff"}',
    b"9" * 5000,
    line(bluff_record(1, id="a\x00b")),
    line(bluff_record(1, id="\ud800")),
    line(bluff_record(1, seats=["a\x00", "b", "c"])),
    line(bluff_record(1, id=7)),
    line(bluff_record(1, opener=2**70)),
    line(bluff_record(1, season={"deep": []})),
    line(bluff_record(1, played_at="0001-01-01T00:00:00+23:59")),
]


@pytest.mark.parametrize("body", BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_whatever_the_bytes_are_the_answer_is_a_problem(
    season: Season, secret: str, body: bytes
) -> None:
    for query in ("season=autumn", ""):
        assert code_of(send(secret, body, query))[0] == 422
        assert code_of(send_lines(secret, body, query=query))[0] == 422
    assert code_of(send(secret, body, **{"Idempotency-Key": "k"}))[0] == 422
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "x",
        "application/*",
    ],
)
def test_other_kinds_of_body_are_415(season: Season, secret: str, kind: str) -> None:
    assert code_of(send(secret, b"--x", kind=kind)) == (415, "unsupported_media_type")


def test_a_packed_body_is_415(season: Season, secret: str) -> None:
    packed = gzip.compress(line(bluff_record(1)))
    assert code_of(send_lines(secret, packed)) == (415, "unsupported_media_type")
    for encoding, status in {"br": 415, "identity": 201}.items():
        assert (
            send(secret, line(bluff_record(1)), **{"Content-Encoding": encoding}).status_code
            == status
        )


def test_a_charset_does_not_matter(season: Season, secret: str) -> None:
    assert (
        send(secret, line(bluff_record(1)), kind="application/json; charset=utf-8").status_code
        == 201
    )


def test_a_body_of_unknown_length_is_411(season: Season, secret: str) -> None:
    assert code_of(send(secret, b"", **{"Transfer-Encoding": "chunked"})) == (
        411,
        "length_required",
    )


@override_settings(IMPORT_MAX_BYTES=1000)
def test_a_body_past_the_limit_is_413(season: Season, secret: str) -> None:
    assert code_of(send(secret, b" " * 1001)) == (413, "too_large")
    assert code_of(send(secret, b"x" * 1000)) == (422, "bad_json")


@pytest.mark.parametrize(
    "query", ["create_players=perhaps", "all_or_nothing=2", "season=a%00", "sesaon=autumn"]
)
def test_a_bad_option_is_a_problem(season: Season, secret: str, query: str) -> None:
    assert code_of(send(secret, line(bluff_record(1)), query)) == (400, "bad_parameter")


KEY = {"Idempotency-Key": "night-1/table-3"}


def test_the_same_request_again_gets_the_same_answer(season: Season, secret: str) -> None:
    lines = [line(bluff_record(1)), broken(2)]
    first, again = (send_lines(secret, *lines, **KEY) for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert first.status_code == 201
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"


def test_a_stored_answer_may_be_a_problem_or_name_the_new_game(season: Season, secret: str) -> None:
    bad = [send(secret, broken(1), **KEY) for _ in range(2)]
    assert code_of(bad[0]) == code_of(bad[1]) == (422, "no_bid")
    good = [send(secret, line(bluff_record(2)), **{"Idempotency-Key": "other"}) for _ in range(2)]
    assert good[0]["Location"] == good[1]["Location"]
    assert good[1].status_code == 201


@pytest.mark.parametrize(
    "change",
    [
        {"body": line(bluff_record(2))},
        {"query": "season=autumn&create_players=true"},
        {"kind": LINES},
    ],
)
def test_a_key_stands_for_one_request(season: Season, secret: str, change: dict[str, Any]) -> None:
    request: dict[str, Any] = {
        "body": line(bluff_record(1)),
        "query": "season=autumn",
        "kind": "application/json",
    }
    request |= KEY
    send(secret, **request)
    assert code_of(send(secret, **(request | change))) == (422, "idempotency_key_reused")
    assert Game.objects.count() == 1


def test_idempotency_keys_of_two_keys_have_nothing_to_do_with_each_other(
    season: Season, secret: str
) -> None:
    other, _ = member_key(season.club)
    send(secret, line(bluff_record(1)), **KEY)
    assert send(other, line(bluff_record(2)), **KEY).status_code == 201


def test_a_request_that_was_not_carried_out_is_not_stored(season: Season, secret: str) -> None:
    body = line(bluff_record(1))
    assert send(secret, body, "season=spring", **KEY).status_code == 422
    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("key", ["", "k" * 65, "k\xe9", "a\tb"])
def test_a_bad_key_is_a_problem(season: Season, secret: str, key: str) -> None:
    answer = send(secret, line(bluff_record(1)), **{"Idempotency-Key": key})
    assert code_of(answer) == (400, "bad_idempotency_key")


def test_a_session_has_no_keys(season: Season, scorer: Any) -> None:
    browser = Client()
    browser.force_login(scorer)
    body = line(bluff_record(1))
    answer = browser.post(
        f"{GAMES}?season=autumn", body, content_type="application/json", headers=KEY
    )
    assert code_of(answer) == (400, "idempotency_needs_token")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", [{}, KEY])
def test_at_the_same_moment_all_get_an_answer_and_one_imports(
    season: Season, secret: str, headers: dict[str, str]
) -> None:
    body = b"".join(line(bluff_record(seed)) for seed in range(3))

    def enter(_: int) -> Any:
        try:
            return send_lines(secret, body, **headers)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(enter, range(4)))
    assert Game.objects.count() == 3
    if headers:
        assert {answer.status_code for answer in answers} == {201}
        assert sorted("Idempotency-Replayed" in answer for answer in answers) == [
            False,
            True,
            True,
            True,
        ]
        assert len({answer.content for answer in answers if "Idempotency-Replayed" in answer}) == 1
    else:
        assert {answer.status_code for answer in answers} <= {200, 201}
        assert sum(answer.json()["created"] for answer in answers) == 3


@pytest.mark.django_db(transaction=True)
def test_who_waits_too_long_for_a_key_is_told_so(
    season: Season, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.core.key.services.idempotency.WAIT", "50ms")
    inner: list[Any] = []

    def ask_again() -> None:
        try:
            inner.append(send_lines(secret, line(bluff_record(1)), **KEY))
        finally:
            connections.close_all()

    def slow(**options: Any) -> Any:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(ask_again).result()
        raise RuntimeError("the process dies")

    monkeypatch.setattr("league.records.file.services.file_import", slow)
    dying = Client(raise_request_exception=False)
    headers = bearer(secret) | KEY
    dying.post(f"{GAMES}?season=autumn", line(bluff_record(1)), content_type=LINES, headers=headers)
    assert code_of(inner[0]) == (409, "in_progress")
    monkeypatch.undo()
    assert send_lines(secret, line(bluff_record(1)), **KEY).status_code == 201


def test_games_in_the_text_notation_go_in(season: Season, secret: str) -> None:
    records = [read(line(bluff_record(seed))) for seed in (1, 2)]
    text = "\n".join(render(record) for record in records if isinstance(record, Record))
    answer = send(secret, text.encode(), kind="text/vnd.cups-up")
    assert answer.status_code == 201
    assert [end["outcome"] for end in answer.json()["results"]] == ["created", "created"]
    assert send_lines(secret, line(bluff_record(1)), line(bluff_record(2))).json()["unchanged"] == 2
    refused = send(secret, text.replace(" !", " ?", 1).encode(), kind="text/vnd.cups-up")
    assert refused.json()["results"][0]["error"]["code"] == "bad_notation"
    assert refused.json()["unchanged"] == 1


def test_an_answer_is_forgotten_after_a_week(season: Season, secret: str) -> None:
    send(secret, line(bluff_record(1)), **{"Idempotency-Key": "monday"})
    forget_keys()
    assert IdempotencyKey.objects.count() == 1
    IdempotencyKey.objects.update(created_at=Now() - timedelta(days=8))
    forget_keys()
    assert not IdempotencyKey.objects.exists()
    assert (
        send(secret, line(bluff_record(1)), **{"Idempotency-Key": "monday"}).json()["unchanged"]
        == 1
    )
