"""Answers are compressed where that is safe, and a browser that has the newest one still hears
so."""

import gzip
import re

import pytest
from django.test import Client

from league.core.frame.compression import TEXT
from tests.factories.counted import counted_season


def get(client: Client, path: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """Status, body as it was sent, head."""
    answer = client.get(path, headers={"accept-encoding": "gzip", **headers})
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return answer.status_code, body, dict(answer.headers)


def test_pages_are_compressed_and_vary_by_what_the_reader_can_unpack(client: Client) -> None:
    _status, body, head = get(client, "/docs/start")
    plain = client.get("/docs/start")
    assert head["Content-Encoding"] == "gzip"
    assert len(body) < len(plain.content) / 2
    assert "Content-Encoding" not in plain
    assert all("Accept-Encoding" in vary for vary in (head["Vary"], plain["Vary"]))


def test_the_same_page_has_another_length_each_time(client: Client) -> None:
    assert len({len(get(client, "/docs/start")[1]) for _ in range(20)}) > 1


@pytest.mark.django_db
def test_a_form_has_another_token_each_time(client: Client) -> None:
    def token() -> str:
        html = gzip.decompress(get(client, "/accounts/login/")[1]).decode()
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html)
        assert found
        return found[1]

    assert token() != token()


@pytest.mark.django_db
def test_an_unchanged_answer_stays_a_304(client: Client) -> None:
    season = counted_season(1)
    path = f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/standings/"
    status, _body, head = get(client, path)
    assert (status, head["Content-Encoding"], head["ETag"][:2]) == (200, "gzip", "W/")
    status, body, _head = get(client, path, **{"if-none-match": head["ETag"]})
    assert (status, body) == (304, b"")


@pytest.mark.django_db
def test_a_download_is_compressed_as_it_is_made(client: Client) -> None:
    season = counted_season(2)
    _status, body, head = get(
        client, f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/games.ndjson"
    )
    assert head["Content-Encoding"] == "gzip"
    assert len(gzip.decompress(body).splitlines()) == 2


def test_the_static_files_of_a_checkout_are_compressed_and_stay_304s(client: Client) -> None:
    status, body, head = get(client, "/static/league/app.css")
    assert (status, head["Content-Encoding"]) == (200, "gzip")
    assert b"{" in gzip.decompress(body)
    status, body, _head = get(client, "/static/league/app.css", **{"if-none-match": head["ETag"]})
    assert (status, body) == (304, b"")


def test_what_is_compressed_already_is_left_alone(client: Client) -> None:
    for path in ("/static/league/fonts/inter.woff2", "/static/league/season.webp"):
        assert "Content-Encoding" not in get(client, path)[2]


@pytest.mark.parametrize(
    ("kind", "compressed"),
    [
        ("text/html; charset=utf-8", True),
        ("application/problem+json", True),
        ("application/x-ndjson", True),
        ("image/svg+xml", True),
        ("image/webp", False),
        ("font/woff2", False),
        ("application/octet-stream", False),
    ],
)
def test_text_is_compressed(kind: str, compressed: bool) -> None:
    assert bool(TEXT.match(kind)) is compressed
