"""Sealing games: records that the engine has checked become facts that are never changed."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import IntegrityError, transaction

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.canonical import digests
from engine.record.header import stored_header
from engine.record.names import Name
from engine.record.proof import proof_json
from engine.record.reason import SealedReason
from engine.record.record import Record
from engine.record.stored import pack_record
from engine.record.verdict import Verdict
from games.models import Game, Round, Seat
from games.queries.game import Revision, game_revisions


class Conflict(Refused):
    """The id is known from this source with other content.

    `game`: the known game, None if it isn't sealed yet.
    """

    def __init__(self, external_id: str, game: Game | None = None) -> None:
        super().__init__(
            Illegal(
                "conflict",
                say(
                    "{id} was recorded before with different content; a correction has to name "
                    "the game it replaces",
                    id=external_id,
                ),
            )
        )
        self.game = game


@dataclass(frozen=True, slots=True)
class SealedGame:
    """A stored game, and its last digest. `created`: False if the same content was there
    already."""

    game: Game
    head: bytes
    created: bool


@dataclass(frozen=True, slots=True)
class GameRows:
    """The rows of a game to be sealed; `game_rows` makes them, `games_append` stores them."""

    revision: Revision
    seats: Sequence[Seat]
    rounds: Sequence[Round]


def game_seal(
    *,
    record: Record,
    verdict: Verdict,
    source: str,
    entered_at: datetime,
    entered_by_id: int | None = None,
    replaces: Game | None = None,
    reason: str = "",
) -> SealedGame:
    """Store a checked game as facts, in one transaction.

    `verdict`: from `engine.record.check` of `record`, without error. `entered_by_id`: the account
    that enters it at that time. A record without names gets new salts. The header seals a
    commitment to the `reason`. If the same content is stored under this id already, nothing
    changes, even if two callers store it at the same moment. Raise `Conflict` for other content
    under a known id, and `Refused` (`conflict`) if `replaces` isn't the newest revision.
    """
    sealed_game = game_known(record=record, source=source, replaces=replaces)
    if sealed_game:
        return sealed_game
    rows = game_rows(
        record=record,
        verdict=verdict,
        source=source,
        entered_at=entered_at,
        entered_by_id=entered_by_id,
        replaces=replaces,
        reason=reason,
    )
    try:
        with transaction.atomic():
            games_append([rows])
    except IntegrityError:
        # Another caller may have stored the same game just now.
        sealed_game = game_known(record=record, source=source, replaces=replaces)
        if sealed_game is None:
            raise
        return sealed_game
    return SealedGame(rows.revision.game, rows.revision.head, created=True)


def game_known(*, record: Record, source: str, replaces: Game | None = None) -> SealedGame | None:
    """Return the stored game with the content of a record; None if the record is new, or a
    correction of the newest revision.

    A correction (`replaces`) is compared only with the newest revision, as it can restore the
    content of an earlier one. Raise `Conflict` for other content under a known id, and `Refused`
    (`conflict`) if another revision is newer."""
    revisions = game_revisions(source, [record.record_id]).get(record.record_id, [])
    known = _known_or_conflict(record, revisions[:1] if replaces else revisions)
    if not isinstance(known, Conflict):
        return known
    if replaces is None:
        raise known
    newest = revisions[0].game
    if newest != replaces:
        raise Refused(
            Illegal(
                "conflict", say("the newest revision is number {number}", number=newest.revision)
            )
        )
    return None


def games_known(records: Collection[Record], source: str) -> list[SealedGame | Conflict | None]:
    """Return for each record the stored game with its content, a `Conflict`, or None for a new
    one. One query."""
    revisions = game_revisions(source, {record.record_id for record in records})
    return [_known_or_conflict(record, revisions.get(record.record_id, ())) for record in records]


def _known_or_conflict(
    record: Record, revisions: Sequence[Revision]
) -> SealedGame | Conflict | None:
    for revision in revisions:
        if revision.is_of(record):
            return SealedGame(revision.game, revision.head, created=False)
    if revisions:
        return Conflict(record.record_id, revisions[0].game)
    return None


def game_rows(
    *,
    record: Record,
    verdict: Verdict,
    source: str,
    entered_at: datetime,
    entered_by_id: int | None = None,
    replaces: Game | None = None,
    reason: str = "",
) -> GameRows:
    """Return the rows of a checked game, with all digests, without storing them.

    `verdict`: from `engine.record.check` of `record`, without error. `entered_by_id`: the account
    that enters it at that time. `replaces`: the revision that it corrects, for the `reason`. A
    record without names gets new salts.
    """
    names = record.names or new_names(record)
    sealed_reason = record.reason
    if reason:
        sealed_reason = SealedReason(Name(salt=secrets.token_bytes(Seat.SALT)), reason)
    reason_salt = sealed_reason.seal.salt if sealed_reason else None
    record = replace(record, names=names, reason=sealed_reason)
    chain = digests(record)
    game = Game(
        source=source,
        external_id=record.record_id,
        revision=replaces.revision + 1 if replaces else 1,
        replaces=replaces,
        reason=sealed_reason.text if sealed_reason else "",
        reason_salt=reason_salt or b"",
        kind=record.kind.name,
        header=stored_header(record),
        digest=chain[0],
        proof=proof_json(record.proof) if record.proof else None,
        played_at=record.instant,
        event=record.event or "",
        table=record.table or "",
        entered_at=entered_at,
        entered_by_id=entered_by_id,
    )
    seats = [
        Seat(number=number, handle=handle, seal=name.seal)
        for number, (handle, name) in enumerate(zip(record.seats, names, strict=True))
    ]
    rounds = _rounds(pack_record(record), chain[1:], verdict.over)
    return GameRows(Revision(game, chain[-1], names), seats, rounds)


def new_names(record: Record) -> tuple[Name, ...]:
    """Return a name with a new random salt for each seat of a record."""
    return tuple([Name(salt=secrets.token_bytes(Seat.SALT)) for _ in record.seats])


def _rounds(bodies: Sequence[bytes], chain: Sequence[bytes], over: bool) -> list[Round]:
    last = len(bodies) - 1
    return [
        Round(number=number, ends_game=over and number == last, body=body, digest=digest)
        for number, (body, digest) in enumerate(zip(bodies, chain, strict=True))
    ]


def games_append(games: Sequence[GameRows]) -> None:
    """Store games as facts in three statements, in the caller's transaction."""
    Game.objects.bulk_create(rows.revision.game for rows in games)
    seats: list[Seat] = []
    rounds: list[Round] = []
    for rows in games:
        game_id = rows.revision.game.pk
        for seat in rows.seats:
            seat.game_id = game_id
            seats.append(seat)
        for round_ in rows.rounds:
            round_.game_id = game_id
            rounds.append(round_)
    Seat.objects.bulk_create(seats)
    Round.objects.bulk_create(rounds)
