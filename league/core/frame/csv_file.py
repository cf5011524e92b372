"""Tables as CSV: always the same for programs; for people as the spreadsheet of their language
opens it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SEMICOLON: Final = frozenset({"de", "nl"})
"""Languages whose spreadsheets separate cells by semicolons, because decimals have a comma."""
BOM: Final = "\ufeff"


def asked_language(request: HttpRequest) -> str:
    """Return the language of a file for people, by `?lang=` or the browser; empty for programs,
    which ask for none."""
    chosen = request.GET.get("lang", "")
    if chosen in dict(settings.LANGUAGES):
        return chosen
    if "Accept-Language" in request.headers:
        return translation.get_language() or ""
    return ""


def csv_file(
    request: HttpRequest,
    name: str,
    columns: Mapping[str, StrOrPromise],
    rows: Iterable[Sequence[object]],
    *,
    decimals: Iterable[str] = (),
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Return rows as a file. `columns`: their titles by name; `decimals`: the columns with a
    decimal point.

    Programs get column names, commas and points. People get a byte order mark, titles, and the
    signs of their language, so that a double click opens it correctly. Cells with people's texts
    must be `cell_of`."""
    language = asked_language(request)
    with translation.override(language or settings.LANGUAGE_CODE):
        head = [str(words) if language else column for column, words in columns.items()]
    places = [place for place, column in enumerate(columns) if column in set(decimals)]
    parted_by_semicolon = language in SEMICOLON
    text = io.StringIO()
    text.write(BOM if language else "")
    writer = csv.writer(text, delimiter=";" if parted_by_semicolon else ",")
    writer.writerow(head)
    writer.writerows(_with_commas(rows, places) if parted_by_semicolon else rows)
    return HttpResponse(
        text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"', **(headers or {})},
    )


def _with_commas(rows: Iterable[Sequence[object]], places: Sequence[int]) -> Iterator[list[object]]:
    for row in rows:
        cells = list(row)
        for place in places:
            cells[place] = str(cells[place]).replace(".", ",")
        yield cells
