"""Pages of the API's lists."""

from __future__ import annotations

from typing import Any

from rest_framework.pagination import PageNumberPagination
from rest_framework.utils.urls import remove_query_param, replace_query_param

PAGE_SIZE = 50
MAX_PAGE_SIZE = 200


class Pagination(PageNumberPagination):
    """`page` and `page_size`; `next` and `previous` are addresses on this host, None at the ends."""

    page_size = PAGE_SIZE
    max_page_size = MAX_PAGE_SIZE
    page_size_query_param = "page_size"

    def get_next_link(self) -> str | None:
        """The next page."""
        return self._address(self.page.next_page_number()) if self.page and self.page.has_next() else None

    def get_previous_link(self) -> str | None:
        """The page before."""
        return self._address(self.page.previous_page_number()) if self.page and self.page.has_previous() else None

    def _address(self, number: int) -> str:
        here = self.request.get_full_path() if self.request else ""
        return remove_query_param(here, "page") if number == 1 else replace_query_param(here, "page", number)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """How the schema describes a page."""
        link = {"type": "string", "nullable": True, "format": "uri-reference", "example": None}
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {"type": "integer", "description": "Rows on all pages.", "example": 1},
                "next": link,
                "previous": link,
                "results": schema,
            },
        }
