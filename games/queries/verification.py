"""What is false of the facts of games: whatever doesn't hang together with its digests and its header."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from engine.record.canonical import digests
from engine.record.check import check
from engine.record.proof import proof_json
from engine.record.record import Record
from engine.record.verify import verify
from games.domain.difference import Difference
from games.models import Game
from games.queries.game import game_record


def game_differences(games: Sequence[int]) -> Iterator[Difference]:
    """What is false of these games, given by their row ids, each with its seats and rounds."""
    for game in Game.objects.filter(pk__in=games).select_related("replaces").order_by("pk"):
        try:
            record = game_record(game)
            chain = digests(record)
        except ValueError as error:
            yield Difference("game", game.public_id, "record", str(error), "a record that can be read")
            continue
        yield from _columns(game, record)
        yield from _rounds(game, record, chain)
        if game.proof is not None:
            yield from _proof(game, record)


def _columns(game: Game, record: Record) -> Iterator[Difference]:
    """The columns that repeat the header, and the place among the revisions."""
    header: dict[str, Any] = json.loads(game.header)
    played_at = header.get("played_at")
    wanted = {
        "external_id": header["id"],
        "kind": header["game"],
        "event": header.get("event", ""),
        "table": header.get("table", ""),
        "played_at": datetime.fromisoformat(played_at.upper()) if played_at else None,
        "revision": game.replaces.revision + 1 if game.replaces else 1,
    }
    if game.replaces:
        wanted |= {"source": game.replaces.source}
    for column, true in wanted.items():
        if getattr(game, column) != true:
            yield Difference("game", game.public_id, column, getattr(game, column), true)


def _rounds(game: Game, record: Record, chain: Sequence[bytes]) -> Iterator[Difference]:
    """The digest of the header and those of the rounds, their numbers, and which of them ends the game."""
    if bytes(game.digest) != chain[0]:
        yield Difference("game", game.public_id, "digest", bytes(game.digest).hex(), chain[0].hex())
    over = check(record).over
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT number, ends_game, digest FROM games_round WHERE game_id = %s ORDER BY number", [game.pk]
        )
        rows = cursor.fetchall()
        cursor.execute("SELECT number FROM games_seat WHERE game_id = %s ORDER BY number", [game.pk])
        seats = [number for (number,) in cursor.fetchall()]
    if seats != list(range(len(seats))):
        yield Difference("seat", game.public_id, "number", seats, list(range(len(seats))))
    for place, (number, ends_game, digest) in enumerate(rows):
        last = place == len(rows) - 1
        wanted = {"number": place, "ends_game": over and last, "digest": chain[place + 1].hex()}
        stored = {"number": number, "ends_game": ends_game, "digest": bytes(digest).hex()}
        for column, true in wanted.items():
            if stored[column] != true:
                yield Difference("round", f"{game.public_id} {place + 1}", column, stored[column], true)


def _proof(game: Game, record: Record) -> Iterator[Difference]:
    """The proof of the dice."""
    wrong = verify(record).error
    if wrong is not None or (record.proof and proof_json(record.proof) != game.proof):
        yield Difference(
            "game", game.public_id, "proof", wrong.message if wrong else "another form", "a proof that holds"
        )
