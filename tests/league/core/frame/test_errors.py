"""NUL in an address, a query or a form is a bad request where nothing else says so, never an error
of the service."""

import pytest
from django.test import Client, RequestFactory

from league.core.frame.errors import ErrorMiddleware

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/calendar/%00.ics", 400),
        ("/players/%00/", 404),
        ("/search/?q=%00", 200),
        ("/clubs/%00/", 404),
    ],
)
def test_no_page_asks_the_database_for_it(client: Client, address: str, status: int) -> None:
    assert client.get(address).status_code == status


def test_the_page_says_what_to_do(client: Client) -> None:
    assert "<h1" in client.get("/calendar/%00.ics").content.decode()


def test_an_error_of_another_kind_is_no_bad_request(rf: RequestFactory) -> None:
    middleware = ErrorMiddleware(lambda request: None)  # type: ignore[arg-type]
    assert middleware.process_exception(rf.get("/?q=a"), ValueError()) is None
    assert middleware.process_exception(rf.get("/?q=%00"), KeyError()) is None
