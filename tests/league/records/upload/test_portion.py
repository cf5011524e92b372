"""A file taken by portions gives what its games give one by one: rows, digests, entries of the log,
and answers."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.record.canonical import digests
from engine.record.lines import FileLine
from games.models import Game, Round, Seat
from games.queries.game import game_record
from league.core.jobs import TimeSlice
from league.core.log.models import LogEntry, LogHead
from league.core.log.services import Actor
from league.models import ImportJob, Player, Role, Season
from league.records.file import services as service
from league.records.file.services import CheckedLine, file_import, record_import
from league.records.upload import services as upload
from league.records.upload.services import (
    import_job_confirm,
    import_job_create,
    import_job_preview,
    import_job_run,
)
from league.stages.result.services.void import game_void_add
from league.standings.season.models import SeasonGame
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line, outcome_of

SALTS = [{"salt": f"{seat:032x}"} for seat in range(6)]
"""With names of their own records give the same digests in both clubs."""
TABLES = [
    ("anna", "ben", "cleo"),
    ("ANNA", "emil"),
    ("zoë", "Fritz"),
    ("FRITZ", "emil", "Ben"),
    ("ärmel", "Ärmel", "x"),
    ("weiß", "WEIẞ"),
    ("anna", "Anna", "ben"),
]
LEVELS = ["result", "challenge", "bids", "dice", "dealt"]


def named(record: dict[str, Any]) -> bytes:
    """The line of a record whose names have salts."""
    return line(record | {"names": SALTS[: len(record["seats"])]})


def pool() -> list[bytes]:
    """Lines of every kind: new games, the same written another way, other content, bad and void
    ones, nonsense."""
    games = [
        bluff_record(seed, level=LEVELS[seed % 5], seats=TABLES[seed % len(TABLES)])
        for seed in range(14)
    ]
    spelled_out = games[1] | {
        "rules": {"exact": "all", "reroll": False, "dice": 5, "scoring": "cntdice"}
    }
    voided = {"voided": {"at": "2026-09-03T19:05:00+02:00", "reason": "Why."}}
    broken = bluff_record(20)
    broken["rounds"][1] = {"moves": ["!"], "count": 0}
    return [
        *map(named, games),
        named(spelled_out),
        named(bluff_record(30, id="game-1")),
        named(bluff_record(31, id="game-3", seats=("gerda", "heinz"))),
        named(outcome_of(games[0])),
        named(outcome_of(bluff_record(32))),
        named(games[6] | voided),
        named(bluff_record(33) | voided),
        named(bluff_record(100)),
        named(bluff_record(101, id="game-100")),
        named(bluff_record(34, rounds=2)),
        named(bluff_record(35, season="spring")),
        line(kniffel_record(36)),
        line(broken),
        b"nonsense\n",
        b"\n",
        b"\xff\n",
    ]


LINES = pool()


def season_with_a_void() -> Season:
    """A season in which one game was voided."""
    season: Season = SeasonFactory.create()
    imported = record_import(season=season, line=named(bluff_record(100)))
    assert imported.game
    game_void_add(game=imported.game, actor=Actor(reason="Why."))
    return season


def facts(season: Season) -> dict[str, Any]:
    """All that the games of a club left behind, without what is at random or tells the club."""
    games = list(Game.objects.filter(season_game__season=season).order_by("season_game__game_id"))
    ids = {game.public_id: game.external_id for game in games}
    ids |= dict(Player.objects.filter(club=season.club_id).values_list("public_id", "handle"))
    rows = [
        (
            game.external_id,
            game.revision,
            game.header,
            bytes(game.digest),
            game.played_at,
            game.kind,
            [
                (seat.number, seat.handle, bytes(seat.seal))
                for seat in Seat.objects.filter(game=game)
            ],
            [
                (row.ends_game, bytes(row.body), bytes(row.digest))
                for row in Round.objects.filter(game=game)
            ],
        )
        for game in games
    ]
    entries = list(LogEntry.objects.filter(club=season.club_id).order_by("position"))
    log_entries = [
        (
            row.position,
            row.action,
            ids[row.subject],
            json.loads(row.payload).get("head"),
            words(row),
        )
        for row in entries
        if row.subject in ids
    ]
    players = list(
        Player.objects.filter(club=season.club_id).order_by("pk").values_list("handle", "name")
    )
    return {"games": rows, "log": log_entries, "players": players}


def words(row: LogEntry) -> dict[str, str]:
    """The words beside an entry, those of its rows without the ids by which these are named."""
    return {re.sub("/.*/", "/", place): word for place, (_, word) in (row.names or {}).items()}


def ends(season: Season, content: list[bytes], create: bool) -> Iterator[Any]:
    """What becomes of lines that come one by one, numbered as in the file."""
    for number, sent in enumerate(content, 1):
        if sent.strip():
            imported = record_import(season=season, line=sent.rstrip(b"\n"), create_players=create)
            yield end(season, imported, number)


def end(season: Season, imported: Any, number: int) -> Any:
    """An end without what tells the club: the address of a voided game, the name of the season."""
    error = imported.error.as_json() if imported.error else None
    if error and error["code"] in ("voided", "other_season"):
        del error["message"]
    game = imported.game and imported.game.external_id
    return number, imported.record_id, imported.outcome, game, error, imported.new_players


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(6))
def test_a_file_by_portions_is_its_games_one_by_one(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    dice = random.Random(seed)
    content, create = dice.choices(LINES, k=24), seed % 3 > 0
    monkeypatch.setattr(service, "BATCH", dice.choice([2, 5, 24]))
    whole, single = season_with_a_void(), season_with_a_void()
    seen: list[Any] = []
    file_import(
        stream=io.BytesIO(b"".join(content)),
        season=whole,
        create_players=create,
        ended=lambda imported: seen.append(end(whole, imported, imported.line)),
    )
    assert seen == list(ends(single, content, create))
    assert facts(whole) == facts(single)
    for season in (whole, single):
        head = LogHead.objects.get(club=season.club_id)
        assert head.position == LogEntry.objects.filter(club=season.club_id).count()
        assert bytes(head.digest) == bytes(
            LogEntry.objects.get(club=season.club_id, position=head.position).digest
        )
    for game in Game.objects.filter(season_game__season=whole):
        chain = [bytes(game.digest), *(bytes(row.digest) for row in game.rounds.order_by("number"))]
        assert digests(game_record(game)) == chain


@pytest.mark.django_db
def test_a_portion_takes_as_many_statements_as_a_game() -> None:
    counts = []
    for games in (1, 60):
        season = SeasonFactory.create()
        content = b"".join(line(bluff_record(seed, level="result")) for seed in range(games))
        with CaptureQueriesContext(connection) as queries:
            assert file_import(stream=io.BytesIO(content), season=season).created == games
        counts.append(len(queries))
    assert counts[1] == counts[0] <= 20


class Killed(BaseException):
    """The end of a worker, which no code catches."""


@pytest.fixture
def job(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> ImportJob:
    """A confirmed file of ten games, the fourth of them bad, which is read by portions of three."""
    monkeypatch.setattr(service, "BATCH", 3)
    monkeypatch.setattr("league.core.jobs.app.send_task", lambda *args, **options: None)
    season = SeasonFactory.create()
    organiser = MembershipFactory.create(club=season.club, role=Role.ORGANISER).user
    content = b"".join(line(bluff_record(seed)) if seed != 3 else b"{}\n" for seed in range(10))
    job = import_job_create(
        season=season,
        uploaded_by=organiser,
        file_name="g",
        content=content,
        create_players=True,
        all_or_nothing=False,
    )
    import_job_preview(job_id=job.pk)
    import_job_confirm(job=job, confirmed_by=organiser)
    return job


def kill_after(monkeypatch: pytest.MonkeyPatch, portions: int) -> None:
    """Let the worker die in the transaction of the portion after so many."""
    left = iter(range(portions))
    taking = service._take_good_games

    def dying(*args: Any, **options: Any) -> Any:
        ends = taking(*args, **options)
        if next(left, None) is None:
            raise Killed
        return ends

    monkeypatch.setattr(service, "_take_good_games", dying)


def test_a_killed_import_goes_on_behind_its_last_portion(
    job: ImportJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        kill_after(patch, 2)
        with pytest.raises(Killed):
            import_job_run(job_id=job.pk)
    assert SeasonGame.objects.count() == 5
    job.refresh_from_db()
    assert (job.state, job.report["imported"]["read"], job.report["created"]) == (
        ImportJob.State.CONFIRMED,
        6,
        9,
    )
    read: list[int] = []
    judge = CheckedLine.of

    def noting(season: Season, sent: FileLine) -> CheckedLine:
        read.append(sent.number)
        return judge(season, sent)

    with monkeypatch.context() as patch:
        patch.setattr(CheckedLine, "of", noting)
        assert not import_job_run(job_id=job.pk)
    assert read == [7, 8, 9, 10]
    job.refresh_from_db()
    counts = {name: job.report[name] for name in ("read", "created", "unchanged", "bad")}
    assert (job.state, counts) == (
        ImportJob.State.DONE,
        {"read": 10, "created": 9, "unchanged": 0, "bad": 1},
    )
    assert [bad["line"] for bad in job.report["bad_games"]] == [4]
    assert not import_job_run(job_id=job.pk), "delivered twice, it changes nothing"
    assert SeasonGame.objects.count() == 9


def test_a_file_of_many_turns_fails_for_none_of_them(job: ImportJob) -> None:
    turns = 0
    while import_job_run(job_id=job.pk, time_slice=TimeSlice(0)):
        turns += 1
        job.refresh_from_db()
        assert job.report["imported"]["read"] == min(10, 3 * turns)
    assert turns > upload.ATTEMPTS
    job.refresh_from_db()
    assert (job.state, job.report["created"]) == (ImportJob.State.DONE, 9)
    assert "imported" not in job.report


def test_a_file_that_stops_says_how_many_went_in(
    job: ImportJob, monkeypatch: pytest.MonkeyPatch, client: Any
) -> None:
    client.force_login(job.uploaded_by)
    address = f"/imports/{job.public_id}/"
    for _ in range(upload.ATTEMPTS + 1):
        with monkeypatch.context() as patch:
            kill_after(patch, 1 if not SeasonGame.objects.exists() else 0)
            try:
                import_job_run(job_id=job.pk)
            except Killed:
                assert "3 games from this file are in." in client.get(address).content.decode()
    job.refresh_from_db()
    assert (job.state, job.failure) == (ImportJob.State.FAILED, ImportJob.Failure.KILLED)
    html = client.get(address).content.decode()
    assert "The import stopped" in html
    assert "3 games from this file are in." in html
