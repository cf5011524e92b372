"""Pages for what goes wrong: they say what happened, that nothing was lost, and what to do."""

import re
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from league.core.frame import errors
from tests.factories.league import UserFactory


def request_id(response: Any) -> str:
    """The id that the page quotes."""
    found = re.search(r"<code>([0-9a-f]{32})</code>", response.content.decode())
    assert found
    return found[1]


@pytest.mark.django_db
def test_a_missing_page_quotes_its_request_and_offers_to_sign_in(client: Client) -> None:
    response = client.get("/nothing/here/?a=1&b=<i>")
    html = response.content.decode()
    assert response.status_code == 404
    assert "Nothing was lost" in html
    assert request_id(response) == response["X-Request-Id"]
    assert f'href="{reverse("account_login")}?next=/nothing/here/%3Fa%3D1' in html
    assert "<i>" not in html


@pytest.mark.django_db
def test_a_missing_page_asks_nobody_to_sign_in_twice(client: Client) -> None:
    client.force_login(UserFactory.create())
    assert "?next=" not in client.get("/nothing").content.decode()


def test_an_error_of_ours_is_told_without_a_database(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("the secret detail")

    monkeypatch.setattr("league.site.manual.web._contents", broken)
    client.raise_request_exception = False
    response = client.get(reverse("docs"))
    html = response.content.decode()
    assert response.status_code == 500
    assert "Something broke on our side" in html
    assert "what you sent was either stored whole or not at all" in html
    assert "secret detail" not in html
    assert request_id(response) == response["X-Request-Id"]


def test_a_request_to_a_wrong_host_is_a_plain_400(client: Client) -> None:
    response = client.get("/accounts/login/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert "Nothing was changed" in response.content.decode()


@pytest.mark.django_db
def test_a_form_without_its_secret_is_told_to_send_again() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("account_login"), {"login": "a@b.example", "password": "x"})
    html = response.content.decode()
    assert response.status_code == 403
    assert "Please send it again" in html
    assert "Nothing was changed" in html
    assert request_id(response) == response["X-Request-Id"]


@pytest.mark.django_db
def test_what_an_account_may_not_do_is_a_403(rf: RequestFactory) -> None:
    request = rf.get("/somewhere/")
    request.user = UserFactory.create()
    response = errors.permission_denied(request, PermissionError())
    assert response.status_code == 403
    assert "Your account isn’t allowed to do this" in response.content.decode()


@pytest.mark.parametrize("page", ["/nothing", "/docs/", "/accounts/login/"])
@pytest.mark.django_db
def test_pages_have_no_style_or_script_of_their_own(client: Client, page: str) -> None:
    html = client.get(page).content.decode()
    assert "<style" not in html
    assert " style=" not in html
    assert not re.search(r"<script(?![^>]*\bsrc=)", html)
    assert not re.search(r"\son\w+=", html)


def test_plain_pages_have_no_style_or_script_of_their_own() -> None:
    for response in (
        errors.bad_request(HttpRequest(), ValueError()),
        errors.server_error(HttpRequest()),
    ):
        html = response.content.decode()
        assert not re.search(r"<style|<script| style=|\son\w+=", html)


@pytest.mark.parametrize("page", ["/", "/clubs/stern/", "/api/v1/clubs/"])
def test_while_the_database_is_away_one_is_told_when_to_come_again(
    database_away: None, page: str
) -> None:
    response = Client(raise_request_exception=False).get(page)
    assert response.status_code == 503
    assert response["Retry-After"] == "10"
    assert "ETag" not in response
