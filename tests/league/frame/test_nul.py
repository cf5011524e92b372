"""NUL in an address, a query or a form is a bad request, whoever sends it and whatever page it is for."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address",
    ["/calendar/%00.ics", "/players/%00/", "/search/?q=%00", "/search/?%00=x", "/clubs/%00/", "/games/a%00b/"],
)
def test_nobody_asks_a_page_for_it(client: Client, address: str) -> None:
    assert client.get(address).status_code in (400, 404)


def test_the_page_says_what_to_do(client: Client) -> None:
    answer = client.get("/calendar/%00.ics")
    assert answer.status_code == 400
    assert "<h1" in answer.content.decode()
