"""How programs talk to the API."""

from typing import Any

from django.conf import settings
from django.test import Client

from league.core.key.services.key import key_create
from league.models import ApiKey, Club, Membership, Role, Season
from league.records.file.services import record_import
from league.standings.ranking.services.counting import ranking_count
from tests.factories.league import MembershipFactory
from tests.factories.records import bluff_record, line

PROBLEM = "application/problem+json"
LINES = "application/x-ndjson"
ERRORS_PAGE = (settings.BASE_DIR / "templates/docs/errors.md").read_text()


def play(season: Season, *seeds: int, **header: Any) -> None:
    """Play one game of the season for each seed, and count them."""
    for seed in seeds:
        assert record_import(season=season, line=line(bluff_record(seed, **header))).error is None
    ranking_count(ranking_id=season.ranking_id)


def bearer(secret: str) -> dict[str, str]:
    """The header that opens the API."""
    return {"Authorization": f"Bearer {secret}"}


def member_key(club: Club, role: Role = Role.SCORER, **fields: Any) -> tuple[str, ApiKey]:
    """A key of a new member of the club: the secret and the row."""
    member: Membership = MembershipFactory.create(club=club, role=role, **fields)
    key, secret = key_create(club=club, user=member.user, label="program")
    return secret, key


def code_of(response: Any) -> tuple[int, str]:
    """Status and code of a problem, after a look at its shape."""
    assert response["Content-Type"] == PROBLEM
    problem = response.json()
    assert problem["status"] == response.status_code
    assert problem["type"] == f"/docs/errors#{problem['code']}"
    assert f"{{#{problem['code']}}}" in ERRORS_PAGE, "the manual explains every code"
    assert problem["title"]
    assert problem["detail"]
    return response.status_code, problem["code"]


def get(path: str, **headers: str) -> Any:
    """GET a path below /api/v1."""
    return Client().get(f"/api/v1{path}", headers=headers)
