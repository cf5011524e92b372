"""Answers of the API held against its own description, and nothing may stand in them that isn't
described."""

import json
import re
from functools import cache
from typing import Any

from django.urls import ResolverMatch
from jsonschema import Draft202012Validator, FormatChecker

from league.site.openapi.api import Nothing, Schema, description

ANY_METHOD = {405, 500}
"""Problems that every address may have, and none describes."""


@cache
def described() -> dict[str, Any]:
    """The description of the API, with what it says of values as JSON Schema has it."""
    document: dict[str, Any] = json.loads(description())
    return {**document, "components": {"schemas": closed(document["components"]["schemas"])}}


def closed(schema: Any) -> Any:
    """A schema of OpenAPI 3.0 as one of JSON Schema, in which objects have no members but those
    that it names."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in schema.items() if name != "nullable"}
    if isinstance(schema.get("properties"), dict):
        parts.setdefault("additionalProperties", False)
    return {"anyOf": [parts, {"type": "null"}]} if schema.get("nullable") is True else parts


@cache
def validator(path: str, method: str, status: int, media_type: str) -> Draft202012Validator | None:
    """The validator of an answer, None for one that isn't JSON. Raise `AssertionError` if it isn't
    described."""
    answers = described()["paths"][path][method]["responses"]
    if status in ANY_METHOD:
        content = answers["400"]["content"]
    else:
        assert str(status) in answers, f"{method} {path} isn't described to answer {status}"
        content = answers[str(status)].get("content", {})
    if status == 304:
        return None
    assert media_type in content, (
        f"{method} {path} isn't described to answer {media_type} with a {status}"
    )
    if not media_type.endswith("json"):
        return None
    schema = closed(content[media_type].get("schema", {}))
    return Draft202012Validator(
        schema | {"components": described()["components"]}, format_checker=FormatChecker()
    )


def answer_check(match: ResolverMatch | None, method: str, response: Any) -> None:
    """Hold an answer against the description. Raise `AssertionError`, with the place and the
    reason."""
    view = getattr(match and match.func, "cls", None)
    if match is None or view in (None, Nothing, Schema):
        return
    path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", match.route)
    verb = "get" if method == "HEAD" else method.lower()
    if verb not in described()["paths"][path]:
        assert response.status_code >= 400
        return
    media_type = response.get("Content-Type", "").partition(";")[0]
    schema = validator(path, verb, response.status_code, media_type)
    if schema is None or response.streaming or method == "HEAD":
        return
    faults = [
        f"{error.json_path}: {error.message}"
        for error in schema.iter_errors(json.loads(response.content))
    ]
    assert not faults, f"{method} {path}: {faults}"
