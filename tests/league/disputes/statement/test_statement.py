"""What people say about a disputed game: by whom, when, how much, and how it is kept."""

from __future__ import annotations

import pytest
from django.db import Error, transaction

from engine.illegal import Refused
from games.models import Game
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.disputes.statement.actions import StatementAction
from league.disputes.statement.domain import limits
from league.disputes.statement.models import EVIDENCE, STATEMENT
from league.disputes.statement.services import statement as service
from league.disputes.statement.services.evidence import SentFile
from league.disputes.statement.services.statement import statement_add
from league.models import Evidence, Objection, Role, Statement, User
from league.stages.result.services.void import game_void_add
from tests.factories.logged import stated_rows
from tests.factories.photos import picture

pytestmark = pytest.mark.django_db
WORD = "I laid out two stars.\n\nKarla counted one."


def text(content: str) -> SentFile:
    return SentFile(name="notes.txt", content=content.encode())


def code_of(game: Game, account: User, **sent: object) -> str:
    """The code with which a statement is refused."""
    arguments = {"game": game, "seat": 0, "word": WORD, "account": account} | sent
    with pytest.raises(Refused) as refused:
        statement_add(**arguments)  # type: ignore[arg-type]
    return refused.value.illegal.code


def test_a_seat_says_what_happened_and_the_log_seals_it(
    played: Game, objection: Objection, sitters: list[User]
) -> None:
    statement, is_new = statement_add(
        game=played,
        seat=0,
        word=f"  {WORD}\r\n",
        files=[SentFile("table.png", picture("PNG")), text("2 stars")],
        account=sitters[0],
    )
    assert is_new
    assert (statement.number, statement.seat, statement.word, statement.role) == (
        1,
        0,
        WORD,
        Role.PLAYER,
    )
    kinds = list(statement.files.values_list("number", "kind"))
    assert kinds == [(1, Evidence.MediaType.PICTURE), (2, Evidence.MediaType.TEXT)]
    entry = LogEntry.objects.get(action=StatementAction.MADE)
    assert entry.subject == statement.public_id
    for file in statement.files.all():
        assert bytes(file.digest).hex() in entry.payload
    assert WORD not in entry.payload, "the payload has a commitment to it"
    club_id = played.season_game.season.club_id
    (cells,) = stated_rows(club_id, STATEMENT).values()
    assert (cells["word"], cells["removed_at"]) == (WORD, None)
    assert len(stated_rows(club_id, EVIDENCE)) == 2


def test_the_same_words_and_files_again_change_nothing(
    played: Game, objection: Objection, sitters: list[User]
) -> None:
    sent = {
        "game": played,
        "seat": 0,
        "word": WORD,
        "files": [text("2 stars")],
        "account": sitters[0],
    }
    first, _ = statement_add(**sent)  # type: ignore[arg-type]
    assert statement_add(**sent) == (first, False)  # type: ignore[arg-type]
    assert Evidence.objects.count() == 1
    other = {**sent, "files": [text("1 star")]}
    assert statement_add(**other)[1], "the same words with another file are another statement"  # type: ignore[arg-type]


def test_something_is_said_only_while_a_seat_objects(
    played: Game, sitters: list[User], ruler: User
) -> None:
    assert code_of(played, sitters[0]) == "no_dispute"
    objection = objection_raise(game=played, seat=1, word="A star.", actor=Actor(sitters[1].pk))
    statement_add(game=played, seat=0, word=WORD, account=sitters[0])
    objection_withdraw(objection=objection, actor=Actor(sitters[1].pk))
    assert code_of(played, sitters[0], word="And more.") == "no_dispute"
    objection_raise(game=played, seat=1, word="A star.", actor=Actor(sitters[1].pk))
    game_void_add(game=played, actor=Actor(ruler.pk, "Entered twice."))
    assert code_of(played, sitters[0], word="And more.") == "no_dispute"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"word": " \r\n "}, "no_words"),
        ({"word": "x" * 2001}, "words_too_long"),
        ({"seat": 9}, "no_seat"),
        ({"files": [text("")]}, "empty_file"),
    ],
)
def test_what_can_not_be_kept_is_refused_as_a_whole(
    played: Game, objection: Objection, sitters: list[User], sent: dict[str, object], code: str
) -> None:
    assert code_of(played, sitters[0], **sent) == code
    assert not Statement.objects.exists()


def test_a_seat_and_each_witness_have_so_many_statements(
    played: Game,
    objection: Objection,
    sitters: list[User],
    ruler: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service, "STATEMENTS_OF_SPEAKER", 2)
    for seat, account in ((0, sitters[0]), (None, ruler)):
        for number in range(2):
            statement_add(game=played, seat=seat, word=f"{WORD} {number}", account=account)
        assert code_of(played, account, seat=seat) == "too_many_statements"
    _, is_new = statement_add(game=played, seat=1, word=WORD, account=sitters[1])
    assert is_new, "another seat isn't kept from it"
    numbers = list(Statement.objects.order_by("pk").values_list("number", flat=True))
    assert numbers == [1, 2, 3, 4, 5]


def test_a_seat_and_a_game_have_so_many_files(
    played: Game, objection: Objection, sitters: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [text(str(number)) for number in range(limits.FILES_OF_SPEAKER + 1)]
    assert code_of(played, sitters[0], files=files) == "too_many_files"
    statement_add(game=played, seat=0, word=WORD, files=files[1:], account=sitters[0])
    assert code_of(played, sitters[0], word="One more.", files=files[:1]) == "too_many_files"
    monkeypatch.setattr(service, "FILES_OF_GAME", limits.FILES_OF_SPEAKER)
    assert code_of(played, sitters[1], seat=1, files=files[:1]) == "too_many_files_of_game"


def test_the_database_keeps_statements_in_order_and_as_they_are(
    played: Game, objection: Objection, sitters: list[User]
) -> None:
    statement, _ = statement_add(
        game=played, seat=0, word=WORD, files=[text("2 stars")], account=sitters[0]
    )
    evidence = statement.files.get()
    beside = {
        "game": played,
        "word": "x",
        "role": "player",
        "made_at": statement.made_at,
        "made_by": sitters[0],
    }
    for wrong in ({"number": 3, "seat": 0}, {"number": 2, "seat": 9}):
        with pytest.raises(Error), transaction.atomic():
            Statement.objects.create(**beside, **wrong)
    for row, changed in (
        (statement, {"word": "x"}),
        (statement, {"word": ""}),
        (statement, {"removed_at": statement.made_at}),
        (statement, {"seat": 1}),
        (evidence, {"content": b"x"}),
        (evidence, {"content": b""}),
        (evidence, {"size": 1}),
    ):
        with pytest.raises(Error), transaction.atomic():
            type(row).objects.filter(pk=row.pk).update(**changed)
