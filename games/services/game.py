"""Sealing games: what was checked by the engine becomes facts that nobody rewrites."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import IntegrityError, transaction

from engine.record.canonical import digests
from engine.record.header import sealed_reason, stored_header
from engine.record.names import Name
from engine.record.proof import proof_json
from engine.record.reason import SealedReason
from engine.record.record import Record
from engine.record.stored import is_same_game, pack_record
from engine.record.verdict import Verdict
from games.domain.game import seat_name
from games.models import Game, Round, Seat
from games.queries.game import game_head


class Conflict(Exception):
    """The id is known from this source with other content; `game` is the one it stands for."""

    def __init__(self, game: Game) -> None:
        super().__init__(f"{game.external_id} was recorded before, with other content")
        self.game = game


@dataclass(frozen=True, slots=True)
class SealedGame:
    """A game in the database, and its last digest. `created` is false where the same content was there already."""

    game: Game
    head: bytes
    created: bool


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

    `verdict` is `engine.record.check` of `record`, without error; `entered_by_id` the account that enters it at that
    time. A record without names gets salts of its own. The header seals a commitment to the `reason`. The same
    content under the same id changes nothing; that holds for two who do it at the same moment, too. Raises `Conflict`
    for other content under a known id, unless `replaces` names its newest revision.
    """
    sealed_game = game_known(record=record, source=source, replaces=replaces)
    if sealed_game:
        return sealed_game
    try:
        with transaction.atomic():
            return _append(record, verdict, source, entered_at, entered_by_id, replaces, reason)
    except IntegrityError:
        sealed_game = game_known(record=record, source=source, replaces=replaces)
        if sealed_game is None:
            raise
        return sealed_game


def game_known(*, record: Record, source: str, replaces: Game | None = None) -> SealedGame | None:
    """The newest revision of a game that has this content; None if it is new, or corrects the newest revision.

    A correction can bring back what an earlier revision said: only the newest one is asked for its content then.
    Raises `Conflict` for other content under a known id.
    """
    revisions = list(Game.objects.filter(source=source, external_id=record.record_id).order_by("-revision"))
    for game in revisions[:1] if replaces else revisions:
        head = _same(game, record)
        if head is not None:
            return SealedGame(game, head, created=False)
    if revisions and revisions[0] != replaces:
        raise Conflict(revisions[0])
    return None


def _same(game: Game, record: Record) -> bytes | None:
    """The stored game's last digest if the record has its content."""
    head = game_head(game)
    seals = Seat.objects.filter(game=game).order_by("number").values_list("seal", flat=True)
    names = [seat_name(bytes(seal)) for seal in seals]
    return head if is_same_game(record, names, head, sealed_reason(game.header)) else None


def _append(
    record: Record,
    verdict: Verdict,
    source: str,
    entered_at: datetime,
    entered_by_id: int | None,
    replaces: Game | None,
    reason: str,
) -> SealedGame:
    names = record.names or tuple(Name(salt=secrets.token_bytes(Seat.SALT)) for _ in record.seats)
    why = SealedReason(Name(salt=secrets.token_bytes(Seat.SALT)), reason) if reason else record.reason
    record = replace(record, names=names, reason=why)
    chain = digests(record)
    game = Game.objects.create(
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
    Seat.objects.bulk_create(
        Seat(game=game, number=number, handle=handle, seal=name.salt or name.commitment)
        for number, (handle, name) in enumerate(zip(record.seats, names, strict=True))
    )
    _append_rounds(game, pack_record(record), chain[1:], over=verdict.over)
    return SealedGame(game, chain[-1], created=True)


def _append_rounds(game: Game, bodies: Sequence[bytes], chain: Sequence[bytes], *, over: bool) -> None:
    """The rounds of a game, all at once; the last one ends it if it is over."""
    last = len(bodies) - 1
    Round.objects.bulk_create(
        Round(game=game, number=number, ends_game=over and number == last, body=body, digest=digest)
        for number, (body, digest) in enumerate(zip(bodies, chain, strict=True))
    )
