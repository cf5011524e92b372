"""Errors as problem details (RFC 9457): every error of the API is one, with a stable `code`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeVar

import structlog
from django.core.exceptions import (
    NON_FIELD_ERRORS,
    BadRequest,
    ObjectDoesNotExist,
    PermissionDenied,
    SuspiciousOperation,
    ValidationError,
)
from django.core.signals import got_request_exception
from django.http import Http404, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions
from rest_framework.response import Response

from engine.illegal import Refused
from games.domain.game import NotAsSealed
from league.core.frame.errors import AWAY_SECONDS, DATABASE_AWAY

log = structlog.get_logger(__name__)

MEDIA_TYPE = "application/problem+json"
ERRORS_PAGE = "/docs/errors"
NO_OFFSET: Final = "no_offset"
CODES: Final = ("reason_needed",)
"""The codes of services' errors that answers pass on; all others are sent as `invalid`."""
R = TypeVar("R", bound=Any)


class Problem(exceptions.APIException):
    """An error with its own code. `errors` lists single faults; other members are sent beside
    `detail`."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Sequence[dict[str, Any]] = (),
        **members: Any,
    ) -> None:
        super().__init__(detail, code)
        self.status_code = status
        self.code = code
        self.members: dict[str, Any] = {"detail": detail}
        if errors:
            self.members["errors"] = list(errors)
        self.members.update(members)

    def as_json(self) -> dict[str, Any]:
        """Return the problem as it is sent."""
        return problem_json(self.status_code, self.code, **self.members)


def problem_json(status: int, code: str, **members: Any) -> dict[str, Any]:
    """Return the members of a problem. `type` is the address at which the manual explains the
    code."""
    return {
        "type": f"{ERRORS_PAGE}#{code}",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "code": code,
        **members,
    }


def bad_value(faults: list[dict[str, str]]) -> Problem:
    """Return a problem 400 for invalid members of a body, each with its `pointer`."""
    return Problem(400, "bad_value", faults[0]["message"], errors=faults)


def no_offset(faults: list[dict[str, str]]) -> Problem | None:
    """Return a problem 422 if a fault is a time without an offset, since a record with such a time
    gets the same problem; otherwise None."""
    for fault in faults:
        if fault["code"] == NO_OFFSET:
            return Problem(422, NO_OFFSET, fault["message"], errors=faults)
    return None


def value_fault(pointer: str, message: str, code: str = "invalid") -> dict[str, str]:
    """Return the fault of a member, by its JSON pointer (RFC 6901); the empty one is the whole
    body."""
    return {"pointer": pointer, "code": code, "message": message}


def named(rows: Iterable[R], ids: Sequence[str], pointer: str, message: str, code: str) -> list[R]:
    """Return the rows with these public ids, from a list in the body. Raise a problem 400 that
    names each id without a row."""
    by_id = {row.public_id: row for row in rows}
    faults = [
        value_fault(f"{pointer}/{index}", message, code)
        for index, public_id in enumerate(ids)
        if public_id not in by_id
    ]
    if faults:
        raise bad_value(faults)
    return [by_id[public_id] for public_id in ids]


def refused_value(error: ValidationError, *, below: str = "") -> Problem:
    """Return the problem for a service's error, with a fault for each message. Only its codes in
    `CODES` are passed on. `below` is the JSON pointer of the value that the service was given."""
    if not hasattr(error, "error_dict"):
        return bad_value([value_fault(below, message) for message in error.messages])
    faults = []
    for name, field_faults in error.error_dict.items():
        pointer = below if name == NON_FIELD_ERRORS else f"{below}/{name}"
        for fault in field_faults:
            code = fault.code if fault.code in CODES else "invalid"
            faults += [value_fault(pointer, message, code) for message in fault.messages]
    return bad_value(faults)


def problem_response(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem as a response that isn't cached."""
    headers = {"Cache-Control": "no-store", **(headers or {})}
    return Response(body, status=body["status"], headers=headers, content_type=MEDIA_TYPE)


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """Turn any exception of a view into a problem. Unexpected ones are logged and not disclosed."""
    match error:
        case Problem():
            return problem_response(error.as_json())
        case Http404() | ObjectDoesNotExist():
            return _problem(
                404,
                "not_found",
                "There's nothing at this address, or you aren't allowed to see it.",
            )
        case Refused():
            fault: dict[str, Any] = error.illegal.as_json()
            place = {
                name: value for name, value in fault.items() if name not in ("code", "message")
            }
            return _problem(422, error.illegal.code, error.illegal.message, errors=[fault], **place)
        case NotAsSealed():
            return _problem(409, NotAsSealed.CODE, NotAsSealed.MESSAGE)
        case PermissionDenied():
            return _problem(403, "permission_denied", "You aren't allowed to do this.")
        case exceptions.ValidationError():
            return _bad_parameters(error)
        case exceptions.APIException():
            return _raised_by_framework(error)
        case BadRequest() | SuspiciousOperation() | MultiPartParserError() | UnreadablePostError():
            return _problem(400, "bad_request", "The request can't be read.")
    if isinstance(error, DATABASE_AWAY):
        log.warning("api.database_away", path=context["request"].path, exc_info=error)
        detail = (
            f"The database isn't answering. Ask again in {AWAY_SECONDS} seconds; it's safe to send "
            "the same request twice."
        )
        return _problem(503, "database_away", detail, headers={"Retry-After": str(AWAY_SECONDS)})
    got_request_exception.send(sender=type(context["view"]), request=context["request"])
    log.error("api.failed", path=context["request"].path, exc_info=error)
    return _problem(
        500,
        "server_error",
        "Something broke on our side. The answer's X-Request-Id names it in our log.",
    )


def _bad_parameters(error: exceptions.ValidationError) -> Response:
    faults_by_name: Any = error.detail
    errors = []
    for name, faults in faults_by_name.items():
        for fault in faults:
            errors.append({"field": name, "code": fault.code, "message": str(fault)})
    return _problem(400, "bad_parameter", "A parameter isn't valid.", errors=errors)


def _raised_by_framework(error: exceptions.APIException) -> Response:
    codes = error.get_codes()
    code = codes if isinstance(codes, str) else "bad_request"
    response = _problem(error.status_code, code, str(error.detail))
    auth_header = getattr(error, "auth_header", None)
    if auth_header:
        response["WWW-Authenticate"] = auth_header
    return response


def _problem(
    status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
) -> Response:
    return problem_response(problem_json(status, code, detail=detail, **members), headers)
