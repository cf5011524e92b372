"""Queries of games as records."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce

from engine.record.canonical import digests
from engine.record.check import replay
from engine.record.export import export
from engine.record.header import sealed_reason
from engine.record.names import Name
from engine.record.reason import VoidMark
from engine.record.record import Record
from engine.record.stored import is_same_game
from games.domain.game import NotAsSealed, export_line, proven_record
from games.models import Game, Round, Seat, Void
from games.queries.void import game_void, void_mark

SEATS_AND_ROUNDS: Final = (
    Prefetch("seats", Seat.objects.order_by("number")),
    Prefetch("rounds", Round.objects.order_by("number")),
)
"""All that a game's record is made of beside its own row, to prefetch with many games at once."""


def game_record(game: Game, rounds: Sequence[Round] | None = None) -> Record:
    """Return the sealed record of a game with the proof of its dice. One or two queries.

    `rounds`: its rounds in order, if fetched already. Raise ValueError if the stored game is no
    record."""
    if rounds is None:
        stored = Round.objects.filter(game=game).order_by("number").values_list("body", flat=True)
        bodies = [bytes(body) for body in stored]
    else:
        bodies = [bytes(row.body) for row in rounds]
    seats = list(Seat.objects.filter(game=game).order_by("number").values_list("handle", "seal"))
    handles = [handle for handle, _ in seats]
    seals = [bytes(seal) for _, seal in seats]
    return proven_record(game, handles, seals, bodies)


def fetched_record(game: Game) -> Record:
    """Return the sealed record of a game that was fetched with `SEATS_AND_ROUNDS`. No query.

    Raise ValueError if the stored game is no record."""
    seats = game.seats.all()
    handles = [seat.handle for seat in seats]
    seals = [bytes(seat.seal) for seat in seats]
    bodies = [bytes(row.body) for row in game.rounds.all()]
    return proven_record(game, handles, seals, bodies)


def sealed_record(game: Game) -> tuple[Record, bytes]:
    """Return the sealed record of a game, and its head, the last digest.

    Raise `NotAsSealed` if the record has other digests than the stored ones."""
    rounds = list(Round.objects.filter(game=game).order_by("number"))
    chain = [bytes(game.digest), *[bytes(row.digest) for row in rounds]]
    try:
        record = game_record(game, rounds)
        if replay(record).error is None and digests(record) == chain:
            return record, chain[-1]
    except ValueError as error:
        raise NotAsSealed(game.public_id) from error
    raise NotAsSealed(game.public_id)


def game_export(game: Game) -> bytes:
    """Return the line of a game in an export, without its end; a voided game has a mark in it.

    Raise `NotAsSealed`."""
    record, _ = sealed_record(game)
    return export(replace(record, voided=void_mark(game_void(game))))


def exports(game_ids: Sequence[int]) -> Iterator[bytes]:
    """Yield the lines of exported games, given by their row ids, in that order, without line ends.
    One query.

    If a stored game isn't as it was sealed, its line says so, and is no record.
    """
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by("number")
    rounds = Round.objects.filter(game=OuterRef("pk")).order_by("number")
    voids = Void.objects.filter(game=OuterRef("pk")).order_by("-number")
    games = Game.objects.annotate(
        handles=ArraySubquery(seats.values("handle")),
        seals=ArraySubquery(seats.values("seal")),
        bodies=ArraySubquery(rounds.values("body")),
        chain=ArraySubquery(rounds.values("digest")),
        stands=Subquery(voids.values("stands")[:1]),
        void_at=Subquery(voids.values("made_at")[:1]),
        void_reason=Subquery(voids.values("reason")[:1]),
    ).in_bulk(game_ids)
    for game_id in game_ids:
        game = games[game_id]
        chain = [bytes(game.digest), *map(bytes, game.chain)]
        mark = None
        if game.stands:
            mark = VoidMark(game.void_at.isoformat(), game.void_reason)
        yield export_line(game, game.handles, game.seals, game.bodies, chain, mark)


STORED: Final = """
    SELECT sha256(convert_to(string_agg(stored, chr(10) ORDER BY place), 'UTF8'))
    FROM (
        SELECT place, concat_ws(chr(10), game::text,
            (SELECT string_agg(seat::text, chr(10) ORDER BY number)
                FROM games_seat seat WHERE seat.game_id = game.id),
            (SELECT string_agg(round::text, chr(10) ORDER BY number)
                FROM games_round round WHERE round.game_id = game.id),
            (SELECT string_agg(void::text, chr(10) ORDER BY number)
                FROM games_void void WHERE void.game_id = game.id)
        ) AS stored
        FROM unnest(%s::bigint[]) WITH ORDINALITY AS asked (id, place)
        JOIN games_game game USING (id)
    ) rows
"""
"""The digest of all columns of the rows that exported games are made of."""


def stored_digest(game_ids: Sequence[int]) -> bytes:
    """Return a digest of everything that is stored of these games, given by their row ids: as long
    as it stays the same, `exports` yields the same lines. One query."""
    with connection.cursor() as cursor:
        cursor.execute(STORED, [list(game_ids)])
        (digest,) = cursor.fetchone()
    return bytes(digest)


def game_correction(game: Game) -> Game | None:
    """Return the revision that replaces a game, with the account that entered it; None if there
    is none."""
    return Game.objects.filter(replaces=game).select_related("entered_by").first()


def game_head(game: Game) -> bytes:
    """Return the last digest of a game, which stands for the whole of it."""
    rounds = Round.objects.filter(game=game).order_by("-number")
    last = rounds.values_list("digest", flat=True).first()
    return bytes(game.digest if last is None else last)


def game_heads(game_ids: Sequence[int]) -> dict[int, bytes]:
    """Return the last digest of each game, by row id. One query."""
    rounds = Round.objects.filter(game=OuterRef("pk")).order_by("-number")
    last = Coalesce(Subquery(rounds.values("digest")[:1]), "digest")
    games = Game.objects.filter(pk__in=game_ids).annotate(head=last)
    return {game_id: bytes(head) for game_id, head in games.values_list("pk", "head")}


@dataclass(frozen=True, slots=True)
class Revision:
    """A sealed game with its last digest and the names of its seats, to be compared with
    records."""

    game: Game
    head: bytes
    names: Sequence[Name]

    def is_of(self, record: Record) -> bool:
        """Return True if a valid record has the content of this game."""
        return is_same_game(record, self.names, self.head, sealed_reason(self.game.header))


def game_revisions(source: str, external_ids: Collection[str]) -> dict[str, list[Revision]]:
    """Return the revisions of games from a source, by external id, the newest first. One query."""
    heads = Round.objects.filter(game=OuterRef("pk")).order_by("-number").values("digest")
    seals = Seat.objects.filter(game=OuterRef("pk")).order_by("number").values("seal")
    games = Game.objects.filter(source=source, external_id__in=external_ids).order_by("-revision")
    revisions: dict[str, list[Revision]] = {}
    for game in games.annotate(head=Subquery(heads[:1]), seals=ArraySubquery(seals)):
        names = [Name.of(bytes(seal)) for seal in game.seals]
        revision = Revision(game, bytes(game.head or game.digest), names)
        revisions.setdefault(game.external_id, []).append(revision)
    return revisions
