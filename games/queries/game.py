"""Games as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from engine.notation.text import Correction, render
from engine.record.canonical import canonical_json, digests
from engine.record.check import check
from engine.record.export import export
from engine.record.names import Name
from engine.record.proof import read_proof
from engine.record.record import VERSION, Record, Result
from engine.record.shape import Refused
from engine.record.stored import unpack_record
from games.models.game import Game, Seat
from games.models.round import Round


class NotAsSealed(Exception):
    """What is stored of a game isn't what its digests say. It is told by its public id."""

    CODE = "not_as_sealed"
    MESSAGE = "What is stored of this game isn't what was sealed, so it isn't given out."


def stored_record(header: str, handles: Sequence[str], seals: Sequence[bytes], bodies: Sequence[bytes]) -> Record:
    """The record of what a game is stored as, seats and rounds in order. ValueError if it is none."""
    return unpack_record(header, handles, [seat_name(seal) for seal in seals], bodies)


def seat_name(seal: bytes) -> Name:
    """How a seat's handle is sealed, from the column `seal`."""
    return Name(salt=seal) if len(seal) == Seat.SALT else Name(commitment=seal)


def game_record(game: Game, rounds: Sequence[Round] | None = None) -> Record:
    """The record of a game as it was sealed: its header and seats, its rounds (read here unless given in order) and
    the proof of its dice. ValueError if what is stored is no record."""
    seats = list(Seat.objects.filter(game=game).order_by("number").values_list("handle", "seal"))
    bodies = (
        Round.objects.filter(game=game).order_by("number").values_list("body", flat=True)
        if rounds is None
        else [row.body for row in rounds]
    )
    record = stored_record(
        game.header,
        [handle for handle, _ in seats],
        [bytes(seal) for _, seal in seats],
        [bytes(body) for body in bodies],
    )
    if game.proof is None:
        return record
    try:
        return replace(record, proof=read_proof(game.proof, len(record.seats), "proof"))
    except Refused as refused:
        raise ValueError(refused.illegal.message) from refused


def sealed_record(game: Game) -> tuple[Record, bytes]:
    """The record of a game as it was sealed, and its head. Raises `NotAsSealed`."""
    rounds = list(Round.objects.filter(game=game).order_by("number"))
    chain = [bytes(game.digest), *(bytes(row.digest) for row in rounds)]
    try:
        record = game_record(game, rounds)
        if check(record).error is None and digests(record) == chain:
            return record, chain[-1]
    except ValueError as error:
        raise NotAsSealed(game.public_id) from error
    raise NotAsSealed(game.public_id)


def exports(games: Sequence[int]) -> Iterator[bytes]:
    """The lines of exported games, given by their ids, in that order, without line ends; one query.

    A game that isn't stored as it was sealed has a line that says so, which is no record.
    """
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by("number")
    rounds = Round.objects.filter(game=OuterRef("pk")).order_by("number")
    stored = Game.objects.annotate(
        handles=ArraySubquery(seats.values("handle")),
        seals=ArraySubquery(seats.values("seal")),
        bodies=ArraySubquery(rounds.values("body")),
        chain=ArraySubquery(rounds.values("digest")),
    ).in_bulk(games)
    for game in games:
        yield _export(stored[game])


def _export(game: Any) -> bytes:
    """The line of a game that `exports` has read."""
    chain = [bytes(game.digest), *map(bytes, game.chain)]
    try:
        record = stored_record(game.header, game.handles, game.seals, game.bodies)
        if game.proof is not None:
            record = replace(record, proof=read_proof(game.proof, len(record.seats), "proof"))
        return export(record, chain)
    except (ValueError, Refused):
        error = {"code": NotAsSealed.CODE, "message": NotAsSealed.MESSAGE, "game": game.public_id}
        return canonical_json({"v": VERSION, "id": game.external_id, "game": game.kind, "error": error})


def game_notation(game: Game, record: Record) -> str:
    """A game and its record in the text notation, with its result; a correction says what it replaces, and why."""
    verdict = check(record)
    ended = replace(record, result=Result(verdict.rank, verdict.points) if verdict.over else None)
    return render(ended, Correction(game.external_id, game.reason) if game.replaces_id else None)


def game_correction(game: Game) -> Game | None:
    """The revision that replaces a game, with who entered it."""
    return Game.objects.filter(replaces=game).select_related("entered_by").first()


def game_head(game: Game) -> bytes:
    """The last digest of a game, which stands for all of it."""
    last = Round.objects.filter(game=game).order_by("-number").values_list("digest", flat=True).first()
    return bytes(game.digest if last is None else last)
