"""The facts of stored games, verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.record.canonical import digests
from games.domain.difference import Difference
from games.domain.verification import column_differences, proof_differences, round_differences, seat_differences
from games.models import Game, Round, Seat
from games.queries.game import game_record


def game_differences(game_ids: Sequence[int]) -> Iterator[Difference]:
    """Every contradiction in the facts of these games, given by their row ids, each with its seats and rounds."""
    for game in Game.objects.filter(pk__in=game_ids).select_related("replaces").order_by("pk"):
        rounds = list(Round.objects.filter(game=game).order_by("number"))
        seat_numbers = Seat.objects.filter(game=game).order_by("number").values_list("number", flat=True)
        try:
            record = game_record(game, rounds)
            chain = digests(record)
        except ValueError as error:
            yield Difference("game", game.public_id, "record", str(error), "a record that can be read")
            continue
        yield from column_differences(game, chain[0])
        yield from seat_differences(game, list(seat_numbers))
        yield from round_differences(game, record, rounds, chain)
        yield from proof_differences(game, record)
