"""The description of the API is true: whatever it allows to be asked is answered as it says, and
nothing breaks."""

import json
from typing import Any

import pytest
import schemathesis
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy, booleans
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from engine.record.check import check_line
from league.records.game.api import RECORD
from league.wsgi import application
from tests.league.core.frame.api.programs import bearer

PLAIN = {"Accept-Encoding": "identity"}
"""The transport of these tests unpacks nothing."""
NOTHING_TO_SAY = ["/api/v1/", "/api/v1/play/", "/api/v1/play/stream/"]
"""Addresses that take nothing that could be wrong."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    unsupported_method,
]


@pytest.mark.parametrize("mode", GenerationMode)
def test_whatever_is_asked_is_answered_as_described(
    known: dict[str, object],
    secret: str,
    open_database: None,
    mode: GenerationMode,
    subtests: pytest.Subtests,
) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/schema/", application).exclude(
        path=NOTHING_TO_SAY
    )
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found.err()
        operation = found.ok()
        with subtests.test(operation.label):
            ask(operation.as_strategy(generation_mode=mode), known, secret)


def ask(cases: SearchStrategy[Case[Any]], known: dict[str, object], secret: str) -> None:
    """Ask for each of some cases, every other time with a path that leads somewhere."""

    @settings(
        max_examples=6, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=cases, leads_somewhere=booleans())
    def asked(case: Case[Any], leads_somewhere: bool) -> None:
        if leads_somewhere:
            case.path_parameters = {name: known[name] for name in case.path_parameters}
        checks = CHECKS if leads_somewhere else [*CHECKS, negative_data_rejection]
        case.call_and_validate(headers=bearer(secret) | PLAIN, checks=checks)

    asked()


def test_every_operation_says_what_it_does_and_what_can_go_wrong() -> None:
    described = Client().get("/api/schema/")
    schema = json.loads(described.content)
    methods = [
        (method, operation)
        for path in schema["paths"].values()
        for method, operation in path.items()
    ]
    operations = [operation for _, operation in methods]
    assert len(operations) == 203
    for method, operation in methods:
        assert operation["summary"]
        assert operation["description"]
        problems = {
            status: answer for status, answer in operation["responses"].items() if status >= "400"
        }
        assert {"400", "401"} <= set(problems)
        assert all(
            list(answer["content"]) == ["application/problem+json"] for answer in problems.values()
        )
        assert {"key": []} in operation["security"]
        assert {} not in operation["security"] or method == "get"
        assert {"session": []} not in operation["security"] or method == "get", (
            "a change by a session has a token"
        )
        assert operation.get("requestBody", {"required": True})["required"]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    assert not [name for name in names if name[-1].isdecimal()]
    assert schema["components"]["securitySchemes"]["key"]["scheme"] == "bearer"


def test_what_is_described_as_open_to_everybody_is_and_nothing_else(
    known: dict[str, object],
) -> None:
    schema = json.loads(Client().get("/api/schema/").content)
    paths = {
        path: operations["get"]
        for path, operations in schema["paths"].items()
        if "get" in operations
    }
    answers = {path: Client().get(path.format(**known)).status_code for path in paths}
    closed = {path for path, operation in paths.items() if {} not in operation["security"]}
    assert {answers[path] for path in closed} == {400, 401, 404}, (
        "the copy of a season is asked for with a day"
    )
    hidden = {path for path in paths.keys() - closed if answers[path] != 200}
    assert {path.partition("{event}")[2] or path for path in hidden} == {
        *("/timetables/{timetable}/", "/timetables/{timetable}/tables/"),  # until it is published
        "/api/v1/photos/{photo}/",
        "/api/v1/evidence/{evidence}/",
    }


def test_phones_can_write_with_their_keys() -> None:
    schema = json.loads(Client().get("/api/schema/").content)
    by_device = [
        operation["operationId"]
        for path in schema["paths"].values()
        for operation in path.values()
        if {"device": []} in operation["security"]
    ]
    assert sorted(by_device) == [
        *(
            "add_entry",
            "agree_with_branch",
            "get_call",
            "get_entries",
            "get_gains",
            "get_open_game",
            "keep_branch",
        ),
        *("list_branches", "make_call", "open_table_game", "seal_open_game", "take_call_back"),
    ]
    assert schema["components"]["securitySchemes"]["device"]["name"] == "Authorization"


def test_nothing_is_left_for_the_description_to_guess() -> None:
    GENERATOR_STATS.reset()
    SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    assert not GENERATOR_STATS


def test_the_example_of_a_record_is_one() -> None:
    verdict = check_line(json.dumps(RECORD))
    assert (verdict.error, verdict.over) == (None, True)
