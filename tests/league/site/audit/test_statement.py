"""What was said about a disputed game ends, for a name, with a player, or in time; the log still
fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final
from unittest.mock import patch

import pytest
from django.utils import timezone

from engine.record.club_log import verify_log
from games.models import Game
from league.core.log.ledger import ledger_differences
from league.core.log.queries import log_chunks
from league.core.log.services import Actor
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.disputes.statement.actions import StatementAction
from league.disputes.statement.domain.limits import KEPT_FOR
from league.disputes.statement.models import STATEMENT
from league.disputes.statement.services import removal
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.removal import old_statements_forget
from league.disputes.statement.services.statement import statement_add
from league.models import Club, Evidence, LogEntry, Objection, Player, Season, Statement, User
from league.site.erasure.domain import Remedy
from league.site.erasure.queries import player_mentions
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_link
from tests.database import TRIGGERS_OFF, connect_as_owner
from tests.factories import events
from tests.factories.league import SeasonFactory, UserFactory
from tests.factories.logged import stated_rows
from tests.league.site.audit.differences import club_differences
from tests.league.stages.result.test_result import published

WORD: Final = "I laid out two stars."


@pytest.fixture
def played(club: Club) -> Game:
    """A game of an evening, of four players who have an account each, to which the seat 3
    objects."""
    season: Season = SeasonFactory.create(club=club, slug="evenings", scoring="placement")
    events.play(published(season).stage_rounds.get())
    game = Game.objects.select_related("season_game__season__club").earliest("pk")
    for seat in game.seats.all():
        account = UserFactory.create(username=f"sat-{seat.number}")
        player_link(player=Player.objects.get(handle=seat.handle), account=account, actor=Actor())
    contest(game)
    return game


def contest(game: Game) -> Objection:
    return objection_raise(game=game, seat=3, word="A four.", actor=Actor(account(game, 3).pk))


def sitter(game: Game, seat: int) -> Player:
    return Player.objects.get(handle=game.seats.get(number=seat).handle)


def account(game: Game, seat: int) -> User:
    user = sitter(game, seat).user
    assert user is not None
    return user


def say(game: Game, seat: int, word: str = WORD, text: str = "two stars") -> Statement:
    files = [SentFile("notes.txt", text.encode())]
    return statement_add(game=game, seat=seat, word=word, files=files, account=account(game, seat))[
        0
    ]


def settle(game: Game) -> None:
    """Let the dispute end."""
    for objection in Objection.objects.filter(game=game, end=None).select_related("game"):
        objection.game = game
        objection_withdraw(objection=objection, actor=Actor(account(game, 3).pk))


@contextmanager
def later(wait: timedelta) -> Iterator[None]:
    with patch("django.utils.timezone.now", return_value=timezone.now() + wait):
        yield


def false(game: Game) -> list[object]:
    """All that an audit finds to be false, and what somebody finds who has the exported log
    alone."""
    verdict = verify_log(beside_the_log(game).encode().splitlines())
    assert verdict.error is None
    return list(club_differences(game.season_game.season.club_id))


def beside_the_log(game: Game) -> str:
    return b"".join(log_chunks(game.season_game.season.club_id)).decode()


@pytest.mark.django_db
class TestTime:
    """Words and files go once the dispute has been over for 90 days."""

    def test_they_stay_as_long_as_a_seat_objects_and_90_days_more(self, played: Game) -> None:
        say(played, 0)
        with later(10 * KEPT_FOR):
            old_statements_forget()
        assert Statement.objects.get().word == WORD, "the dispute goes on"
        settle(played)
        with later(KEPT_FOR - timedelta(hours=1)):
            old_statements_forget()
        assert Statement.objects.get().word == WORD
        with later(KEPT_FOR + timedelta(hours=1)):
            old_statements_forget()
        statement, file = Statement.objects.get(), Evidence.objects.get()
        assert (statement.word, bytes(file.content), len(file.digest)) == ("", b"", 32)
        assert statement.removed_at
        assert file.removed_at

    def test_a_new_objection_keeps_what_was_said_before(self, played: Game) -> None:
        say(played, 0)
        settle(played)
        contest(played)
        with later(10 * KEPT_FOR):
            old_statements_forget()
        assert Statement.objects.get().word == WORD

    def test_the_log_forgets_the_words_and_still_fits(self, played: Game) -> None:
        statement = say(played, 0)
        assert WORD in beside_the_log(played)
        settle(played)
        digest = bytes(Evidence.objects.get().digest).hex()
        with later(2 * KEPT_FOR):
            old_statements_forget()
        assert WORD not in beside_the_log(played)
        assert digest in beside_the_log(played)
        assert false(played) == []
        cells = stated_rows(played.season_game.season.club_id, STATEMENT)[statement.public_id]
        assert cells["word"] == ""
        assert cells["removed_at"]

    def test_it_goes_by_bunches_and_twice_is_once(
        self, played: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(removal, "BATCH", 2)
        for number in range(5):
            say(played, 0, word=f"{WORD} {number}", text=f"{number}")
        settle(played)
        with later(2 * KEPT_FOR):
            old_statements_forget()
            old_statements_forget()
        assert not Statement.objects.filter(removed_at=None).exists()
        assert not Evidence.objects.filter(removed_at=None).exists()
        for action in (StatementAction.EMPTIED, StatementAction.FILE_REMOVED):
            assert LogEntry.objects.filter(action=action).count() == 5


@pytest.mark.django_db
class TestErasure:
    """A player who is erased takes along what was said for the seat, and is named nowhere else."""

    def test_what_they_said_is_listed_and_goes_with_its_files(self, played: Game) -> None:
        own, other = say(played, 0), say(played, 1, word="I counted one.", text="one star")
        mentions = {
            mention.subject: mention.remedy for mention in player_mentions(sitter(played, 0))
        }
        assert mentions[own.public_id] == Remedy.EMPTIED
        assert mentions[own.files.get().public_id] == Remedy.EMPTIED
        assert other.public_id not in mentions, "it doesn't name them"
        assert mentions[other.files.get().public_id] == Remedy.REMOVED, "it may name them"
        player_erase(player=sitter(played, 0), actor=Actor())
        own.refresh_from_db()
        other.refresh_from_db()
        assert (own.word, other.word) == ("", "I counted one.")
        assert not Evidence.objects.exclude(content=b"").exists()
        assert WORD not in beside_the_log(played)
        assert false(played) == []

    def test_words_that_name_them_go_and_files_of_others_can_be_spared(self, played: Game) -> None:
        name = sitter(played, 0).name
        naming, other = (
            say(played, 1, word=f"{name} hid a die."),
            say(played, 2, word="I saw nothing."),
        )
        file = other.files.get()
        player_erase(player=sitter(played, 0), actor=Actor(), spared={f"evidence-{file.public_id}"})
        naming.refresh_from_db()
        other.refresh_from_db()
        assert (naming.word, other.word) == ("", "I saw nothing.")
        assert list(Evidence.objects.exclude(content=b"")) == [file]
        assert not re.search(rf"\b{name}\b", beside_the_log(played))
        assert false(played) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ("UPDATE league_statement SET word = 'Nothing.'", ("statement", "word")),
        ("UPDATE league_statement SET word = '', removed_at = now()", ("statement", "word")),
        ("UPDATE league_statement SET seat = 2", ("statement", "seat")),
        (
            "UPDATE league_statement SET made_at = made_at - interval '1 hour'",
            ("statement", "made_at"),
        ),
        ("UPDATE league_evidence SET content = 'x'", ("evidence", "content")),
        ("UPDATE league_evidence SET content = '', removed_at = now()", ("evidence", "content")),
        ("UPDATE league_evidence SET digest = 'x'", ("evidence", "digest")),
        ("UPDATE league_evidence SET kind = 'text/html'", ("evidence", "kind")),
        ("DELETE FROM league_evidence", ("evidence", "row")),
    ],
)
def test_what_was_done_behind_the_logs_back_is_named(
    played: Game, change: str, place: tuple[str, str]
) -> None:
    say(played, 0)
    club_id = played.season_game.season.club_id
    assert list(ledger_differences(club_id)) == []
    with connect_as_owner(TRIGGERS_OFF) as owner:
        owner.execute(change)
    assert place in {
        (difference.table, difference.column) for difference in ledger_differences(club_id)
    }
