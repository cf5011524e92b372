"""The API sends what it describes: tests hear of a member too many or too few, and of one that is
gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from league.events.event.api import EventSerializer
from league.models import Season
from tests.factories import events
from tests.league.core.frame.api.answers import closed, described

PUBLISHED = Path(__file__).parents[4] / "golden" / "api_members.json"
EVENTS = "/api/v1/clubs/stern/events/"


def operations() -> Iterator[dict[str, Any]]:
    """All operations that are described."""
    for methods in described()["paths"].values():
        yield from methods.values()


def members(schema: Any, place: str = "", above: tuple[str, ...] = ()) -> Iterator[str]:
    """The members that an answer of a schema has, each by its place in the answer."""
    if isinstance(schema, list):
        for part in schema:
            yield from members(part, place, above)
    elif isinstance(schema, dict) and "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in above:
            yield from members(described()["components"]["schemas"][name], place, (*above, name))
    elif isinstance(schema, dict):
        for name, part in schema.get("properties", {}).items():
            yield f"{place}/{name}"
            yield from members(part, f"{place}/{name}", above)
        for key in ("items", "allOf", "anyOf", "oneOf"):
            yield from members(schema.get(key, []), place, above)


def published() -> dict[str, list[str]]:
    """The members of all answers that are no problems, by the operation."""
    return {
        operation["operationId"]: sorted(
            {
                place
                for status, answer in operation["responses"].items()
                for content in answer.get("content", {}).values()
                for place in members(content.get("schema", {}))
                if status < "400"
            }
        )
        for operation in operations()
    }


def test_no_member_that_was_published_is_gone() -> None:
    described_members = published()
    for operation, places in json.loads(PUBLISHED.read_text()).items():
        assert not set(places) - set(described_members[operation]), operation


def test_every_example_is_as_it_is_described() -> None:
    count = 0
    for operation in operations():
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for media_type, content in part.get("content", {}).items():
                schema = closed(content.get("schema", {})) | {
                    "components": described()["components"]
                }
                for name, example in (
                    content.get("examples", {}).items() if media_type.endswith("json") else ()
                ):
                    faults = [
                        error.message
                        for error in Draft202012Validator(schema).iter_errors(example["value"])
                    ]
                    assert not faults, f"{operation['operationId']}, {name}: {faults}"
                    count += 1
    assert count > 100


@pytest.mark.parametrize("change", [lambda row: row | {"more": 1}, lambda row: {"id": row["id"]}])
def test_an_answer_that_is_not_as_described_fails_its_test(
    season: Season, monkeypatch: pytest.MonkeyPatch, change: Any
) -> None:
    events.event(season)
    assert Client().get(EVENTS).json()["results"]
    right = EventSerializer.to_representation
    monkeypatch.setattr(
        EventSerializer, "to_representation", lambda self, row: change(dict(right(self, row)))
    )
    with pytest.raises(AssertionError, match="results"):
        Client().get(EVENTS)
