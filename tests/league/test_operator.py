"""The pages of whoever runs the service stand in the foot of every page."""

from typing import Any

import pytest
from django.test import Client


@pytest.mark.parametrize("page", ["/docs/start", "/nothing/"])
@pytest.mark.django_db
def test_imprint_and_privacy_are_linked_where_they_are_named(
    client: Client, settings: Any, page: str
) -> None:
    assert "Imprint" not in client.get(page).content.decode()
    settings.IMPRINT_URL, settings.PRIVACY_URL = "https://example.org/imprint", "/privacy/?a=1&b=2"
    html = client.get(page).content.decode()
    assert '<a href="https://example.org/imprint">Imprint</a>' in html
    assert '<a href="/privacy/?a=1&amp;b=2">Privacy</a>' in html


@pytest.mark.django_db
def test_the_demo_names_its_accounts_where_nobody_else_reaches_it(
    client: Client, settings: Any
) -> None:
    def names_them() -> bool:
        html = client.get("/accounts/login/").content.decode()
        return "organiser@example.org" in html and "hoch-die-becher" in html

    settings.DEMO, settings.ONLY_HERE = True, True
    assert names_them()
    settings.ONLY_HERE = False
    assert not names_them()
    settings.DEMO, settings.ONLY_HERE = False, True
    assert not names_them()
