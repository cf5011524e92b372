"""The commands of manage.py: what they say, and how they end."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.models import Game
from league.core.locks import Space, session_lock
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.management.commands import rebuild
from league.models import Season, Standing
from league.standings.ranking.actions import RankingAction
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(club__slug="club", slug="autumn")


def import_games(path: Path, *options: str) -> None:
    call_command("import_games", str(path), "--club=club", "--season=autumn", *options)


def test_import_tells_what_went_in(
    season: Season, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress(line(bluff_record(1)) + line(bluff_record(2))))
    import_games(file, "--dry-run")
    assert not Game.objects.exists()
    import_games(file)
    import_games(file)
    assert capsys.readouterr().out.splitlines() == [
        "2 games would be imported, 3 new players, 0 were there already, 0 bad.",
        "2 games imported, 3 new players, 0 were there already, 0 bad.",
        "0 games imported, 2 were there already, 0 bad.",
    ]


def test_import_names_the_place_of_a_fault_and_ends_with_1(
    season: Season, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = bluff_record(1)
    bad["rounds"][0]["moves"].insert(0, "!")
    file = tmp_path / "games.jsonl"
    file.write_bytes(line(bad) + line(bluff_record(2)))
    with pytest.raises(CommandError, match="1 of 2 games were bad") as ended:
        import_games(file)
    assert ended.value.returncode == 1
    assert "line 1: no_bid (game-1, round 0, move 0" in capsys.readouterr().err
    assert Game.objects.count() == 1


def test_import_all_or_nothing(
    season: Season, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(line(bluff_record(1)) + b"nonsense\n")
    with pytest.raises(CommandError):
        import_games(file, "--all-or-nothing")
    assert "Nothing was imported" in capsys.readouterr().out
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/nowhere/games.jsonl", "--club=club", "--season=autumn"], "can't be read"),
        (["-", "--club=club", "--season=spring"], "no season spring in a club club"),
    ],
)
def test_import_says_what_is_missing(season: Season, arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message) as ended:
        call_command("import_games", *arguments)
    assert ended.value.returncode == 2


def test_rebuild_gives_the_table_again(
    season: Season, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"".join(line(bluff_record(seed)) for seed in range(5)))
    import_games(file)
    ranking_count(ranking_id=season.ranking_id)
    Standing.objects.update(points=0)
    call_command("rebuild", "--club=club", "--season=autumn")
    assert "is rebuilt: 3 players." in capsys.readouterr().out
    assert sum(Standing.objects.values_list("points", flat=True)) == sum(
        sum(bluff_record(seed)["result"]["points"]) for seed in range(5)
    )


def test_rebuild_of_a_club_is_of_all_its_rankings(
    season: Season, capsys: pytest.CaptureFixture[str]
) -> None:
    SeasonFactory.create(slug="winter", name="Winter", club=season.club)
    SeasonFactory.create(slug="autumn", club__slug="other")
    all_time_create(club=season.club, actor=Actor())
    call_command("rebuild", "--club=club")
    assert [line.partition(" is rebuilt")[0] for line in capsys.readouterr().out.splitlines()] == [
        season.name,
        "Winter",
        f"{season.club}: all time",
    ]
    assert LogEntry.objects.filter(action=RankingAction.REBUILT, club=season.club).count() == 3
    assert LogEntry.objects.filter(action=RankingAction.REBUILT).count() == 3


@pytest.mark.parametrize("options", [["--club=club", "--season=winter"], ["--club=nowhere"]])
def test_rebuild_says_that_there_is_no_such_ranking(season: Season, options: list[str]) -> None:
    with pytest.raises(CommandError, match="no such ranking") as ended:
        call_command("rebuild", *options)
    assert ended.value.returncode == 1


def test_rebuild_asks_which_club_is_meant(season: Season) -> None:
    with pytest.raises(CommandError, match="--club"):
        call_command("rebuild", "--season=autumn")


@pytest.mark.django_db(transaction=True)
def test_rebuild_gives_up_on_a_ranking_that_a_job_never_leaves(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild, "PAUSE", 0)
    monkeypatch.setattr(rebuild, "WAIT", "10ms")

    def hold() -> None:
        try:
            with session_lock(Space.RANKING, season.ranking_id):
                held.set()
                done.wait(30)
        finally:
            connection.close()

    held, done = Event(), Event()
    with ThreadPoolExecutor(1) as others:
        others.submit(hold)
        held.wait(30)
        with pytest.raises(CommandError, match="Try again later"):
            call_command("rebuild", "--club=club")
        done.set()


def test_a_corrected_game_replaces_the_first_record(
    season: Season, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(line(bluff_record(1)))
    import_games(file)
    file.write_bytes(line(bluff_record(9, id="game-1")))
    call_command("correct_game", str(file), "--club=club", "--reason=Two seats were mixed up.")
    first, second = Game.objects.order_by("revision")
    assert second.replaces == first
    assert second.reason == "Two seats were mixed up."
    assert "revision 1 stays readable" in capsys.readouterr().out
    with pytest.raises(CommandError, match="unchanged"):
        call_command("correct_game", str(file), "--club=club", "--reason=Again.")


@pytest.mark.parametrize(
    ("record", "club", "reason", "message"),
    [
        ({}, "club", "why", "bad_record"),
        (bluff_record(2), "club", "why", "no game game-2"),
        (bluff_record(1), "nowhere", "why", "no club nowhere"),
        (bluff_record(9, id="game-1"), "club", " ", "reason_needed"),
        (bluff_record(9, id="game-1", seats=["ann", "ANN"]), "club", "why", "same_player_twice"),
    ],
)
def test_a_correction_says_why_it_is_refused(
    season: Season, tmp_path: Path, record: dict[str, object], club: str, reason: str, message: str
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(line(bluff_record(1)))
    import_games(file)
    file.write_bytes(line(record))
    with pytest.raises(CommandError, match=message):
        call_command("correct_game", str(file), f"--club={club}", f"--reason={reason}")
    assert Game.objects.count() == 1
