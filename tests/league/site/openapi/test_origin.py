"""Pages of other hosts may read what everybody may see, and nothing more."""

import pytest
from django.http.response import ResponseHeaders
from django.test import Client

from league.models import Season

ELSEWHERE = {"Origin": "https://statistics.example"}


def preflight(method: str, *headers: str) -> ResponseHeaders:
    asked = {
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": ", ".join(headers),
    }
    return Client().options("/api/v1/clubs/", headers=ELSEWHERE | asked).headers


@pytest.mark.parametrize(
    "path", ["/api/v1/clubs/", "/api/v1/clubs/stern/seasons/autumn/games.ndjson", "/api/schema/"]
)
def test_any_origin_may_read_the_api(season: Season, path: str) -> None:
    answer = Client().get(path, headers=ELSEWHERE)
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert "ETag" in answer["Access-Control-Expose-Headers"]


def test_errors_can_be_read_too(season: Season) -> None:
    assert (
        Client().get("/api/v1/clubs/nobody/", headers=ELSEWHERE)["Access-Control-Allow-Origin"]
        == "*"
    )


@pytest.mark.parametrize("path", ["/", "/docs/api", "/clubs/stern/"])
def test_no_page_may_be_read_from_elsewhere(season: Season, path: str) -> None:
    assert "Access-Control-Allow-Origin" not in Client().get(path, headers=ELSEWHERE)


def test_another_host_may_ask_whether_something_changed_and_may_not_post_nor_send_a_key(
    season: Season,
) -> None:
    allowed = preflight("GET", "if-none-match")
    assert allowed["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert allowed["Access-Control-Allow-Headers"] == "if-none-match"
    assert "POST" not in preflight("POST", "authorization")["Access-Control-Allow-Methods"]
