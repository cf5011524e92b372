"""The facts of stored games, verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import BinaryField
from django.db.models.functions import Substr

from engine.illegal import Illegal
from engine.record.canonical import digests
from engine.record.check import impossible_end
from engine.record.outcome import MARKS
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


def impossible_ends(source: str) -> Iterator[tuple[Game, Illegal]]:
    """The games of a source, corrected ones left out, whose sealed outcome is one that no game can end with, and why:
    they were taken in before that was refused, and count as they did."""
    first = Substr("body", 1, 1, output_field=BinaryField())
    ended = Round.objects.annotate(first=first).filter(number=0, first__in=MARKS)
    replaced = Game.objects.filter(replaces__isnull=False).values("replaces")
    games = Game.objects.filter(source=source, pk__in=ended.values("game")).exclude(pk__in=replaced)
    for game in games.order_by("pk"):
        try:
            fault = impossible_end(game_record(game))
        except ValueError:
            continue  # `game_differences` tells that it can't be read
        if fault is not None:
            yield game, fault
