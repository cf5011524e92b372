"""The verification of stored games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

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
from games.models import Game, OpenGame, OpenSheet, Round
from games.queries.dealer_verification import dealer_differences
from games.queries.game import SEATS_AND_ROUNDS, fetched_record
from games.queries.open_game import WrittenSheet, fetched_entries

FETCHED: Final = 100
"""Games that are fetched at once to see how they ended."""


def game_differences(game_ids: Sequence[int]) -> Iterator[Difference]:
    """Yield every contradiction in the facts of these games, given by their row ids.

    The facts include their seats and rounds. Three queries."""
    games = Game.objects.filter(pk__in=game_ids).select_related("replaces")
    for game in games.prefetch_related(*SEATS_AND_ROUNDS).order_by("pk"):
        rounds = list(game.rounds.all())
        try:
            record = fetched_record(game)
            chain = digests(record)
        except ValueError as error:
            yield Difference(
                "game", game.public_id, "record", str(error), "a record that can be read"
            )
            continue
        yield from column_differences(game, record, chain[0])
        yield from seat_differences(game, [seat.number for seat in game.seats.all()])
        yield from round_differences(game, record, rounds, chain)
        yield from proof_differences(game, record)


def open_game_differences(sheets: Mapping[str, WrittenSheet | Exception]) -> Iterator[Difference]:
    """Yield every contradiction in open games, given by public id with their sheets.

    These are a header that isn't the frozen one, a chain of entries with a break, and a sheet that
    doesn't follow from its entries. `sheets`: from `sheets_written`."""
    editions = _editions(list(sheets))
    for public_id, written in sheets.items():
        try:
            if isinstance(written, Exception):
                raise written
            digest = first_digest(canonical_header(written.header))
        except (OpenSheet.DoesNotExist, ValueError, KeyError) as error:
            yield Difference(
                "open game", public_id, "sheet", str(error), "a sheet that can be read"
            )
            continue
        row = written.row
        entries = fetched_entries(row)
        links = _links(digest, entries)
        edition = editions[public_id]
        yield from _entry_differences(public_id, row, entries, links)
        yield from _sheet_differences(public_id, written, entries, links, digest, edition)
        if row.version == ONLINE:
            yield from dealer_differences(public_id, row, written.header, entries)


def _links(digest: bytes, entries: Sequence[dict[str, Any]]) -> list[bytes]:
    links = [first_link(digest)]
    for entry in entries:
        links.append(next_link(links[-1], entry))
    return links


def _entry_differences(
    public_id: str, row: OpenSheet, entries: Sequence[dict[str, Any]], links: Sequence[bytes]
) -> Iterator[Difference]:
    for entry, link, stored in zip(entries, links[1:], row.entries.all(), strict=True):
        cells = [
            ("link", bytes(stored.link).hex(), link.hex()),
            ("value", stored.value, canonical_json(entry["value"]).decode()),
        ]
        yield from cell_differences("sheet entry", f"{public_id} {entry['number']}", cells)


def _sheet_differences(
    public_id: str,
    written: WrittenSheet,
    entries: Sequence[dict[str, Any]],
    links: Sequence[bytes],
    digest: bytes,
    edition: int,
) -> Iterator[Difference]:
    row = written.row
    header = written.header
    open_game = row.open_game
    heard_at = None
    for entry in entries:
        if entry["act"] not in ASIDES:
            heard_at = entry["at"]
    stored_heard_at = None if row.heard_at is None else moment_text(row.heard_at)
    seats = [seat.number for seat in open_game.seats.all()]
    cells = [
        ("seats", seats, list(range(len(seats)))),
        ("id", (open_game.external_id, open_game.kind), (header.record_id, header.game)),
        ("header", open_game.header, stored_header(header)),
        ("digest", bytes(open_game.digest).hex(), digest.hex()),
        ("edition", open_game.edition, edition),
        ("length", row.length, len(entries)),
        ("link", bytes(row.link).hex(), links[-1].hex()),
        ("state", row.state, written.sheet.state()),
        ("over", row.over, written.sheet.over),
        ("heard_at", stored_heard_at, heard_at),
    ]
    yield from cell_differences("open game", public_id, cells)


def _editions(public_ids: Sequence[str]) -> dict[str, int]:
    """Return the edition that each open game should have: it counts the open games of the same
    source and external id from the first one up to this one."""
    up_to_this = (
        OpenGame.objects.filter(
            source=OuterRef("source"), external_id=OuterRef("external_id"), pk__lte=OuterRef("pk")
        )
        .order_by()
        .values("external_id")
        .annotate(count=Count("pk"))
    )
    rows = OpenGame.objects.filter(public_id__in=public_ids).annotate(
        counted=Subquery(up_to_this.values("count"))
    )
    return dict(rows.values_list("public_id", "counted"))


def impossible_ends(source: str) -> Iterator[tuple[Game, Illegal]]:
    """Yield the games of a source whose sealed outcome can't be the end of any game, each with the
    reason.

    Corrected games are left out. The games were accepted before such outcomes were refused, and
    still count.
    """
    # A game of which only the end is known has a single row, number 0, with its outcome instead of
    # a round. The first byte shows which of the two it is.
    first_byte = Substr("body", 1, 1, output_field=BinaryField())
    rows = Round.objects.annotate(first_byte=first_byte)
    outcomes = rows.filter(number=0, first_byte__in=MARKS)
    games = Game.objects.filter(source=source, pk__in=outcomes.values("game")).exclude(
        pk__in=Game.objects.filter(replaces__isnull=False).values("replaces")
    )
    games = games.prefetch_related(*SEATS_AND_ROUNDS).order_by("pk")
    for game in games.iterator(chunk_size=FETCHED):
        try:
            fault = impossible_end(fetched_record(game))
        except ValueError:
            continue  # `game_differences` reports that it can't be read
        if fault is not None:
            yield game, fault
