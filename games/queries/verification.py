"""The facts of stored games, verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import BinaryField, Count, OuterRef, Subquery
from django.db.models.functions import Substr

from engine.illegal import Illegal
from engine.record.canonical import canonical_header, canonical_json, digests, first_digest
from engine.record.check import impossible_end
from engine.record.header import stored_header
from engine.record.outcome import MARKS
from engine.sheet.entry import ASIDES, first_link, next_link
from engine.sheet.versions import ONLINE
from games.domain.branch import moment_text
from games.domain.difference import Difference, cell_differences
from games.domain.verification import (
    column_differences,
    proof_differences,
    round_differences,
    seat_differences,
)
from games.models import Game, OpenGame, OpenSheet, Round, Seat, SheetEntry
from games.queries.dealer_verification import dealer_differences
from games.queries.game import game_record
from games.queries.open_game import sheet_entries, sheet_written


def game_differences(game_ids: Sequence[int]) -> Iterator[Difference]:
    """Every contradiction in the facts of these games, given by their row ids, each with its seats
    and rounds."""
    for game in Game.objects.filter(pk__in=game_ids).select_related("replaces").order_by("pk"):
        rounds = list(Round.objects.filter(game=game).order_by("number"))
        seat_numbers = (
            Seat.objects.filter(game=game).order_by("number").values_list("number", flat=True)
        )
        try:
            record = game_record(game, rounds)
            chain = digests(record)
        except ValueError as error:
            yield Difference(
                "game", game.public_id, "record", str(error), "a record that can be read"
            )
            continue
        yield from column_differences(game, record, chain[0])
        yield from seat_differences(game, list(seat_numbers))
        yield from round_differences(game, record, rounds, chain)
        yield from proof_differences(game, record)


def open_game_differences(public_ids: Sequence[str]) -> Iterator[Difference]:
    """Every contradiction in open games, given by their public ids: a header that isn't the one
    that was frozen, a chain of entries that doesn't follow, a sheet that isn't what its entries
    come to."""
    editions = _editions(public_ids)
    for public_id in public_ids:
        try:
            folded = sheet_written(public_id)
            digest = first_digest(canonical_header(folded.header))
        except (OpenSheet.DoesNotExist, ValueError, KeyError) as error:
            yield Difference(
                "open game", public_id, "sheet", str(error), "a sheet that can be read"
            )
            continue
        entries = sheet_entries(folded.row)
        stored_rows = (
            SheetEntry.objects.filter(sheet=folded.row)
            .order_by("number")
            .values_list("link", "value")
        )
        link = first_link(digest)
        for entry, (stored_link, stored_value) in zip(entries, stored_rows, strict=True):
            link = next_link(link, entry)
            cells = [
                ("link", bytes(stored_link).hex(), link.hex()),
                ("value", stored_value, canonical_json(entry["value"]).decode()),
            ]
            yield from cell_differences("sheet entry", f"{public_id} {entry['number']}", cells)
        open_game, row = folded.row.open_game, folded.row
        heard_at = next(
            (entry["at"] for entry in reversed(entries) if entry["act"] not in ASIDES), None
        )
        header = folded.header
        yield from cell_differences(
            "open game",
            public_id,
            [
                ("id", (open_game.external_id, open_game.kind), (header.record_id, header.game)),
                ("header", open_game.header, stored_header(header)),
                ("digest", bytes(open_game.digest).hex(), digest.hex()),
                ("edition", open_game.edition, editions[public_id]),
                ("length", row.length, len(entries)),
                ("link", bytes(row.link).hex(), link.hex()),
                ("state", row.state, folded.sheet.state()),
                ("over", row.over, folded.sheet.over),
                ("heard_at", row.heard_at and moment_text(row.heard_at), heard_at),
            ],
        )
        if row.version == ONLINE:
            yield from dealer_differences(public_id, row, header, entries)


def _editions(public_ids: Sequence[str]) -> dict[str, int]:
    """The edition of each of these open games, by how many were opened before it under the same
    id."""
    earlier = (
        OpenGame.objects.filter(
            source=OuterRef("source"), external_id=OuterRef("external_id"), pk__lte=OuterRef("pk")
        )
        .order_by()
        .values("external_id")
        .annotate(count=Count("pk"))
    )
    rows = OpenGame.objects.filter(public_id__in=public_ids).annotate(
        counted=Subquery(earlier.values("count"))
    )
    return dict(rows.values_list("public_id", "counted"))


def impossible_ends(source: str) -> Iterator[tuple[Game, Illegal]]:
    """The games of a source, corrected ones left out, whose sealed outcome is one that no game can
    end with, and why: they were taken in before that was refused, and count as they did."""
    first = Substr("body", 1, 1, output_field=BinaryField())
    marks = Round.objects.annotate(first=first).filter(number=0, first__in=MARKS)
    games = Game.objects.filter(source=source, pk__in=marks.values("game")).exclude(
        pk__in=Game.objects.filter(replaces__isnull=False).values("replaces")
    )
    for game in games.order_by("pk"):
        try:
            fault = impossible_end(game_record(game))
        except ValueError:
            continue  # `game_differences` tells that it can't be read
        if fault is not None:
            yield game, fault
