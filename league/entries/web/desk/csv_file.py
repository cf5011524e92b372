"""A list of an event as a file that spreadsheets open."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from league.events.models import Event


def csv_file(event: Event, what: str, rows: Iterable[Sequence[object]], **headers: str) -> HttpResponse:
    """Rows of an event, their head first, as CSV in UTF-8 with a name that says `what` they are."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    disposition = f'attachment; filename="{event.club.slug}-{event.slug}-{what}.csv"'
    return HttpResponse(
        text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": disposition, **headers},
    )
