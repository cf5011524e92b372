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
    """Return the language of a file that a person downloads, by `?lang=` or the browser; empty for
    a program, which asks for none."""
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
    """Return rows as a CSV file. `columns`: the columns' titles by name; `decimals`: the names of
    the columns with a decimal point.

    A program gets column names, commas and points. A person gets a byte order mark, titles, and
    their language's separators, so that a spreadsheet opens the file correctly. Cells with texts
    that people wrote must be escaped by `cell_of`.
    """
    language = asked_language(request)
    with translation.override(language or settings.LANGUAGE_CODE):
        header = [str(title) if language else column for column, title in columns.items()]
    decimal_columns = [index for index, column in enumerate(columns) if column in set(decimals)]
    uses_semicolons = language in SEMICOLON
    text = io.StringIO()
    text.write(BOM if language else "")
    writer = csv.writer(text, delimiter=";" if uses_semicolons else ",")
    writer.writerow(header)
    writer.writerows(_with_decimal_commas(rows, decimal_columns) if uses_semicolons else rows)
    return HttpResponse(
        text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"', **(headers or {})},
    )


def _with_decimal_commas(
    rows: Iterable[Sequence[object]], decimal_columns: Sequence[int]
) -> Iterator[list[object]]:
    for row in rows:
        cells = list(row)
        for index in decimal_columns:
            cells[index] = str(cells[index]).replace(".", ",")
        yield cells
