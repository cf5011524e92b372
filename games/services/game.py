"""Sealing games: what was checked by the engine becomes facts that nobody rewrites."""

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
    """The id is known from this source with other content; `game` is the one it stands for, None
    for one that isn't sealed yet."""

    def __init__(self, external_id: str, game: Game | None = None) -> None:
        super().__init__(
            Illegal(
                "conflict",
                say(
                    (
                        "{id} was recorded before, with other content; a correction has to name "
                        "the game it replaces"
                    ),
                    id=external_id,
                ),
            )
        )
        self.game = game


@dataclass(frozen=True, slots=True)
class SealedGame:
    """A game in the database, and its last digest. `created` is false where the same content was
    there already."""

    game: Game
    head: bytes
    created: bool


@dataclass(frozen=True, slots=True)
class GameRows:
    """The rows of a game that is to be sealed, as facts; `game_rows` makes them, `games_append`
    stores them."""

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
    """Append a checked game as facts, in one transaction.

    `verdict` is `engine.record.check` of `record`, without error; `entered_by_id` the account that
    enters it at that time. A record without names gets salts of its own. The header seals a
    commitment to the `reason`. The same content under the same id changes nothing; that holds for
    two who do it at the same moment, too. Raises `Conflict` for other content under a known id, and
    `Refused` (`conflict`) where `replaces` isn't its newest revision."""
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
        sealed_game = game_known(record=record, source=source, replaces=replaces)
        if sealed_game is None:
            raise
        return sealed_game
    return SealedGame(rows.revision.game, rows.revision.head, created=True)


def game_known(*, record: Record, source: str, replaces: Game | None = None) -> SealedGame | None:
    """The newest revision of a game that has this content; None if it is new, or corrects the
    newest revision.

    A correction can bring back what an earlier revision said: only the newest one is asked for its
    content then. Raises `Conflict` for other content under a known id, and `Refused` (`conflict`)
    where another revision is newer."""
    revisions = game_revisions(source, [record.record_id]).get(record.record_id, [])
    end = _known(record, revisions[:1] if replaces else revisions)
    if not isinstance(end, Conflict):
        return end
    newest = revisions[0].game
    if replaces is None:
        raise end
    if newest != replaces:
        raise Refused(
            Illegal("conflict", say("revision {number} is the newest one", number=newest.revision))
        )
    return None


def games_known(records: Collection[Record], source: str) -> list[SealedGame | Conflict | None]:
    """For each record the game from this source that has its content, the `Conflict` of one whose
    id is known with other content, or None for a new one. One query."""
    revisions = game_revisions(source, {record.record_id for record in records})
    return [_known(record, revisions.get(record.record_id, ())) for record in records]


def _known(record: Record, revisions: Sequence[Revision]) -> SealedGame | Conflict | None:
    for revision in revisions:
        if revision.is_of(record):
            return SealedGame(revision.game, revision.head, created=False)
    return Conflict(record.record_id, revisions[0].game) if revisions else None


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
    """The rows of a checked game, with all its digests; the arguments are those of `game_seal`."""
    names = record.names or tuple(Name(salt=secrets.token_bytes(Seat.SALT)) for _ in record.seats)
    why = (
        SealedReason(Name(salt=secrets.token_bytes(Seat.SALT)), reason) if reason else record.reason
    )
    record = replace(record, names=names, reason=why)
    chain = digests(record)
    game = Game(
        source=source,
        external_id=record.record_id,
        revision=replaces.revision + 1 if replaces else 1,
        replaces=replaces,
        reason=why.text if why else "",
        reason_salt=(why and why.seal.salt) or b"",
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
        Seat(number=number, handle=handle, seal=name.salt or name.commitment)
        for number, (handle, name) in enumerate(zip(record.seats, names, strict=True))
    ]
    return GameRows(
        Revision(game, chain[-1], names),
        seats,
        _rounds(pack_record(record), chain[1:], verdict.over),
    )


def _rounds(bodies: Sequence[bytes], chain: Sequence[bytes], over: bool) -> list[Round]:
    """The rounds of a game; the last one ends it if it is over."""
    last = len(bodies) - 1
    return [
        Round(number=number, ends_game=over and number == last, body=body, digest=digest)
        for number, (body, digest) in enumerate(zip(bodies, chain, strict=True))
    ]


def games_append(games: Sequence[GameRows]) -> None:
    """Append games as facts in three statements, in the caller's transaction."""
    Game.objects.bulk_create(rows.revision.game for rows in games)
    for rows in games:
        for seat in rows.seats:
            seat.game_id = rows.revision.game.pk
        for row in rows.rounds:
            row.game_id = rows.revision.game.pk
    Seat.objects.bulk_create(seat for rows in games for seat in rows.seats)
    Round.objects.bulk_create(row for rows in games for row in rows.rounds)
