"""An export of a log verifies by itself, and what was changed in it is found."""

import io
import json
import re
from typing import Any

import pytest

from engine.record.club_log import verify_log
from league.core.log import queries
from league.core.log.actions import ACTIONS
from league.core.log.queries import log_chunks
from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.core.player.services.player import player_rename
from league.languages import ENGLISH
from league.models import Club, LogEntry, LogHead, Player
from league.site.erasure.services.erasure import player_erase
from league.site.manual.web import page_file
from tests.factories.league import PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(club: Club) -> Player:
    organiser = UserFactory.create()
    made: Player = PlayerFactory.create(club=club, handle="anna", name="Anna")
    player_rename(
        player=made, actor=Actor(organiser.pk, "two \u2028 lines\nand “more”"), name="Änni\u0301"
    )
    return made


def exported(club: Club) -> list[bytes]:
    return b"".join(log_chunks(club.pk)).split(b"\n")[:-1]


def changed(line: bytes, **parts: Any) -> bytes:
    return json.dumps(json.loads(line) | parts).encode()


def program() -> str:
    """The program of the manual's page."""
    found = re.search(
        r"^```python\n(.*?)^```$",
        page_file("log", ENGLISH).read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    assert found
    return found[1]


def run(lines: list[bytes]) -> list[object]:
    """What the manual's program prints."""
    said: list[object] = []
    text = io.StringIO(b"\n".join(lines).decode(), newline="\n")
    exec(
        program(),
        {"open": lambda *args, **options: text, "print": lambda *words: said.extend(words)},
    )
    return said


def code(lines: list[bytes]) -> str:
    """What is found; nothing if all holds."""
    error = verify_log(lines).error
    return error.code if error else ""


def test_an_export_holds_and_ends_as_the_page_says(club: Club, anna: Player) -> None:
    head = LogHead.objects.get(club=club)
    verdict = verify_log(exported(club))
    assert verdict.error is None
    assert (verdict.entries, verdict.head) == (head.position, bytes(head.digest).hex())
    assert verdict.entries == 3


def test_it_comes_in_portions(club: Club, anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = exported(club)
    monkeypatch.setattr(queries, "CHUNK_ENTRIES", 2)
    assert len(list(log_chunks(club.pk))) == 3
    assert exported(club) == whole


def test_names_stand_beside_their_commitments(club: Club, anna: Player) -> None:
    entry = json.loads(exported(club)[-1])
    assert entry["action"] == PlayerAction.RENAMED
    words = {place: word for place, (_, word) in entry["names"].items()}
    assert words.pop("reason") == "two \u2028 lines\nand “more”"
    stated = f"player/{anna.public_id}/name"
    assert words == {"name_before": "Anna", "name_after": "Änní", stated: "Änní"}
    assert entry["reason"] == ""
    assert "Anna" not in json.dumps(entry["payload"])


def test_forgotten_names_leave_the_chain_as_it_was(club: Club, anna: Player) -> None:
    before = [json.loads(line).get("digest") for line in exported(club)]
    player_erase(player=anna, actor=Actor())
    lines = exported(club)
    assert code(lines) == ""
    assert [json.loads(line).get("digest") for line in lines][: len(before)] == before
    assert b"nna" not in b"".join(lines)


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ({"action": "game.sealed"}, "digest_mismatch"),
        ({"subject": "2222222222"}, "digest_mismatch"),
        ({"payload": {}}, "digest_mismatch"),
        ({"actor": None}, "digest_mismatch"),
        ({"request": "x"}, "digest_mismatch"),
        ({"reason": "x"}, "digest_mismatch"),
        ({"at": "2026-01-01T00:00:00.000000+00:00"}, "digest_mismatch"),
        ({"digest": "00" * 32}, "digest_mismatch"),
        ({"more": 1}, "digest_mismatch"),
        ({"position": 7}, "out_of_turn"),
        ({"names": {"name_after": ["00" * 16, "Ben"]}}, "name_mismatch"),
        ({"names": {"other": ["00" * 16, "Ben"]}}, "bad_log"),
        ({"names": {"name_after": "Ben"}}, "bad_log"),
    ],
)
def test_whatever_is_changed_in_an_entry_is_found(
    club: Club, anna: Player, parts: dict[str, Any], found: str
) -> None:
    lines = exported(club)
    assert code([*lines[:3], changed(lines[3], **parts)]) == found


def test_entries_left_out_swapped_or_put_in_are_found(club: Club, anna: Player) -> None:
    first, one, two, three = exported(club)
    assert code([first, one, three]) == "out_of_turn"
    assert code([first, two, one, three]) == "out_of_turn"
    assert code([first, one, one, two, three]) == "out_of_turn"
    assert code([first, one, changed(three, position=2)]) == "digest_mismatch"


def test_another_clubs_log_is_another_chain(club: Club, anna: Player) -> None:
    first, *entries = exported(club)
    assert code([changed(first, club="2222222222"), *entries]) == "digest_mismatch"


@pytest.mark.parametrize("lines", [[], [b"{}"], [b"no json"], [b"[]"], [b'{"club": 1}']])
def test_what_is_no_log_is_no_log(lines: list[bytes]) -> None:
    assert code(lines) == "bad_log"


def test_an_end_that_was_cut_off_shows_in_the_head_alone(club: Club, anna: Player) -> None:
    lines = exported(club)
    assert code(lines[:-1]) == ""
    assert verify_log(lines[:-1]).head != verify_log(lines).head


def test_every_action_has_room_in_its_column() -> None:
    assert max(map(len, ACTIONS)) <= int(LogEntry._meta.get_field("action").max_length or 0)


def test_the_program_of_the_manual_says_the_same(club: Club, anna: Player) -> None:
    lines = exported(club)
    verdict = verify_log(lines)
    assert run(lines) == [verdict.entries, verdict.head]
    with pytest.raises(SystemExit, match="entry 3 doesn't follow"):
        run([*lines[:3], changed(lines[3], reason="x")])
    with pytest.raises(SystemExit, match="entry 3 tells another name_after"):
        run([*lines[:3], changed(lines[3], names={"name_after": ["00" * 16, "Ben"]})])
