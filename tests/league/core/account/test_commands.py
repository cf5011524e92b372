"""`manage.py player` and `manage.py log`."""

import io

import psycopg
import pytest
from django.core.management import CommandError, call_command
from psycopg.rows import TupleRow

from engine.record.club_log import verify_log
from league.models import Club, LogEntry, Player
from tests.factories.league import PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(club: Club) -> Player:
    made: Player = PlayerFactory.create(club=club, handle="anna", name="Anna")
    return made


def player(*words: str) -> str:
    out = io.StringIO()
    call_command("player", *words, "--club", "stern", stdout=out)
    return out.getvalue().strip()


def log(*words: str) -> str:
    out = io.StringIO()
    call_command("log", "--club", "stern", *words, stdout=out)
    return out.getvalue()


def test_rename(anna: Player) -> None:
    assert (
        player("rename", "ANNA", "--name", "Änni", "--handle", "ak", "--reason", "wish")
        == "anna is Änni (ak) now."
    )
    assert player("rename", anna.public_id, "--name", "Änni") == "That's the name already."
    assert LogEntry.objects.latest("position").why == "wish"


def test_link(anna: Player) -> None:
    UserFactory.create(username="ak")
    assert player("link", "anna", "ak") == "anna has the account ak."
    assert player("link", "anna") == "anna has no account."
    with pytest.raises(CommandError, match="no account zoe"):
        player("link", "anna", "zoe")


def test_merge_and_part(anna: Player) -> None:
    other = PlayerFactory.create(club=anna.club, handle="annika")
    assert player("merge", "anna", "annika").startswith("annika is anna now.")
    other.refresh_from_db()
    assert other.merged_into == anna
    with pytest.raises(CommandError, match="merged_already"):
        player("merge", "anna", "annika")
    assert player("part", "annika").startswith("annika is a separate player again.")
    with pytest.raises(CommandError, match="not_merged"):
        player("part", "annika")


def test_erase_wants_a_yes(anna: Player) -> None:
    with pytest.raises(CommandError, match="--yes"):
        player("erase", "anna")
    assert player("erase", "anna", "--yes") == f"Only player-{anna.public_id} is left."
    assert player("erase", anna.public_id, "--yes") == "This player was erased before."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rename", "zoe", "--name", "x"], "no such player"),
        (["rename", "anna", "--name", " "], "at least one character"),
        (["rename", "anna", "--name", "x", "--reason", "Anna wants it"], "leave the person"),
    ],
)
def test_what_can_not_be_done_is_said(anna: Player, words: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        player(*words)


def test_a_club_has_to_be_there(db: None) -> None:
    for words in (["player", "part", "anna"], ["log"]):
        with pytest.raises(CommandError, match="no club stern") as failed:
            call_command(*words, "--club", "stern")
        assert failed.value.returncode == 2


def test_the_log_is_printed_as_it_is_exported(anna: Player) -> None:
    verdict = verify_log(line.encode() for line in log().split("\n")[:-1])
    assert (verdict.entries, verdict.error) == (2, None)


@pytest.mark.django_db(transaction=True)
def test_the_log_is_verified(anna: Player, forger: psycopg.Connection[TupleRow]) -> None:
    last = LogEntry.objects.latest("position")
    assert (
        log("--verify")
        == f"All 2 entries hold. The log ends with digest {bytes(last.digest).hex()}.\n"
    )
    forger.execute("UPDATE league_logentry SET reason = 'other' WHERE position = 2")
    with pytest.raises(CommandError, match="doesn't hold") as failed:
        log("--verify")
    assert failed.value.returncode == 1
