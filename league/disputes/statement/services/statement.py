"""Statements about a disputed game: stored with their files, and sealed in the club's log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Q

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game, Seat
from league.core.account.models import User
from league.core.log.services import Actor, Journal, club_journal
from league.disputes.objection.services import seat_acting_role
from league.disputes.statement.actions import StatementAction
from league.disputes.statement.domain.limits import (
    FILES_OF_GAME,
    FILES_OF_SPEAKER,
    STATEMENTS_OF_SPEAKER,
)
from league.disputes.statement.models import EVIDENCE, LONGEST_WORD, STATEMENT, Evidence, Statement
from league.disputes.statement.services.evidence import KeptFile, SentFile, kept_file
from league.standings.ranked_game.queries.provisional import result_is_provisional

MESSAGES: Final[dict[str, Message]] = {
    "conflict": say("this game was corrected: make the statement on its newest revision"),
    "no_dispute": say("nobody objects to this game: there is nothing to say about it now"),
    "no_seat": say("this game has no such seat"),
    "no_words": say("say what it shows: a file alone isn't a statement"),
    "words_too_long": say("a statement has at most {most} characters", most=LONGEST_WORD),
    "too_many_statements": say(
        "this player or witness has already made {most} statements: that is the limit",
        most=STATEMENTS_OF_SPEAKER,
    ),
    "too_many_files": say(
        "this player or witness can add {most} files in all", most=FILES_OF_SPEAKER
    ),
    "too_many_files_of_game": say("a game can have at most {most} files", most=FILES_OF_GAME),
}


def statement_add(
    *,
    game: Game,
    seat: int | None,
    word: str,
    files: Sequence[SentFile] = (),
    account: User,
) -> tuple[Statement, bool]:
    """Store an account's statement about a disputed game, with its files.

    The game must be loaded with its season and club. `seat`: the seat for which the statement is
    made; None for a witness. `word`: the text of the statement. Return the statement, and True if
    it is new: the same text and files again change nothing. Raise `Refused` with one of the codes
    in `MESSAGES`, or if a file is refused."""
    text = _checked_text(word)
    kept_files = [kept_file(file) for file in files]
    with club_journal(
        game.season_game.season.club_id, Actor(account.pk), lock_at_once=True
    ) as journal:
        _refuse_closed(game, seat)
        earlier = _statements_of_speaker(game, seat, account)
        for statement in earlier:
            if _is_same(statement, text, kept_files):
                return statement, False
        _refuse_too_many(game, earlier, kept_files)
        return _store(journal, game, seat, text, kept_files, account), True


def _checked_text(text: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise _refusal("no_words")
    if len(text) > LONGEST_WORD:
        raise _refusal("words_too_long")
    return text


def _refuse_closed(game: Game, seat: int | None) -> None:
    if Game.objects.filter(replaces=game).exists():
        raise _refusal("conflict")
    if not result_is_provisional(game):
        raise _refusal("no_dispute")
    if seat is not None and not Seat.objects.filter(game=game, number=seat).exists():
        raise _refusal("no_seat")


def _statements_of_speaker(game: Game, seat: int | None, account: User) -> list[Statement]:
    is_of_speaker = Q(seat=seat) if seat is not None else Q(seat=None, made_by=account)
    return list(Statement.objects.filter(is_of_speaker, game=game).order_by("number"))


def _is_same(statement: Statement, text: str, files: Sequence[KeptFile]) -> bool:
    if statement.word != text:
        return False
    stored_files = Evidence.objects.filter(statement=statement).order_by("number")
    digests = stored_files.values_list("digest", flat=True)
    return [bytes(digest) for digest in digests] == [file.digest for file in files]


def _refuse_too_many(game: Game, earlier: Sequence[Statement], files: Sequence[KeptFile]) -> None:
    if len(earlier) >= STATEMENTS_OF_SPEAKER:
        raise _refusal("too_many_statements")
    if not files:
        return
    if Evidence.objects.filter(statement__in=earlier).count() + len(files) > FILES_OF_SPEAKER:
        raise _refusal("too_many_files")
    if Evidence.objects.filter(statement__game=game).count() + len(files) > FILES_OF_GAME:
        raise _refusal("too_many_files_of_game")


def _store(
    journal: Journal,
    game: Game,
    seat: int | None,
    text: str,
    files: Sequence[KeptFile],
    account: User,
) -> Statement:
    statement = Statement.objects.create(
        game=game,
        number=1 + Statement.objects.filter(game=game).count(),
        seat=seat,
        word=text,
        role=seat_acting_role(game, seat, account.pk),
        made_at=journal.at,
        made_by=account,
    )
    evidence = []
    for number, file in enumerate(files, start=1):
        row = Evidence.objects.create(
            statement=statement,
            number=number,
            kind=file.kind,
            size=len(file.content),
            digest=file.digest,
            content=file.content,
        )
        evidence.append(row)
    details = {
        "game": game.public_id,
        "number": statement.number,
        "seat": seat,
        "role": statement.role,
        "files": [file.digest.hex() for file in files],
    }
    journal.add(StatementAction.MADE, statement.public_id, details)
    journal.record(STATEMENT, [statement])
    journal.record(EVIDENCE, evidence)
    return statement


def _refusal(code: str) -> Refused:
    return Refused(Illegal(code, MESSAGES[code]))
