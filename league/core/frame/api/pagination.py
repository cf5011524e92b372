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
    """Rows read one page at a time, as Django's paginator asks for them.

    `read(first, count)` returns `count` rows from number `first` on, counted from 0; `length`
    returns the number of all rows.
    """

    length: Callable[[], int]
    read: Callable[[int, int], Sequence[T]]

    def __len__(self) -> int:
        return self.length()

    def __getitem__(self, rows: slice) -> Sequence[T]:
        return self.read(rows.start, rows.stop - rows.start)


class Pagination(PageNumberPagination):
    """Pages by `page` and `page_size`. `next` and `previous` are addresses on this host; None at
    the ends."""

    page_size = PAGE_SIZE
    max_page_size = MAX_PAGE_SIZE
    page_size_query_param = "page_size"

    def get_next_link(self) -> str | None:
        """Return the address of the next page; None after the last."""
        if self.page and self.page.has_next():
            return self._address(self.page.next_page_number())
        return None

    def get_previous_link(self) -> str | None:
        """Return the address of the previous page; None before the first."""
        if self.page and self.page.has_previous():
            return self._address(self.page.previous_page_number())
        return None

    def _address(self, number: int) -> str:
        address = self.request.get_full_path() if self.request else ""
        if number == 1:
            return remove_query_param(address, "page")
        return replace_query_param(address, "page", number)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page with a count of all rows."""
        return page_schema(
            schema, count={"type": "integer", "description": "Rows on all pages.", "example": 1}
        )


class PlacePagination(BasePagination):
    """Pages `before` or `after` a place in the list. Each costs the same, and the rows aren't
    counted."""

    @staticmethod
    def answer(
        request: Request,
        results: Sequence[Any],
        *,
        before: str,
        after: str,
        latest_first: bool = False,
    ) -> Response:
        """Return a page with links to its neighbours, which begin at the places `before` and
        `after`. An empty place means that there is no neighbour."""
        address = remove_query_param(remove_query_param(request.get_full_path(), "before"), "after")
        older = replace_query_param(address, "before", before) if before else None
        newer = replace_query_param(address, "after", after) if after else None
        links = {"next": newer, "previous": older}
        if latest_first:
            links = {"next": older, "previous": newer}
        return Response({**links, "results": results})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page without a count."""
        return page_schema(schema)


def page_schema(rows: dict[str, Any], **members: dict[str, Any]) -> dict[str, Any]:
    """Describe a page of rows, with these members before the links to its neighbours."""
    link = {"type": "string", "nullable": True, "format": "uri-reference", "example": None}
    properties = {**members, "next": link, "previous": link, "results": rows}
    return {"type": "object", "required": list(properties), "properties": properties}
