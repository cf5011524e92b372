"""Pages of the API's lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rest_framework.pagination import BasePagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

T = TypeVar("T")

PAGE_SIZE = 50
MAX_PAGE_SIZE = 200


@dataclass(frozen=True, slots=True)
class LazyRows(Generic[T]):
    """Rows of which only those on the page that is asked for are read, as Django's paginator asks
    for them.

    `read(first, count)` gives `count` rows from the `first` on, counted from 0; `length` says how
    many there are."""

    length: Callable[[], int]
    read: Callable[[int, int], Sequence[T]]

    def __len__(self) -> int:
        return self.length()

    def __getitem__(self, rows: slice) -> Sequence[T]:
        return self.read(rows.start, rows.stop - rows.start)


class Pagination(PageNumberPagination):
    """`page` and `page_size`; `next` and `previous` are addresses on this host, None at the
    ends."""

    page_size = PAGE_SIZE
    max_page_size = MAX_PAGE_SIZE
    page_size_query_param = "page_size"

    def get_next_link(self) -> str | None:
        """The address of the next page, None after the last."""
        return (
            self._address(self.page.next_page_number())
            if self.page and self.page.has_next()
            else None
        )

    def get_previous_link(self) -> str | None:
        """The address of the page before, None on the first."""
        return (
            self._address(self.page.previous_page_number())
            if self.page and self.page.has_previous()
            else None
        )

    def _address(self, number: int) -> str:
        address = self.request.get_full_path() if self.request else ""
        return (
            remove_query_param(address, "page")
            if number == 1
            else replace_query_param(address, "page", number)
        )

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page of rows that are counted."""
        return page_schema(
            schema, count={"type": "integer", "description": "Rows on all pages.", "example": 1}
        )


class PlacePagination(BasePagination):
    """`before` or `after` a place in the list: a page costs the same wherever it is, and nobody
    counts the rows."""

    @staticmethod
    def answer(
        request: Request,
        results: Sequence[Any],
        *,
        before: str,
        after: str,
        latest_first: bool = False,
    ) -> Response:
        """A page with the addresses of those beside it, which begin `before` and `after` a place,
        empty at the ends."""
        address = remove_query_param(remove_query_param(request.get_full_path(), "before"), "after")
        older, newer = ("before", before), ("after", after)
        links = (
            {"next": older, "previous": newer}
            if latest_first
            else {"next": newer, "previous": older}
        )
        beside = {
            name: replace_query_param(address, *turn) if turn[1] else None
            for name, turn in links.items()
        }
        return Response({**beside, "results": results})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page of rows that nobody counts."""
        return page_schema(schema)


def page_schema(rows: dict[str, Any], **members: dict[str, Any]) -> dict[str, Any]:
    """Describe a page of rows, with further members before the addresses of the pages beside it."""
    link = {"type": "string", "nullable": True, "format": "uri-reference", "example": None}
    properties = {**members, "next": link, "previous": link, "results": rows}
    return {"type": "object", "required": list(properties), "properties": properties}
