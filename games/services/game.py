"""Sealing games: what was checked by the engine becomes facts that nobody rewrites."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from engine.record.canonical import canonical_header, digests
from engine.record.proof import proof_json
from engine.record.record import Record
from engine.record.stored import pack_record
from engine.record.verdict import Verdict
from games.models import Game, Outbox, Round, Seat


class Conflict(Exception):
    """The id is known from this source with other content; `game` is what it stands for."""

    def __init__(self, game: Game) -> None:
        super().__init__(f"{game.external_id} was recorded before, with other content")
        self.game = game


@dataclass(frozen=True, slots=True)
class Sealed:
    """A game in the database. `created` is false where the same content was there already.

    `seats` are in seat order and `outbox` the row that announces the game, both for a new game only.
    """

    game: Game
    created: bool
    seats: tuple[Seat, ...] = ()
    outbox: Outbox | None = None


def game_seal(
    *,
    record: Record,
    verdict: Verdict,
    source: str,
    entered_by_id: int | None = None,
    replaces: Game | None = None,
    reason: str = "",
) -> Sealed:
    """Append a checked game as facts, in one transaction; a game that is over, or corrects one, goes to the outbox.

    `verdict` is `engine.record.check` of `record`, without error; `entered_by_id` the account that enters it. The same
    content under the same id changes nothing; that holds for two who do it at the same moment, too. Raises `Conflict`
    for other content under a known id, unless `replaces` names its newest revision.
    """
    chain = digests(record)
    known = _known(source, record.id, chain[-1], replaces)
    if known:
        return Sealed(known, created=False)
    try:
        with transaction.atomic():
            return _append(record, verdict, source, chain, entered_by_id, replaces, reason)
    except IntegrityError:
        known = _known(source, record.id, chain[-1], replaces)
        if known is None:
            raise
        return Sealed(known, created=False)


def _known(source: str, external_id: str, head: bytes, replaces: Game | None) -> Game | None:
    """The revision of a game that has this content; None if it is new, or corrects the newest revision.

    Raises `Conflict` for other content.
    """
    revisions = list(Game.objects.filter(source=source, external_id=external_id).order_by("revision"))
    for game in revisions:
        if bytes(game.head) == head:
            return game
    if revisions and revisions[-1] != replaces:
        raise Conflict(revisions[-1])
    return None


def _append(
    record: Record,
    verdict: Verdict,
    source: str,
    chain: list[bytes],
    entered_by_id: int | None,
    replaces: Game | None,
    reason: str,
) -> Sealed:
    game = Game.objects.create(
        source=source,
        external_id=record.id,
        revision=replaces.revision + 1 if replaces else 1,
        replaces=replaces,
        reason=reason,
        kind=record.game,
        header=canonical_header(record).decode(),
        digest=chain[0],
        proof=proof_json(record.proof) if record.proof else None,
        head=chain[-1],
        played_at=datetime.fromisoformat(record.played_at.upper()) if record.played_at else None,
        event=record.event or "",
        table=record.table or "",
        entered_by_id=entered_by_id,
        round_count=len(chain) - 1,
        over=verdict.over,
    )
    seats = Seat.objects.bulk_create(
        Seat(
            game=game,
            number=number,
            handle=handle,
            rank=verdict.rank[number] if verdict.rank else None,
            cntdice=verdict.ending.cntdice[number] if verdict.ending.cntdice else None,
            points=verdict.points[number] if verdict.points else None,
        )
        for number, handle in enumerate(record.seats)
    )
    Round.objects.bulk_create(
        Round(game=game, number=number, body=body, digest=chain[number + 1], entered_by_id=entered_by_id)
        for number, body in enumerate(pack_record(record))
    )
    outbox = Outbox.objects.create(game=game) if verdict.over or replaces else None
    return Sealed(game, created=True, seats=tuple(seats), outbox=outbox)
