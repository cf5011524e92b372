"""Addresses that answers hold lead somewhere."""

import pytest
from django.urls import resolve

from league.core.frame.api import links
from league.site.openapi.api import Nothing

LINKS = [name for name in vars(links) if name.endswith("_link")]
VALUE = "2" * 10
"""A slug, a number and a public id."""


@pytest.mark.parametrize("name", LINKS)
def test_every_link_is_an_address_of_the_api(name: str) -> None:
    link = getattr(links, name)
    address = link(*[VALUE] * link.__self__.count("{}"))
    assert resolve(address).func.cls is not Nothing  # type: ignore[attr-defined]
