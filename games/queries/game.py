"""Games as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from engine.notation.text import Correction, render
from engine.record.canonical import digests
from engine.record.check import check
from engine.record.names import Name
from engine.record.proof import read_proof
from engine.record.record import Record, Result
from engine.record.shape import Refused
from engine.record.stored import unpack_record
from games.models import Game, Round, Seat


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
    """The record of a game as it was sealed, and its head. ValueError if what is stored isn't what the digests say."""
    rounds = list(Round.objects.filter(game=game).order_by("number"))
    record = game_record(game, rounds)
    chain = [bytes(game.digest), *(bytes(row.digest) for row in rounds)]
    if check(record).error is not None or digests(record) != chain:
        raise ValueError(f"game {game.public_id} isn't stored as it was sealed")
    return record, chain[-1]


def game_records(games: Sequence[int]) -> Iterator[Record]:
    """The records of games, given by their ids, in that order; one query."""
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by("number")
    rounds = Round.objects.filter(game=OuterRef("pk")).order_by("number")
    stored = Game.objects.annotate(
        handles=ArraySubquery(seats.values("handle")),
        seals=ArraySubquery(seats.values("seal")),
        bodies=ArraySubquery(rounds.values("body")),
    )
    rows = {
        game: (proof, stored_record(header, handles, seals, bodies))
        for game, proof, header, handles, seals, bodies in stored.filter(pk__in=games).values_list(
            "pk", "proof", "header", "handles", "seals", "bodies"
        )
    }
    for game in games:
        proof, record = rows[game]
        yield replace(record, proof=read_proof(proof, len(record.seats), "proof")) if proof else record


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
